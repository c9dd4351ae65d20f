// A conversation with a memory: turns and checks, each taken up where it stopped. It outlives views and reloads of its
// tab, since it is kept beside the token and goes with it; an answer is written by the service, whoever looks.
import { Problem, type Api, type Belief, type Block, type Recorded } from "./api";
import { zone } from "./parts";
import { CONVERSATIONS, holds } from "./session";

export interface FileSource {
  kind: "file";
  file_id: string;
  file: string;
  page: number;
  line: number;
  quote: string;
  same_language: boolean;
}

export interface MemorySource {
  kind: "memory" | "belief";
  episode_id: string | null;
  memory: string;
  occurred_at: string;
  quote: string;
}

export interface Claim {
  text: string;
  source: FileSource | MemorySource | null;
  score: number;
  problem: string | null;
}

export interface Grounding {
  claims: Claim[];
  grounded_share: number;
  mostly_ungrounded: boolean;
  stance: "answered" | "partial" | "could_not";
  /** Neither is among `claims`, nor what is said of them: there was no time, or no room. */
  claims_not_searched?: number;
  files_not_searched?: number;
}

/** What the model is told of a turn before this one, shortened as it is told. */
export interface EarlierTurn {
  question: string;
  answer: string | null;
}

export interface Passage {
  kind: "episode" | "file";
  id: string;
  /** Of a file its name, of an episode its kind. */
  name: string;
  page: number | null;
  at: string | null;
  text: string;
}

/** What the service says when a question was asked of it. */
export interface Started {
  answer_id: string | null;
  status: string;
  model: string | null;
  question: Recorded;
  block: Block;
  passages: Passage[];
  earlier?: EarlierTurn[];
}

/** An answer from some character on. */
interface Part {
  status: "waiting" | "writing" | "done" | "failed";
  model: string | null;
  text: string;
  chars: number;
  reason: string | null;
  answer: { id: string; position: number } | null;
  grounding: Grounding | null;
  usage: { input_tokens: number; output_tokens: number } | null;
  /** How long to wait before the next look; null when nothing more comes. */
  look_again_ms: number | null;
}

export type Answer = Omit<Part, "chars" | "look_again_ms"> & { settled: boolean };

export interface Turn {
  kind: "turn";
  key: string;
  asked: { question: string; time_zone: string; occurred_at: string; session_id: string };
  /** What a turn of somebody else than the student gets, which records nothing. */
  block?: Block;
  started?: Started;
  answer?: Answer;
  error?: unknown;
}

export interface CheckTurn {
  kind: "check";
  key: string;
  episode: { kind: "check"; occurred_at: string; text: string; topic: string; correct: boolean; score?: number; session_id: string };
  recorded?: Recorded;
  /** Null when none came of it in time. */
  belief?: Belief | null;
  error?: unknown;
}

export type Entry = Turn | CheckTurn;

/** Before the first look, and where a look has failed; the service says when to look again. */
const POLL_MILLISECONDS = 500;
/** At least, where nobody looks: the browser would slow it down anyway. */
const HIDDEN_MILLISECONDS = 2_500;
/** A tenant that asks too much is let in again within a minute. */
const REFUSED_MILLISECONDS = 10_000;
const FAILURES = 5;
/** For ten minutes after a question the service has its answer written; after that it is another turn. */
const AGAIN_MILLISECONDS = 9 * 60_000;
const BELIEF_LOOKS = 12;
const BELIEF_MILLISECONDS = 700;
/** As many as a tab's storage has room for, with blocks of some thousand tokens. */
const KEPT_ENTRIES = 60;
/** With the number of what is stored under it: a page that came after another one in the same tab reads its own. */
const STORED = `${CONVERSATIONS}1.`;
const REFUSED = new Set([400, 403, 404, 409, 413, 422]);

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** Now, by the student's own clock: its offset tells which day it is for them. */
function now(): string {
  const at = new Date();
  const minutes = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const pad = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}

type Known = Record<string, unknown>;

