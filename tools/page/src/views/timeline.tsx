// The log by day, with its state; an address that names a record shows that one first.
import { useState } from "preact/hooks";
import type { Block, Chain, CourseFile, Episode } from "../api";
import { date, day, number, t, told } from "../i18n";
import { Around, Empty, Said, Shown, Trouble, useLoaded, useShown, Waiting, zone } from "../parts";
import { addressOf } from "../routes";
import { ChainState, Checkpoints } from "./chain";
import { EpisodeShown, kindWord } from "./episode";
import type { ViewProps } from ".";

export { kindWord };

const KINDS = ["question", "answer", "check", "quiz", "taught", "file", "consolidation"] as const;
const PER_PAGE = 50;
const MOST_PER_PAGE = 200;

interface Filters {
  from: string;
  to: string;
  kind: string;
  changed: boolean;
}

const EVERYTHING: Filters = { from: "", to: "", kind: "", changed: false };

export function Timeline({ api, place }: ViewProps) {
  const [filters, setFilters] = useState(EVERYTHING);
  const [wanted, setWanted] = useState({ position: 0 });
  const chain = useLoaded(() => api.get<Chain>(["subjects", place.subject, "chain"]), []);
  const show = (position: number) => {
    setFilters(EVERYTHING);
    setWanted({ position });
  };
  return (
    <section>
      <h1>{t("timeline")}</h1>
      <Shown loaded={chain}>
        {(found) => found.length === 0 && found.verified ? null : (
          <>
            <ChainState chain={found} show={show} />
            <Checkpoints chain={found} api={api} subject={place.subject} />
          </>
        )}
      </Shown>
      {place.rest && <One key={place.rest} id={place.rest} {...{ api, place }} />}
      <Phrase {...{ api, place }} found={(from, to) => setFilters({ ...filters, from, to })} />
      <Choices filters={filters} changed={(more) => setFilters({ ...filters, ...more })} />
      <Days key={JSON.stringify(filters)} filters={filters} breaks={chain.value?.breaks ?? []} wanted={wanted} {...{ api, place }} />
    </section>
  );
}

