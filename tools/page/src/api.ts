// The HTTP API as this page uses it; see /v1/openapi.json.
import { here, renewed, runsOutSoon, type Session, type SignIn } from "./session";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly field: string | null,
    /** What the service always calls this kind of problem, such as `not-found`. */
    readonly kind: string | null = null,
  ) {
    super(`${title}: ${detail}`);
  }
}

export interface Asked {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Most look-ups at once. Each more at the same moment may have Lambda start one more function cold, which takes longer. */
const MOST_AT_ONCE = 2;
const queue: (() => void)[] = [];
let running = 0;

async function inTurn<T>(look: () => Promise<T>): Promise<T> {
  if (running < MOST_AT_ONCE) running++;
  else await new Promise<void>((begin) => queue.push(begin));
  try {
    return await look();
  } finally {
    // Whoever is next takes this one's place.
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}

/** One student's memory, as the signed-in person may see it. */
export class Api {
  constructor(
    readonly session: Session,
    readonly student: string | null,
    readonly signIn: SignIn | null,
    readonly signedOut: () => void,
  ) {}

  /** Whose memory this is. */
  get whose(): string {
    return this.student ?? this.session.student ?? "";
  }

  async answer(method: string, parts: string[], asked: Asked = {}): Promise<Response> {
    const url = new URL(`v1/${parts.map(encodeURIComponent).join("/")}`, here());
    for (const [name, value] of Object.entries(asked.query ?? {})) {
      if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
    }
    if (this.student !== null && this.session.role !== "student") url.searchParams.set("student", this.student);
    const body = asked.body === undefined ? null : JSON.stringify(asked.body);
    const send = async () => {
      const headers: Record<string, string> = { Authorization: `Bearer ${this.session.token}`, ...asked.headers };
      if (body !== null) headers["Content-Type"] = "application/json";
      try {
        const ask = () => fetch(url, { method, headers, body });
        return await (method === "GET" ? inTurn(ask) : ask());
      } catch {
        throw new Problem(0, "unreachable", "", null);
      }
    };
    const renew = () => renewed(this.session, this.signIn).catch(() => false);
    if (runsOutSoon(this.session)) await renew();
    let answer = await send();
    if (answer.status === 401 && (await renew())) answer = await send();
    if (answer.ok) return answer;
    if (answer.status === 401) this.signedOut();
    const told = await answer.json().catch(() => ({}));
    const kind = /^urn:anamnesis:problem:([a-z-]+)$/.exec(String(told.type ?? ""))?.[1] ?? null;
    throw new Problem(answer.status, told.title ?? told.message ?? "", told.detail ?? "", told.field ?? null, kind);
  }

  async get<T>(parts: string[], query: Asked["query"] = {}): Promise<T> {
    return (await this.answer("GET", parts, { query })).json();
  }

  async post<T>(parts: string[], body: unknown, headers: Record<string, string> = {}): Promise<T> {
    return (await this.answer("POST", parts, { body, headers })).json();
  }

  /** Every item of a listing, page by page, at most so many pages. */
  async all<T>(parts: string[], items: string, query: Asked["query"] = {}, pages = 40): Promise<T[]> {
    const found: T[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page++) {
      const reply = await this.get<Record<string, unknown>>(parts, { ...query, cursor });
      found.push(...(reply[items] as T[]));
      if (!reply.cursor) break;
      cursor = String(reply.cursor);
    }
    return found;
  }
}

export interface Block {
  block: string | null;
  memory_ids: string[];
  tokens: number;
  intent: "ordinary" | "history" | "none";
  window: { start: string; end: string; phrase: string } | null;
  window_empty: boolean;
  matched: boolean;
  routed: string[];
  degraded: string[];
  dropped: boolean;
  elapsed_ms: number;
}

export interface Recorded {
  id: string;
  position: number;
  hash: string;
  kind: string;
  concepts: string[];
}

export interface Episode {
  id: string;
  position: number;
  kind: string;
  occurred_at: string;
  recorded_at: string;
  summary: string | null;
  text: string | null;
  text_chars: number;
  topic: string | null;
  evaluation: string | null;
  concepts: string[];
  language: string;
  session_id: string | null;
  outcome: { correct: boolean; score: number; concept: string | null; predicted: number | null } | null;
  evidence: { file_id: string; page: number | null }[];
  memory_ids: string[];
  hash: string;
  annotations: { kind: string; result: string; changed: string[]; checked_on: string; grounded_share: number | null }[];
}

export interface Belief {
  id: string;
  concept: string;
  /** What is believed, as the service always calls it, and of which concept by its name. */
  verb: string;
  concept_name: string;
  claim: string;
  confidence: number;
  needs_confirmation: boolean;
  evidence: string[];
  created_at: string;
  superseded_by: string | null;
  history: { at: string; confidence: number; reason: string; episode_id: string | null }[];
}

export interface Concept {
  key: string;
  name: string;
  aliases: string[];
  gist: string;
  definition: string;
  builds_on: string[];
  assumed: string[];
  readiness: number;
  centrality: number;
  sources: { file_id: string; pages: number[] }[];
  taught: string[];
  taught_superseded: string[];
}

export interface CourseFile {
  file_id: string;
  name: string;
  media_type: string;
  bytes: number;
  status: "waiting" | "reading" | "read" | "refused";
  reason: string | null;
  detail: string | null;
  pages: number;
  concepts: string[];
  created_at: string;
  replaced_by: string | null;
  deleted_at: string | null;
}

export interface Chain {
  verified: boolean;
  length: number;
  head: string;
  checkpoints_checked: number;
  breaks: { position: number; kind: string; count: number }[];
  erased: number[];
  not_checked: string[];
}

export interface Checkpoint {
  length: number;
  note: string;
  consistency: string[] | null;
}

export interface SelfModel {
  composed_on: string;
  episodes: number;
  first_occurred_at: string | null;
  last_occurred_at: string | null;
  checks: number;
  checks_tied_to_nothing: number;
  current_beliefs: number;
  beliefs_to_confirm: number;
  oldest_belief_days: number | null;
  citations_holding: number;
  citations_changed: number;
  citations_unverifiable: number;
  citations_unchecked: number;
  chain_verified: boolean | null;
  calibration: Calibration;
}

export interface Calibration {
  predictions: number;
  expected_calibration_error: number | null;
  brier_score: number | null;
  buckets: { lower: number; upper: number; count: number; mean_predicted: number; share_correct: number }[];
  calibrated: boolean;
}

export interface WikiPage {
  revision: { id: string; at: string; message: string };
  path: string;
  title: string;
  text: string;
  citations: { number: number; address: string | null; lines: number[] }[];
}
