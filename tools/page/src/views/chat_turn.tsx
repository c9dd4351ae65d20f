// One turn: what was asked, what was answered or why nothing was, and beside it where that comes from.
import { useState } from "preact/hooks";
import type { Answer, EarlierTurn, Turn } from "../answers";
import { t, told } from "../i18n";
import { Markdown, NOWHERE } from "../markdown";
import { Around, Said, Trouble, Waiting } from "../parts";
import { addressOf } from "../routes";
import { BlockShown, PassagesShown } from "./chat_block";
import { Provenance } from "./chat_provenance";

interface Props {
  turn: Turn;
  subject: string;
  again: () => void;
}

export function TurnShown({ turn, subject, again }: Props) {
  const { started, answer } = turn;
  const block = started?.block ?? turn.block;
  const answered = !!started?.answer_id;
  // Until there is an answer to read, the block is what there is.
  const begun = answered && (answer?.text ?? "") !== "";
  return (
    <>
      <p class="bubble">
        <Said>{turn.asked.question}</Said>
      </p>
      {started && (
        <p class="hint asked">
          {t(started.question.kind === "taught" ? "recorded_taught" : "recorded", { n: started.question.position })}{" "}
          <a href={addressOf(subject, "timeline", started.question.id)}>{t("open_episode")}</a>
        </p>
      )}
      {started?.status === "no-model" && <p class="note">{t("no_model")}</p>}
      {block && (
        <div class={answered ? "answered" : ""}>
          {answered && <AnswerShown answer={answer} model={answer?.model ?? started?.model ?? null} subject={subject} again={again} />}
          <aside class="card behind" aria-label={t("where_from")}>
            {answer?.status === "done" && <Provenance answer={answer} subject={subject} />}
            <Disclosed at={!begun} summary={<BlockShown.Summary block={block} />} kind="block">
              <BlockShown block={block} subject={subject} />
            </Disclosed>
            {started && (
              <Disclosed at={!answered} summary={<PassagesShown.Summary passages={started.passages} />} kind="passages">
                <PassagesShown passages={started.passages} subject={subject} />
              </Disclosed>
            )}
            {(started?.earlier ?? []).length > 0 && (
              <Disclosed at={false} summary={t("earlier_turns", { n: started?.earlier?.length ?? 0 })} kind="earlier">
                <EarlierShown turns={started?.earlier ?? []} />
              </Disclosed>
            )}
          </aside>
        </div>
      )}
      {turn.error !== undefined && <Trouble error={turn.error} again={again} />}
      {!block && turn.error === undefined && <Waiting />}
    </>
  );
}

/** The conversation as the model was told it. */
function EarlierShown({ turns }: { turns: EarlierTurn[] }) {
  return (
    <ol>
      {turns.map((turn, place) => (
        <li key={place}>
          <p class="said" dir="auto">
            {turn.question}
          </p>
          {turn.answer !== null && (
            <blockquote class="said" dir="auto">
              {turn.answer}
            </blockquote>
          )}
        </li>
      ))}
    </ol>
  );
}

function AnswerShown({ answer, model, subject, again }: { answer: Answer | undefined; model: string | null; subject: string; again: () => void }) {
  const text = answer?.text ?? "";
  const status = answer?.status ?? "waiting";
  const growing = status === "waiting" || status === "writing";
  return (
    <article class={`card answer ${growing ? "growing" : ""}`} aria-label={t("answer")} aria-busy={growing}>
      {status === "failed" && <Failed reason={answer?.reason ?? ""} again={again} />}
      {status === "failed" && text !== "" && <p class="hint">{t("before_it_stopped")}</p>}
      {text === "" && growing ? <p class="hint pending">{t("answer_waiting")}</p> : <Markdown text={text} links={NOWHERE} />}
      {!growing && (
        <p class="hint">
          {model && (
            <>
              {t("model")}: <Said>{model}</Said>
            </>
          )}
          {answer?.usage && <> · {t("model_tokens", { in: answer.usage.input_tokens, out: answer.usage.output_tokens })}</>}
          {answer?.answer && (
            <>
              {" "}
              · <a href={addressOf(subject, "timeline", answer.answer.id)}>{t("open_episode")}</a>
            </>
          )}
        </p>
      )}
    </article>
  );
}

function Failed({ reason, again }: { reason: string; again: () => void }) {
  const why = told("failed", reason);
  return (
    <div class="trouble" role="alert">
      <p>
        {t("answer_failed")} {why !== reason ? why : <Around word="failed_other" reason={<Said>{reason}</Said>} />}
      </p>
      <button onClick={again}>{t("try_again")}</button>
    </div>
  );
}

interface DisclosedProps {
  /** Whether it is open until somebody decides. */
  at: boolean;
  kind: string;
  summary: preact.ComponentChildren;
  children: preact.ComponentChildren;
}

/** Opens and closes by itself until it is touched: nothing closes under one's eyes while one reads in it. */
export function Disclosed({ at, kind, summary, children }: DisclosedProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? at;
  const reading = () => chosen === null && setChosen(open);
  return (
    <details class={`more ${kind}`} open={open}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!open);
        }}
      >
        {summary}
      </summary>
      {open && (
        <div onPointerDown={reading} onFocusIn={reading} onWheel={reading}>
          {children}
        </div>
      )}
    </details>
  );
}