function Choices({ filters, changed }: { filters: Filters; changed: (more: Partial<Filters>) => void }) {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t("from")} <input type="date" value={filters.from} onInput={(event) => changed({ from: event.currentTarget.value })} />
      </label>
      <label>
        {t("to")} <input type="date" value={filters.to} onInput={(event) => changed({ to: event.currentTarget.value })} />
      </label>
      <label>
        {t("kind")}{" "}
        <select value={filters.kind} onChange={(event) => changed({ kind: event.currentTarget.value })}>
          <option value="">{t("all_kinds")}</option>
          {KINDS.map((name) => (
            <option key={name} value={name}>
              {kindWord(name)}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <input type="checkbox" checked={filters.changed} onChange={(event) => changed({ changed: event.currentTarget.checked })} /> {t("only_changed")}
      </label>
      {JSON.stringify(filters) !== JSON.stringify(EVERYTHING) && <button onClick={() => changed(EVERYTHING)}>{t("clear_filters")}</button>}
    </form>
  );
}

/** A time in words, as the turn's own reading understands it: the block of such a question says which time it is about. */
function Phrase({ api, place, found }: { found: (from: string, to: string) => void } & ViewProps) {
  const [phrase, setPhrase] = useState("");
  const [understood, setUnderstood] = useState<{ phrase: string; window: Block["window"] }>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  async function search() {
    const asked = phrase.trim();
    if (!asked || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const { window } = await api.post<Block>(["subjects", place.subject, "block"], { question: asked, time_zone: zone() });
      setUnderstood({ phrase: asked, window });
      if (window) found(...daysOf(window));
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  }
  return (
    <form
      class="phrase"
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <label>
        {t("phrase")}{" "}
        <input type="search" dir="auto" maxLength={200} placeholder={t("phrase_hint")} value={phrase} onInput={(event) => setPhrase(event.currentTarget.value)} />
      </label>
      <button disabled={busy}>{t("find")}</button>
      <div role="status" class="hint">
        {busy && t("loading")}
        {!busy && understood && <Understood {...understood} />}
      </div>
      {error !== undefined && <Trouble error={error} />}
    </form>
  );
}

function Understood({ phrase, window }: { phrase: string; window: Block["window"] }) {
  if (!window) return <Around word="phrase_unknown" phrase={<Said>{phrase}</Said>} />;
  const [from, to] = daysOf(window).map(date);
  return <Around word="phrase_means" phrase={<Said>{window.phrase}</Said>} span={from === to ? from : `${from} – ${to}`} />;
}

/** A window's first and last day; its ends are said in the reader's zone. */
function daysOf(window: { start: string; end: string }): [string, string] {
  const last = new Date(Date.parse(window.end) - 1);
  const pad = (part: number, length = 2) => String(part).padStart(length, "0");
  return [window.start.slice(0, 10), `${pad(last.getFullYear(), 4)}-${pad(last.getMonth() + 1)}-${pad(last.getDate())}`];
}

function One({ id, api, place }: { id: string } & ViewProps) {
  const loaded = useLoaded(async () => {
    const episode = await api.get<Episode>(["subjects", place.subject, "episodes", id]);
    const cites = episode.evidence.length > 0;
    const { files } = cites ? await api.get<{ files: CourseFile[] }>(["subjects", place.subject, "files"]) : { files: [] };
    return { episode, files: new Map(files.map((file) => [file.file_id, file])) };
  }, [id]);
  const element = useShown<HTMLDivElement>(true);
  return (
    <div class="card chosen" tabIndex={-1} ref={element}>
      <div class="row">
        <h2>{t("this_record")}</h2>
        <a href={addressOf(place.subject, "timeline")}>{t("close")}</a>
      </div>
      <Shown loaded={loaded}>{({ episode, files }) => <EpisodeShown episode={episode} subject={place.subject} whole={{ api, files }} />}</Shown>
    </div>
  );
}

type Breaks = Chain["breaks"];
/** The place of the log that somebody asked to see; anew with each time of asking. */
type Wanted = { position: number };
type DaysProps = { filters: Filters; breaks: Breaks; wanted: Wanted } & ViewProps;

function Days({ api, place, filters, breaks, wanted }: DaysProps) {
  const [older, setOlder] = useState<Episode[]>([]);
  const [cursor, setCursor] = useState<string | null | undefined>(undefined);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const parts = ["subjects", place.subject, "episodes"];
  const query = { from: midnight(filters.from, 0), to: midnight(filters.to, 1), kind: filters.kind };
  const page = (at: string | undefined, limit = PER_PAGE) => api.get<{ episodes: Episode[]; cursor: string | null }>(parts, { ...query, limit, cursor: at });
  const first = useLoaded(async () => {
    if (filters.changed) return { episodes: (await api.all<Episode>(parts, "episodes", { ...query, limit: MOST_PER_PAGE })).filter(citesOtherwise), cursor: null };
    const found = await page(undefined, wanted.position ? MOST_PER_PAGE : PER_PAGE);
    // Whoever wants to see a place of the log gets as much of it as that takes.
    for (let last = found; wanted.position && last.cursor && !last.episodes.some((episode) => episode.position >= wanted.position); ) {
      last = await page(last.cursor, MOST_PER_PAGE);
      found.episodes.push(...last.episodes);
      found.cursor = last.cursor;
    }
    return found;
  }, [wanted]);
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
        const filtered = JSON.stringify(filters) !== JSON.stringify(EVERYTHING);
        if (all.length === 0) return <Empty>{t(filtered ? "nothing_in_filter" : "timeline_empty")}</Empty>;
        const placed = placedBreaks(all, filtered || next ? breaks.filter((found) => all.some((one) => one.position === found.position)) : breaks);
        return (
          <>
            {byDay(all).map(([name, those]) => (
              <section class="day" key={name}>
                <h2>{name}</h2>
                <ol class="plain">
                  {those.map((episode) => (
                    <Entry key={episode.id} episode={episode} breaks={placed.get(episode.position) ?? []} wanted={wanted.position} subject={place.subject} />
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

function citesOtherwise(episode: Episode): boolean {
  return episode.annotations.some((note) => note.kind === "verification" && note.result === "changed");
}

/** Breaks by the record that they are shown at: their own, or where theirs is not there the last one before it. */
function placedBreaks(shown: Episode[], breaks: Breaks): Map<number, Breaks> {
  const positions = shown.map((episode) => episode.position).sort((a, b) => a - b);
  const placed = new Map<number, Breaks>();
  for (const found of breaks) {
    const at = positions.filter((position) => position <= found.position).pop() ?? positions[0];
    if (at !== undefined) placed.set(at, [...(placed.get(at) ?? []), found]);
  }
  return placed;
}

function Entry({ episode, breaks, wanted, subject }: { episode: Episode; breaks: Breaks; wanted: number; subject: string }) {
  const here = breaks.filter((found) => found.position === episode.position);
  const element = useShown<HTMLLIElement>(episode.position === wanted, "center");
  return (
    <>
      <li class={here.length > 0 ? "card broken" : "card"} tabIndex={-1} ref={element}>
        {here.map((found) => (
          <p class="bad" key={found.kind}>
            <strong>{t("break_here", { kind: told("broken", found.kind) })}</strong>
          </p>
        ))}
        <EpisodeShown episode={episode} subject={subject} />
      </li>
      {breaks
        .filter((found) => found.position !== episode.position)
        .map((found) => (
          <Gap key={`${found.position} ${found.kind}`} found={found} wanted={found.position === wanted} />
        ))}
    </>
  );
}

/** A break of which there is no record to show it at. */
function Gap({ found, wanted }: { found: Breaks[number]; wanted: boolean }) {
  const element = useShown<HTMLLIElement>(wanted, "center");
  const place = found.count > 1 ? `#${number(found.position)}–#${number(found.position + found.count - 1)}` : `#${number(found.position)}`;
  return (
    <li class="card broken" tabIndex={-1} ref={element}>
      <strong class="bad">{found.kind === "missing" ? t("missing_here", { n: place }) : t("break_at", { n: found.position, kind: told("broken", found.kind) })}</strong>
    </li>
  );
}

/** The beginning of a day of the reader's, or of a day after it. */
function midnight(of: string, after: number): string {
  if (!of) return "";
  const [year = 0, month = 1, dayOfMonth = 1] = of.split("-").map(Number);
  const at = new Date(2000, month - 1, dayOfMonth + after);
  at.setFullYear(year + at.getFullYear() - 2000);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function byDay(episodes: Episode[]): [string, Episode[]][] {
  const days = new Map<string, Episode[]>();
  for (const episode of episodes) {
    const name = day(episode.occurred_at);
    days.set(name, [...(days.get(name) ?? []), episode]);
  }
  return [...days];
}
