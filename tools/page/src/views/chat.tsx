// A turn as a tutor makes it: the block is asked for, then the question is recorded. Without a model there is no answer.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Block, Recorded } from "../api";
import { moment, number, t, type Word } from "../i18n";
import { Said, Trouble, Waiting } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";

interface Turn {
  key: string;
  question: string;
  at: string;
  block?: Block;
  recorded?: Recorded;
  error?: unknown;
}

/** The turns of this tab by whose memory and which subject, so that another view does not end a conversation. */
const CONVERSATIONS = new Map<string, { session: string; turns: Turn[] }>();

/** Now, by the student's own clock: its offset tells which day it is for them. */
function now(): string {
  const at = new Date();
  const minutes = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const pad = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}

export function Chat({ api, place }: ViewProps) {
  const where = JSON.stringify([api.session.tenant, api.whose, place.subject]);
  const [conversation] = useState(() => CONVERSATIONS.get(where) ?? { session: `page-${crypto.randomUUID()}`, turns: [] as Turn[] });
  // Others than the student only look: what they ask is nothing that the student asked.
  const records = api.session.role === "student";
  const [, redraw] = useState(0);
  const [question, setQuestion] = useState("");
  const [busy, setBusy] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  CONVERSATIONS.set(where, conversation);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [conversation.turns.length, busy]);

  async function work(turn: Turn): Promise<void> {
    setBusy(true);
    delete turn.error;
    try {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
      turn.block ??= await api.post<Block>(["subjects", place.subject, "block"], { question: turn.question, time_zone: zone });
      redraw(Math.random());
      if (!records) return setBusy(false);
      const episode = { kind: "question", occurred_at: turn.at, text: turn.question, session_id: conversation.session, memory_ids: turn.block.memory_ids };
      const reply = await api.post<{ episodes: Recorded[] }>(
        ["subjects", place.subject, "episodes"],
        { episodes: [episode] },
        { "Idempotency-Key": turn.key },
      );
      turn.recorded = reply.episodes[0];
    } catch (error) {
      turn.error = error;
    }
    setBusy(false);
  }

  function ask(): void {
    if (!question.trim() || busy) return;
    const turn: Turn = { key: `page-${crypto.randomUUID()}`, question: question.trim(), at: now() };
    conversation.turns.push(turn);
    setQuestion("");
    void work(turn);
  }

  return (
    <section class="chat">
      <h1 class="quiet">{t("chat")}</h1>
      <p class="note">
        {t("no_model")} {t(records ? "is_recorded" : "not_recorded")}
      </p>
      {conversation.turns.length === 0 && <p class="empty">{t("chat_empty")}</p>}
      <ol class="turns" aria-live="polite">
        {conversation.turns.map((turn) => (
          <li key={turn.key}>
            <p class="bubble">
              <Said>{turn.question}</Said>
            </p>
            {turn.block && <BlockShown block={turn.block} subject={place.subject} />}
            {turn.recorded && (
              <p class="hint">
                {t(turn.recorded.kind === "taught" ? "recorded_taught" : "recorded", { n: turn.recorded.position })}{" "}
                <a href={addressOf(place.subject, "timeline", turn.recorded.id)}>{t("open_episode")}</a>
              </p>
            )}
            {turn.error !== undefined && <Trouble error={turn.error} again={() => void work(turn)} />}
            {!(records ? turn.recorded : turn.block) && turn.error === undefined && <Waiting />}
          </li>
        ))}
      </ol>
      <div ref={end} />
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <label class="quiet" for="question">
          {t("question")}
        </label>
        <textarea
          id="question"
          dir="auto"
          rows={2}
          placeholder={t("question_hint")}
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              ask();
            }
          }}
        />
        <button class="main" disabled={busy}>
          {t("ask")}
        </button>
      </form>
    </section>
  );
}

const INTENTS: Record<Block["intent"], Word> = { ordinary: "intent_ordinary", history: "intent_history", none: "intent_none" };

function BlockShown({ block, subject }: { block: Block; subject: string }) {
  return (
    <article class="card block">
      <h2>{t("the_block")}</h2>
      <dl class="facts">
        <Fact name={t("tokens")}>{number(block.tokens)}</Fact>
        <Fact name={t("took")}>{t("milliseconds", { n: Math.round(block.elapsed_ms) })}</Fact>
        <Fact name={t("intent")}>{t(INTENTS[block.intent])}</Fact>
        {block.window && (
          <Fact name={t("window")}>
            <Said>{`“${block.window.phrase}”`}</Said> {moment(block.window.start)} – {moment(block.window.end)}
            {block.window_empty && <em> {t("window_empty")}</em>}
          </Fact>
        )}
        {block.routed.length > 0 && (
          <Fact name={t("concepts")}>
            {block.routed.map((key) => (
              <a class="tag" key={key} href={addressOf(subject, "map", key)} dir="auto">
                {key}
              </a>
            ))}
          </Fact>
        )}
        <Fact name={t("memories")}>{block.memory_ids.length === 0 ? t("none") : <Memories ids={block.memory_ids} subject={subject} />}</Fact>
        {block.degraded.length > 0 && (
          <Fact name={t("left_out")}>
            <strong class="warn">{block.degraded.join(", ")}</strong>
          </Fact>
        )}
      </dl>
      {block.dropped && <p class="trouble">{t("dropped")}</p>}
      {block.block === null ? !block.dropped && <p class="empty">{t("no_block")}</p> : <pre class="memory" dir="auto" tabIndex={0}>{block.block}</pre>}
    </article>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Memories({ ids, subject }: { ids: string[]; subject: string }) {
  return (
    <details>
      <summary>{number(ids.length)}</summary>
      {ids.map((id, place) => (
        <a class="tag" key={id} href={addressOf(subject, "timeline", id)}>
          {number(place + 1)}
        </a>
      ))}
    </details>
  );
}
