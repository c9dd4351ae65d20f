// A check that was made in a conversation: a form that records one, and what is believed because of it.
import { useRef, useState } from "preact/hooks";
import type { CheckTurn, Conversation } from "../answers";
import type { Concept } from "../api";
import { percent, t } from "../i18n";
import { Said, Trouble, useLoaded, Waiting } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";
import { Claim } from "./beliefs";

export function CheckForm({ conversation, ...view }: { conversation: Conversation } & ViewProps) {
  const [open, setOpen] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const sent: Sent = (...check) => {
    conversation.check(...check);
    setOpen(false);
    summary.current?.focus();
  };
  return (
    <details class="more check" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary}>{t("check_record")}</summary>
      {open && <Fields {...view} sent={sent} />}
    </details>
  );
}

type Sent = (...check: Parameters<Conversation["check"]>) => void;

function Fields({ api, place, sent }: { sent: Sent } & ViewProps) {
  const [concept, setConcept] = useState("");
  const [question, setQuestion] = useState("");
  const [result, setResult] = useState("");
  const [score, setScore] = useState("");
  // Names to choose from; without them one types.
  const known = useLoaded(() => api.all<Concept>(["subjects", place.subject, "map"], "concepts"), []).value ?? [];
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (concept.trim() && question.trim()) sent(concept.trim(), question.trim(), result === "right", score === "" ? null : Number(score));
      }}
    >
      <p class="hint">{t("check_hint")}</p>
      <div class="fields">
        <label>
          <span>{t("check_concept")}</span>
          <input required list="check-concepts" dir="auto" maxLength={2000} value={concept} onInput={(event) => setConcept(event.currentTarget.value)} />
        </label>
        <datalist id="check-concepts">
          {known.map(({ key, name }) => (
            <option key={key} value={name} />
          ))}
        </datalist>
        <label class="wide">
          <span>{t("check_question")}</span>
          <input required dir="auto" maxLength={20000} value={question} onInput={(event) => setQuestion(event.currentTarget.value)} />
        </label>
        <fieldset>
          <legend>{t("check_result")}</legend>
          {(["right", "wrong"] as const).map((name) => (
            <label class="choice" key={name}>
              <input required type="radio" name="check-result" checked={result === name} onChange={() => setResult(name)} /> {t(name)}
            </label>
          ))}
        </fieldset>
        <label>
          <span>{t("check_score")}</span>
          <input type="number" min="0" max="1" step="any" value={score} onInput={(event) => setScore(event.currentTarget.value)} />
        </label>
      </div>
      <button class="main">{t("check_send")}</button>
    </form>
  );
}

export function CheckShown({ entry, subject, again }: { entry: CheckTurn; subject: string; again: () => void }) {
  const { episode, recorded, belief, error } = entry;
  return (
    <article class="card checked">
      <p>
        <span class="kind kind-check">{t("kind_check")}</span> <Said>{episode.topic}</Said> ·{" "}
        <strong class={episode.correct ? "good" : "bad"}>{t(episode.correct ? "right" : "wrong")}</strong>
        {episode.score !== undefined && ` ${percent(episode.score)}`}
      </p>
      <p class="said" dir="auto">
        {episode.text}
      </p>
      {recorded ? (
        <>
          <p class="hint">
            {t("check_recorded", { n: recorded.position })} <a href={addressOf(subject, "timeline", recorded.id)}>{t("open_episode")}</a>
          </p>
          {error === undefined && (
            <p role="status">
              {belief === undefined && <span class="hint">{t("believed_looking")}</span>}
              {belief && (
                <>
                  {t("believed_now")} <strong><Claim belief={belief} /></strong> {percent(belief.confidence)} ·{" "}
                </>
              )}
              {belief === null && <span class="hint">{t(recorded.concepts.length > 0 ? "believed_later" : "believed_nothing")} </span>}
              {belief !== undefined && <a href={addressOf(subject, "beliefs", belief?.id)}>{t("all_beliefs")}</a>}
            </p>
          )}
        </>
      ) : (
        error === undefined && <Waiting />
      )}
      {error !== undefined && <Trouble error={error} again={again} />}
    </article>
  );
}