function isObject(value: unknown): value is Known {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasTexts(value: unknown, ...names: string[]): value is Known {
  return isObject(value) && names.every((name) => typeof value[name] === "string" && value[name] !== "");
}

/** An entry as it was stored, or null when it is none that can be sent: what is left of one is not guessed. */
function entryOf(value: unknown): Entry | null {
  if (!hasTexts(value, "kind", "key")) return null;
  if (value.kind === "check") {
    const known = hasTexts(value.episode, "occurred_at", "topic", "session_id") && typeof value.episode.correct === "boolean";
    return known && (value.recorded === undefined || isObject(value.recorded)) ? (value as unknown as CheckTurn) : null;
  }
  if (value.kind !== "turn" || !hasTexts(value.asked, "question", "time_zone", "occurred_at", "session_id")) return null;
  const { kind, key, asked, block, started, answer } = value;
  // What came of it is asked for anew under the same key, which begins nothing twice.
  const entry: Known = { kind, key, asked };
  if (isObject(block)) entry.block = block;
  if (isObject(started) && isObject(started.question) && isObject(started.block) && Array.isArray(started.passages)) {
    entry.started = started;
    if (hasTexts(answer, "status") && typeof answer.text === "string") entry.answer = answer;
  }
  return entry as unknown as Turn;
}

/** What a tab has kept of a conversation: all that can be read of it, null when that is nothing. */
function stored(place: string): { session: string; entries: Entry[] } | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(place) ?? "null");
    if (!hasTexts(found, "session") || !Array.isArray(found.entries)) throw new TypeError("no conversation");
    const entries = found.entries.map(entryOf).filter((entry) => entry !== null);
    return { session: String(found.session), entries };
  } catch {
    sessionStorage.removeItem(place);
    return null;
  }
}

export function isOver(turn: Turn): boolean {
  return turn.answer?.status === "done" || turn.answer?.status === "failed" || (!!turn.started && !turn.started.answer_id);
}

export class Conversation {
  entries: Entry[] = [];
  session = `page-${crypto.randomUUID()}`;
  private readonly told = new Set<() => void>();
  private readonly busy = new Set<string>();

  constructor(
    private readonly api: Api,
    private readonly subject: string,
    private readonly place: string,
  ) {
    const found = stored(place);
    if (found) [this.session, this.entries] = [found.session, found.entries];
    for (const entry of this.entries) void this.work(entry);
  }

  /** Be told of every change; what is returned ends it. */
  listen(changed: () => void): () => void {
    this.told.add(changed);
    return () => void this.told.delete(changed);
  }

  ask(question: string): void {
    this.add({ kind: "turn", key: `page-${crypto.randomUUID()}`, asked: { question, time_zone: zone(), occurred_at: now(), session_id: this.session } });
  }

  check(topic: string, text: string, correct: boolean, score: number | null): void {
    const episode = { kind: "check" as const, occurred_at: now(), text, topic, correct, ...(score === null ? {} : { score }), session_id: this.session };
    this.add({ kind: "check", key: `page-${crypto.randomUUID()}`, episode });
  }

  /** Take an entry up where it stopped; an answer that failed is asked for anew, under the same key while that is taken. */
  again(entry: Entry): void {
    delete entry.error;
    if (entry.kind === "turn" && entry.answer?.status === "failed") {
      if (Date.now() - Date.parse(entry.asked.occurred_at) > AGAIN_MILLISECONDS) return this.ask(entry.asked.question);
      delete entry.started;
      delete entry.answer;
    }
    this.changed();
    void this.work(entry);
  }

  private add(entry: Entry): void {
    this.entries.push(entry);
    this.changed();
    void this.work(entry);
  }

  private async work(entry: Entry): Promise<void> {
    if (this.busy.has(entry.key)) return;
    this.busy.add(entry.key);
    try {
      await (entry.kind === "turn" ? this.turn(entry) : this.checked(entry));
    } catch (error) {
      entry.error = error;
    }
    this.busy.delete(entry.key);
    this.changed();
  }

  private async turn(turn: Turn): Promise<void> {
    if (this.api.session.role !== "student") {
      const { question, time_zone } = turn.asked;
      turn.block ??= await this.api.post<Block>(["subjects", this.subject, "block"], { question, time_zone });
      return;
    }
    if (!turn.started) {
      turn.started = await this.api.post<Started>(["subjects", this.subject, "answers"], turn.asked, { "Idempotency-Key": turn.key });
      this.changed();
      // No model has said anything yet.
      if (turn.started.answer_id) await pause(POLL_MILLISECONDS);
    }
    if (turn.started.answer_id && !turn.answer?.settled) await this.follow(turn, turn.started.answer_id);
  }

