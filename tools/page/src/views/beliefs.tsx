// What is believed now, and how each belief came about.
import { useState } from "preact/hooks";
import type { Belief } from "../api";
import { day, number, percent, t, told, type Word } from "../i18n";
import { Around, Empty, Meter, Said, Shown, useLoaded } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";

/** The words of a claim, and those of one that is held below even odds: said no more surely than it is held. */
const CLAIMS: Record<string, [Word, Word]> = {
  understands: ["claim_understands", "claim_may_understand"],
  "struggles with": ["claim_struggles_with", "claim_may_struggle_with"],
};
const EVEN_ODDS = 0.5;

export function Beliefs({ api, place }: ViewProps) {
  const [all, setAll] = useState(false);
  const loaded = useLoaded(
    () => api.get<{ beliefs: Belief[] }>(["subjects", place.subject, "beliefs"], all ? { history: "true" } : {}),
    [all],
  );
  return (
    <section>
      <h1>{t("beliefs_title")}</h1>
      <label class="choice">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> {t("beliefs_all")}
      </label>
      <Shown loaded={loaded}>
        {({ beliefs }) =>
          beliefs.length === 0 ? (
            <Empty>{t("beliefs_empty")}</Empty>
          ) : (
            <ul class="plain">
              {sorted(beliefs).map((belief) => (
                <li class={belief.superseded_by ? "card gone" : "card"} key={belief.id}>
                  <BeliefShown belief={belief} {...{ api, place }} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

/** What is held and least sure first, since that is what a tutor works on; what was superseded last. */
function sorted(beliefs: Belief[]): Belief[] {
  const rank = (belief: Belief) => (belief.superseded_by ? 2 : belief.verb === "understands" ? 1 : 0);
  return [...beliefs].sort((a, b) => rank(a) - rank(b) || b.confidence - a.confidence);
}

/** A claim in this language, the concept by its name. */
export function Claim({ belief }: { belief: Belief }) {
  const word = CLAIMS[belief.verb]?.[belief.confidence < EVEN_ODDS ? 1 : 0];
  return word ? <Around word={word} concept={<Said>{belief.concept_name}</Said>} /> : <Said>{belief.claim}</Said>;
}

function BeliefShown({ belief, api, place }: { belief: Belief } & ViewProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div class="row">
        <h2>
          <Claim belief={belief} />
        </h2>
        <span class="measure">
          {t("confidence")} <Meter value={belief.confidence} label={t("confidence")} /> {percent(belief.confidence)}
        </span>
      </div>
      <p class="hint">
        {t("since", { day: day(belief.created_at) })} · <a href={addressOf(place.subject, "map", belief.concept)}>{t("concept_on_map")}</a>
        {belief.needs_confirmation && <strong class="warn"> · {t("needs_confirmation")}</strong>}
        {belief.superseded_by && <strong> · {t("superseded")}</strong>}
      </p>
      <button aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? "hide_chain" : "show_chain")}
      </button>
      {open && <BeliefChain id={belief.id} {...{ api, place }} />}
    </>
  );
}

function BeliefChain({ id, api, place }: { id: string } & ViewProps) {
  const loaded = useLoaded(() => api.get<{ beliefs: Belief[] }>(["subjects", place.subject, "beliefs", id, "history"]), [id]);
  return (
    <Shown loaded={loaded}>
      {({ beliefs }) => (
        <ol class="chain">
          {beliefs.map((belief) => (
            <li key={belief.id}>
              <h3>
                <Claim belief={belief} />
                {!belief.superseded_by && <span class="kind">{t("believed_now_mark")}</span>}
              </h3>
              <ul>
                {belief.history.map((step, place_in_chain) => (
                  <li key={place_in_chain}>
                    {day(step.at)} · {percent(step.confidence)} · <Said>{told("reason", step.reason)}</Said>
                    {step.episode_id && (
                      <>
                        {" · "}
                        <a href={addressOf(place.subject, "timeline", step.episode_id)}>{t("open_episode")}</a>
                      </>
                    )}
                  </li>
                ))}
              </ul>
              <Evidence belief={belief} subject={place.subject} />
              {belief.superseded_by && <p class="hint">{t("replaced_in_chain")}</p>}
            </li>
          ))}
        </ol>
      )}
    </Shown>
  );
}

/** Records behind a belief that no step of it names, such as those of rows that were derived anew. */
function Evidence({ belief, subject }: { belief: Belief; subject: string }) {
  const named = new Set(belief.history.map((step) => step.episode_id));
  const others = belief.evidence.filter((id) => !named.has(id));
  if (others.length === 0) return null;
  return (
    <p class="hint">
      {t("rests_on")}:{" "}
      {others.map((id, place) => (
        <a class="tag" key={id} href={addressOf(subject, "timeline", id)}>
          {number(place + 1)}
        </a>
      ))}
    </p>
  );
}
