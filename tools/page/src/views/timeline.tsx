// The log by day, with its state; an address that names a record shows that one first.
import { useState } from "preact/hooks";
import type { Chain, Episode } from "../api";
import { clock, day, moment, number, percent, t, type Word } from "../i18n";
import { Empty, Said, Shown, Trouble, useLoaded, Waiting } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";

const KINDS = ["question", "answer", "check", "quiz", "taught", "file", "consolidation"] as const;
const KIND_WORDS: Record<string, Word> = Object.fromEntries(KINDS.map((kind) => [kind, `kind_${kind}` as Word]));
const PER_PAGE = 50;

export function kindWord(kind: string): string {
  return KIND_WORDS[kind] ? t(KIND_WORDS[kind]) : kind;
}

export function Timeline({ api, place }: ViewProps) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [kind, setKind] = useState("");
  const chain = useLoaded(() => api.get<Chain>(["subjects", place.subject, "chain"]), []);
  const broken = new Map((chain.value?.breaks ?? []).map((found) => [found.position, found.kind]));
  return (
    <section>
      <h1>{t("timeline")}</h1>
      <Shown loaded={chain}>{(found) => <ChainState chain={found} />}</Shown>
      {place.rest && <One key={place.rest} id={place.rest} {...{ api, place }} />}
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          {t("from")} <input type="date" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <label>
          {t("to")} <input type="date" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
        </label>
        <label>
          {t("kind")}{" "}
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">{t("all_kinds")}</option>
            {KINDS.map((name) => (
              <option key={name} value={name}>
                {kindWord(name)}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Days key={`${from}/${to}/${kind}`} from={from} to={to} kind={kind} broken={broken} {...{ api, place }} />
    </section>
  );
}

function ChainState({ chain }: { chain: Chain }) {
  if (chain.verified && chain.breaks.length === 0) {
    return (
      <p class="note good" role="status">
        {t("chain_good", { n: chain.length, checkpoints: chain.checkpoints_checked })}
        {chain.erased.length > 0 && ` ${t("chain_erased", { n: chain.erased.length })}`}
      </p>
    );
  }
  return (
    <div class="trouble" role="alert">
      <p>{t("chain_broken")}</p>
      <ul>
        {chain.breaks.map((found) => (
          <li key={`${found.position}${found.kind}`}>{t("break_at", { n: found.position, kind: found.kind.replaceAll("_", " ") })}</li>
        ))}
      </ul>
    </div>
  );
}

function One({ id, api, place }: { id: string } & ViewProps) {
  const loaded = useLoaded(() => api.get<Episode>(["subjects", place.subject, "episodes", id]), [id]);
  return (
    <div class="card chosen">
      <div class="row">
        <h2>{t("this_record")}</h2>
        <a href={addressOf(place.subject, "timeline")}>{t("close")}</a>
      </div>
      <Shown loaded={loaded}>{(episode) => <EpisodeShown episode={episode} subject={place.subject} whole />}</Shown>
    </div>
  );
}

type DaysProps = { from: string; to: string; kind: string; broken: Map<number, string> } & ViewProps;

function Days({ api, place, from, to, kind, broken }: DaysProps) {
  const [older, setOlder] = useState<Episode[]>([]);
  const [cursor, setCursor] = useState<string | null | undefined>(undefined);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const query = { from: midnight(from, 0), to: midnight(to, 1), kind, limit: PER_PAGE };
  const page = (at?: string) =>
    api.get<{ episodes: Episode[]; cursor: string | null }>(["subjects", place.subject, "episodes"], { ...query, cursor: at });
  const first = useLoaded(() => page(), []);
  const next = cursor === undefined ? first.value?.cursor : cursor;
  async function more() {
    setBusy(true);
    setError(undefined);
    try {
      const found = await page(next ?? undefined);
      setOlder([...older, ...found.episodes]);
      setCursor(found.cursor);
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  }
  return (
    <Shown loaded={first}>
      {({ episodes }) => {
        const all = [...episodes, ...older];
        if (all.length === 0) return <Empty>{t("timeline_empty")}</Empty>;
        return (
          <>
            {byDay(all).map(([date, those]) => (
              <section class="day" key={date}>
                <h2>{date}</h2>
                <ol class="plain">
                  {those.map((episode) => (
                    <li class={broken.has(episode.position) ? "card broken" : "card"} key={episode.id}>
                      {broken.has(episode.position) && <strong class="bad">{t("break_here", { kind: (broken.get(episode.position) ?? "").replaceAll("_", " ") })}</strong>}
                      <EpisodeShown episode={episode} subject={place.subject} />
                    </li>
                  ))}
                </ol>
              </section>
            ))}
            {error !== undefined && <Trouble error={error} />}
            {busy ? <Waiting /> : next && <button onClick={() => void more()}>{t("more")}</button>}
          </>
        );
      }}
    </Shown>
  );
}

/** The beginning of a day of the reader's, or of a day after it. */
function midnight(date: string, after: number): string {
  if (!date) return "";
  const [year = 0, month = 1, dayOfMonth = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, dayOfMonth + after).toISOString();
}

function byDay(episodes: Episode[]): [string, Episode[]][] {
  const days = new Map<string, Episode[]>();
  for (const episode of episodes) {
    const date = day(episode.occurred_at);
    days.set(date, [...(days.get(date) ?? []), episode]);
  }
  return [...days];
}

export function EpisodeShown({ episode, subject, whole = false }: { episode: Episode; subject: string; whole?: boolean }) {
  const text = episode.text ?? episode.summary;
  return (
    <article class="episode">
      <p class="hint">
        <span class={`kind kind-${episode.kind}`}>{kindWord(episode.kind)}</span> <span dir="ltr">#{number(episode.position)}</span> ·{" "}
        <a href={addressOf(subject, "timeline", episode.id)}>{whole ? moment(episode.occurred_at) : clock(episode.occurred_at)}</a>
        {episode.outcome && (
          <>
            {" · "}
            <strong class={episode.outcome.correct ? "good" : "bad"}>{t(episode.outcome.correct ? "right" : "wrong")}</strong> {percent(episode.outcome.score)}
          </>
        )}
        {episode.topic && (
          <>
            {" · "}
            <Said>{episode.topic}</Said>
          </>
        )}
      </p>
      {text === null ? <p class="empty">{t("erased")}</p> : <p class="said" dir="auto">{whole || text.length < 400 ? text : `${text.slice(0, 400)} …`}</p>}
      {episode.evaluation && (
        <p class="hint" dir="auto">
          {episode.evaluation}
        </p>
      )}
      {episode.annotations
        .filter((note) => note.changed.length > 0)
        .map((note, place) => (
          <p class="warn" key={place}>
            {t("citation_changed", { day: day(note.checked_on) })}
          </p>
        ))}
      {whole && (
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
      )}
    </article>
  );
}
