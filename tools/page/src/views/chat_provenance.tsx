// Where each claim of an answer comes from, and whether the answer answered.
import type { Answer, Claim } from "../answers";
import { moment, percent, t, told } from "../i18n";
import { MarkdownLine, NOWHERE } from "../markdown";
import { Meter, Said } from "../parts";
import { addressOf } from "../routes";
import { kindWord } from "./episode";

export function Provenance({ answer, subject }: { answer: Answer; subject: string }) {
  const found = answer.grounding;
  if (!found) return <p class="hint">{t(answer.settled ? "where_from_unknown" : "where_from_waiting")}</p>;
  const traced = found.claims.filter((claim) => claim.source).length;
  return (
    <details class="more provenance">
      <summary>
        {t("where_from")}{" "}
        <span class="hint">
          {found.claims.length === 0 ? (
            t("claims_none")
          ) : (
            <>
              {t("claims_traced", { traced, n: found.claims.length, share: percent(found.grounded_share) })}{" "}
              <Meter value={found.grounded_share} label={percent(found.grounded_share)} />
            </>
          )}
        </span>
        {found.claims.length > 0 && <span class={found.stance === "answered" ? "stance good" : "stance warn"}>{found.mostly_ungrounded && found.stance !== "could_not" ? t("mostly_ungrounded") : told("stance", found.stance)}</span>}
      </summary>
      <ol class="claims">
        {found.claims.map((claim, place) => (
          <li key={place} class={claim.source ? "" : "sourceless"}>
            <p class="said" dir="auto">
              <MarkdownLine text={claim.text} links={NOWHERE} />
            </p>
            <SourceShown claim={claim} subject={subject} />
          </li>
        ))}
      </ol>
      {(found.claims_not_searched ?? 0) > 0 && <p class="hint warn">{t("claims_not_searched", { n: found.claims_not_searched ?? 0 })}</p>}
      {(found.files_not_searched ?? 0) > 0 && <p class="hint warn">{t("files_not_searched", { n: found.files_not_searched ?? 0 })}</p>}
    </details>
  );
}

function SourceShown({ claim, subject }: { claim: Claim; subject: string }) {
  const { source } = claim;
  if (!source) {
    return (
      <p class="hint">
        <strong class="warn">{t("no_source")}</strong>: <Said>{told("lacks", claim.problem ?? "nothing")}</Said>
      </p>
    );
  }
  return (
    <>
      <blockquote class="said" dir="auto">
        {source.quote}
      </blockquote>
      <p class="hint">
        {source.kind === "file" ? (
          <>
            <a href={addressOf(subject, "files", source.file_id)}>
              <Said>{source.file}</Said>
            </a>{" "}
            · {t("source_page", { page: source.page })} · {t("source_line", { line: source.line })}
            {!source.same_language && <> · {t("other_language")}</>}
          </>
        ) : (
          <>
            <span class="kind">
              <Said>{source.kind === "belief" ? t("source_belief") : kindWord(source.memory)}</Said>
            </span> {moment(source.occurred_at)}
            {source.episode_id && (
              <>
                {" "}
                · <a href={addressOf(subject, "timeline", source.episode_id)}>{t("open_episode")}</a>
              </>
            )}
            {source.kind === "belief" && (
              <>
                {" "}
                · <a href={addressOf(subject, "beliefs")}>{t("beliefs")}</a>
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}