  /** Fetch an answer as it is written, until it is settled: the service gives up on one that nobody writes any more. */
  private async follow(turn: Turn, id: string): Promise<void> {
    const answer: Answer = { status: "waiting", model: null, text: "", reason: null, answer: null, grounding: null, usage: null, settled: false };
    let chars = 0;
    let failures = 0;
    let done = false;
    while (this.lives()) {
      let part: Part;
      try {
        part = await this.api.get<Part>(["subjects", this.subject, "answers", id], { after: chars });
        failures = 0;
      } catch (error) {
        if (error instanceof Problem && error.status === 404) {
          turn.answer = { ...answer, ...turn.answer, status: "failed", reason: "gone", settled: true };
          return;
        }
        const busy = error instanceof Problem && error.status === 429;
        if ((!busy && ++failures >= FAILURES) || (error instanceof Problem && error.status === 401)) throw error;
        await pause(busy ? REFUSED_MILLISECONDS : POLL_MILLISECONDS * 2 ** failures);
        continue;
      }
      const { chars: total, text, look_again_ms: wait, ...told } = part;
      const over: boolean = told.status === "done" && !done;
      done ||= over;
      // A writer that died may have had another in its place, who begins anew: what is kept is read as one.
      if (chars > 0 && (over || total < chars)) {
        chars = 0;
        answer.text = "";
        continue;
      }
      // Counted as the service counts, in code points.
      chars += [...text].length;
      Object.assign(answer, told, { text: answer.text + text });
      answer.settled = chars >= total && wait === null;
      turn.answer = { ...answer };
      this.changed(answer.settled);
      if (answer.settled) return;
      if (chars >= total) await pause(Math.max(wait ?? POLL_MILLISECONDS, document.hidden ? HIDDEN_MILLISECONDS : 0));
    }
  }

  /** Record a check, then look what is believed because of it: beliefs follow the log. */
  private async checked(entry: CheckTurn): Promise<void> {
    const parts = (name: string) => ["subjects", this.subject, name];
    if (!entry.recorded) {
      const reply = await this.api.post<{ episodes: Recorded[] }>(parts("episodes"), { episodes: [entry.episode] }, { "Idempotency-Key": entry.key });
      entry.recorded = reply.episodes[0];
      this.changed();
    }
    for (let look = 0; look < BELIEF_LOOKS && entry.belief === undefined && this.lives(); look++) {
      const { beliefs } = await this.api.get<{ beliefs: Belief[] }>(parts("beliefs"));
      const found = beliefs.find((belief) => belief.history.some((step) => step.episode_id === entry.recorded?.id));
      if (found) entry.belief = found;
      else await pause(BELIEF_MILLISECONDS);
    }
    entry.belief ??= null;
  }

  private lives(): boolean {
    return holds(this.api.session);
  }

  private changed(keep = true): void {
    if (keep && this.lives()) this.keep();
    for (const tell of this.told) tell();
  }

  private keep(): void {
    // What went wrong is found out anew, but for what would be refused again. A full storage keeps less, at last nothing.
    const all = this.entries.filter(({ error }) => !(error instanceof Problem && REFUSED.has(error.status))).map(({ error: _, ...entry }) => entry);
    for (let count = KEPT_ENTRIES; count >= 1; count = Math.floor(count / 2)) {
      const entries = all.slice(-count);
      try {
        return sessionStorage.setItem(this.place, JSON.stringify({ session: this.session, entries }));
      } catch {
        sessionStorage.removeItem(this.place);
      }
    }
  }
}

/** By who is signed in, so that whoever signs in next begins with none. */
const OPEN = new WeakMap<object, Map<string, Conversation>>();

export function conversationOf(api: Api, subject: string): Conversation {
  const place = STORED + JSON.stringify([api.session.tenant, api.session.role, api.whose, subject]);
  const open = OPEN.get(api.session) ?? new Map<string, Conversation>();
  OPEN.set(api.session, open);
  const found = open.get(place) ?? new Conversation(api, subject, place);
  open.set(place, found);
  return found;
}
