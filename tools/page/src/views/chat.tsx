// A conversation with a memory: what is asked and what comes of it, and checks.
import { useEffect, useRef, useState } from "preact/hooks";
import { conversationOf, isOver, type Entry } from "../answers";
import { t, type Word } from "../i18n";
import { Empty } from "../parts";
import type { ViewProps } from ".";
import { CheckForm, CheckShown } from "./chat_check";
import { TurnShown } from "./chat_turn";
import "./chat.css";

export function Chat({ api, place }: ViewProps) {
  // Others than the student only look: what they ask is nothing that the student asked.
  const records = api.session.role === "student";
  const [conversation] = useState(() => conversationOf(api, place.subject));
  const [, redraw] = useState({});
  const last = useRef<HTMLLIElement>(null);
  const { entries } = conversation;
  useEffect(() => {
    const end = conversation.listen(() => redraw({}));
    // Something may have come between what is drawn and this.
    redraw({});
    return end;
  }, []);
  // What is new begins at the top, and grows below where one reads.
  useEffect(() => last.current?.scrollIntoView({ block: "start" }), [entries.length]);
  return (
    <section class="chat">
      <h1 class="quiet">{t("chat")}</h1>
      <p class="note">{t(records ? "is_recorded" : "not_recorded")}</p>
      {entries.length === 0 && <Empty>{t("chat_empty")}</Empty>}
      <ol class="turns">
        {entries.map((entry, position) => (
          <li key={entry.key} ref={position === entries.length - 1 ? last : undefined}>
            {entry.kind === "turn" ? (
              <TurnShown turn={entry} subject={place.subject} again={() => conversation.again(entry)} />
            ) : (
              <CheckShown entry={entry} subject={place.subject} again={() => conversation.again(entry)} />
            )}
          </li>
        ))}
      </ol>
      <p class="quiet" role="status">
        {state(entries[entries.length - 1])}
      </p>
      {records && <CheckForm conversation={conversation} {...{ api, place }} />}
      <Ask asked={(question) => conversation.ask(question)} busy={entries.some(isBeingAsked)} />
    </section>
  );
}

function isBeingAsked(entry: Entry): boolean {
  return entry.kind === "turn" && !entry.started && !entry.block && entry.error === undefined;
}

const STATES: Record<string, Word> = { waiting: "answer_waiting", writing: "answer_writing", done: "answer_done" };

/** How far the last answer is, for those who do not see it grow. */
function state(entry: Entry | undefined): string {
  if (entry?.kind !== "turn" || entry.error !== undefined) return "";
  const word = STATES[entry.answer?.status ?? (entry.started && !isOver(entry) ? "waiting" : "")];
  return word ? t(word) : "";
}

function Ask({ asked, busy }: { asked: (question: string) => void; busy: boolean }) {
  const [question, setQuestion] = useState("");
  function ask(): void {
    if (!question.trim() || busy) return;
    asked(question.trim());
    setQuestion("");
  }
  return (
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
        dir={question ? "auto" : undefined}
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
  );
}
