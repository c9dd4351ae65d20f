// One record of the log, and what became known of it later.
import { useState } from "preact/hooks";
import type { Api, CourseFile, Episode } from "../api";
import { clock, date, moment, number, percent, runs, t, told } from "../i18n";
import { Said, Trouble } from "../parts";
import { addressOf } from "../routes";

const SHORT_CHARS = 400;

export function kindWord(kind: string): string {
  return told("kind", kind);
}

interface Props {
  episode: Episode;
  subject: string;
  /** With everything that is recorded of it, by itself, and what it takes to fetch more of it. */
  whole?: { api: Api; files: Map<string, CourseFile> } | undefined;
}

export function EpisodeShown({ episode, subject, whole }: Props) {
  const text = episode.text ?? episode.summary;
  return (
    <article class="episode">
      <p class="hint">
        <span class={KINDS.has(episode.kind) ? `kind kind-${episode.kind}` : "kind"}>
          <Said>{kindWord(episode.kind)}</Said>
        </span>{" "}
        <bdi dir="ltr">#{number(episode.position)}</bdi> ·{" "}
        <a href={addressOf(subject, "timeline", episode.id)}>{whole ? moment(episode.occurred_at) : clock(episode.occurred_at)}</a>
        {episode.outcome && (
          <>
            {" · "}
            <strong class={episode.outcome.correct ? "good" : "bad"}>{t(episode.outcome.correct ? "right" : "wrong")}</strong> {percent(episode.outcome.score)}
            {episode.outcome.predicted !== null && ` (${t("predicted", { share: percent(episode.outcome.predicted) })})`}
          </>
        )}
        {episode.topic && (
          <>
            {" · "}
            <Said>{episode.topic}</Said>
          </>
        )}
      </p>
      {text === null ? (
        <p class="empty">{t("erased")}</p>
      ) : whole ? (
        <Text key={episode.id} episode={episode} subject={subject} api={whole.api} />
      ) : (
        <p class="said" dir="auto">
          {text.length < SHORT_CHARS ? text : `${text.slice(0, SHORT_CHARS)} …`}
        </p>
      )}
      {episode.evaluation && (
        <p class="hint" dir="auto">
          {episode.evaluation}
        </p>
      )}
      {episode.annotations.map((note, place) => (
        <Annotation key={place} note={note} subject={subject} />
      ))}
      {whole && <Facts episode={episode} subject={subject} files={whole.files} />}
    </article>
  );
}

const KINDS = new Set(["question", "answer", "check", "quiz", "taught", "file", "consolidation"]);

/** The text; the rest of one that is too long for a reply comes when asked for. */
function Text({ episode, subject, api }: { episode: Episode; subject: string; api: Api }) {
  const [text, setText] = useState(episode.text ?? episode.summary ?? "");
  const [error, setError] = useState<unknown>();
  async function more() {
    setError(undefined);
    try {
      const rest = await api.get<Episode>(["subjects", subject, "episodes", episode.id], { text_from: [...text].length });
      setText(text + (rest.text ?? ""));
    } catch (failed) {
      setError(failed);
    }
  }
  return (
    <>
      <p class="said" dir="auto">
        {text}
      </p>
      {error !== undefined && <Trouble error={error} />}
      {episode.text !== null && [...text].length < episode.text_chars && <button onClick={() => void more()}>{t("more")}</button>}
    </>
  );
}

function Annotation({ note, subject }: { note: Episode["annotations"][number]; subject: string }) {
  const on = { day: date(note.checked_on) };
  if (note.kind === "erasure") return <p class="hint">{t("erased_on", on)}</p>;
  if (note.kind === "grounding") {
    return (
      <p class={note.result === "answered" ? "hint" : "hint warn"}>
        <Said>{told("stance", note.result)}</Said> {note.grounded_share !== null && t("traced_share", { share: percent(note.grounded_share) })}
      </p>
    );
  }
  return (
    <p class={note.result === "changed" ? "hint warn" : "hint"}>
      <Said>{told("verified", note.result, on)}</Said>
      {note.changed.map((id) => (
        <span key={id}>
          {" "}
          <a href={addressOf(subject, "files", id)}>{t("file_that_changed")}</a>
        </span>
      ))}
    </p>
  );
}

function Facts({ episode, subject, files }: { episode: Episode; subject: string; files: Map<string, CourseFile> }) {
  const pages = new Map<string, number[]>();
  for (const cited of episode.evidence) pages.set(cited.file_id, [...(pages.get(cited.file_id) ?? []), ...(cited.page === null ? [] : [cited.page])]);
  return (
    <dl class="facts">
      {episode.concepts.length > 0 && (
        <div>
          <dt>{t("concepts")}</dt>
          <dd>
            {episode.concepts.map((key) => (
              <a class="tag" key={key} dir="auto" href={addressOf(subject, "map", key)}>
                {key}
              </a>
            ))}
          </dd>
        </div>
      )}
      {pages.size > 0 && (
        <div>
          <dt>{t("cites")}</dt>
          <dd>
            {[...pages].map(([id, on]) => (
              <span class="cited" key={id}>
                <a href={addressOf(subject, "files", id)} dir="auto">
                  {files.get(id)?.name || t("file_gone_name")}
                </a>{" "}
                {on.length > 0 && t("on_pages", { pages: runs(on) })}
              </span>
            ))}
          </dd>
        </div>
      )}
      {episode.memory_ids.length > 0 && (
        <div>
          <dt>{t("memories")}</dt>
          <dd>
            {episode.memory_ids.map((id, place) => (
              <a class="tag" key={id} href={addressOf(subject, "timeline", id)}>
                {number(place + 1)}
              </a>
            ))}
          </dd>
        </div>
      )}
      {episode.session_id && (
        <div>
          <dt>{t("session")}</dt>
          <dd>
            <Said>{episode.session_id}</Said>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("recorded_at")}</dt>
        <dd>{moment(episode.recorded_at)}</dd>
      </div>
      <div>
        <dt>{t("hash")}</dt>
        <dd>
          <code>{episode.hash}</code>
        </dd>
      </div>
    </dl>
  );
}
