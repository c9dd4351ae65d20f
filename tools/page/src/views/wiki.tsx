// The student's wiki: pages with working links; a citation opens what it stands on.
import { useState } from "preact/hooks";
import { Problem, type Api, type CourseFile, type Episode, type WikiPage } from "../api";
import { moment, number, t } from "../i18n";
import { bodyOf, Markdown, type Links } from "../markdown";
import { Empty, Said, Shown, useLoaded } from "../parts";
import { addressOf } from "../routes";
import { EpisodeShown } from "./episode";
import type { ViewProps } from ".";

const EVIDENCE = "evidence/";
const FIRST = "knowledge/index.md";

interface Listed {
  path: string;
  title: string;
}

interface Evidence {
  address: string;
  episodes: { turn: number | null; episode: Episode }[];
  file: CourseFile | null;
  page: number | null;
  text: string | null;
  record: { title: string; text: string; fetched_at: string } | null;
}

export function Wiki({ api, place }: ViewProps) {
  const pages = useLoaded(async () => {
    try {
      return await api.all<Listed>(["wiki", "pages"], "pages", { limit: 500 });
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return [];
      throw error;
    }
  }, []);
  return (
    <section>
      <Shown loaded={pages}>
        {(listed) =>
          listed.length === 0 ? (
            <>
              <h1>{t("wiki")}</h1>
              <Empty>{t("wiki_empty")}</Empty>
            </>
          ) : (
            <div class="wiki">
              <details class="card contents">
                <summary>{t("wiki_pages", { n: listed.length })}</summary>
                <ul class="plain">
                  {listed.map((page) => (
                    <li key={page.path}>
                      <a href={addressOf(place.subject, "wiki", page.path)} dir="auto">
                        {page.title || page.path}
                      </a>{" "}
                      <code>{page.path}</code>
                    </li>
                  ))}
                </ul>
              </details>
              {place.rest.startsWith(EVIDENCE) ? (
                <EvidenceShown key={place.rest} address={place.rest.slice(EVIDENCE.length)} {...{ api, place }} />
              ) : (
                <PageShown key={place.rest} path={place.rest || FIRST} known={new Set(listed.map((page) => page.path))} {...{ api, place }} />
              )}
            </div>
          )
        }
      </Shown>
    </section>
  );
}

/** A link's target as a path from the wiki's root; null when it leads out of the wiki. */
export function resolved(page: string, href: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return null;
  const url = new URL(href, `https://wiki.invalid/${page}`);
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return null;
  }
}

/** What a request gives, or null where there is no such thing. */
async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error) => {
    if (error instanceof Problem && [404, 422].includes(error.status)) return null;
    throw error;
  });
}

function PageShown({ path, known, api, place }: { path: string; known: Set<string> } & ViewProps) {
  const [rev, setRev] = useState("");
  const loaded = useLoaded(() => ifThere(api.get<WikiPage>(["wiki", "pages", ...path.split("/")], { rev })), [path, rev]);
  return (
    <Shown loaded={loaded}>
      {(page) => {
        if (!page) return <Empty>{t("no_such_page")}</Empty>;
        const cited = new Map(page.citations.map((citation) => [String(citation.number), citation.address]));
        const evidence = (address: string) => addressOf(place.subject, "wiki", EVIDENCE + address);
        const links: Links = {
          page: (href) => {
            const target = resolved(page.path, href);
            return target && known.has(target) ? addressOf(place.subject, "wiki", target) : null;
          },
          citation: (which) => {
            const address = cited.get(which);
            return address ? evidence(address) : null;
          },
          evidence,
        };
        return (
          <article class="card">
            <p class="hint">
              <code>{page.path}</code> · {moment(page.revision.at)}
            </p>
            {rev && (
              <p class="note">
                {t("as_it_was")}. <button onClick={() => setRev("")}>{t("as_it_is")}</button>
              </p>
            )}
            <Markdown text={bodyOf(page.text)} links={links} />
            <History path={page.path} api={api} show={setRev} />
          </article>
        );
      }}
    </Shown>
  );
}

interface Revision {
  id: string;
  parents: string[];
  author: string;
  at: string;
  message: string;
}

interface HistoryProps {
  path: string;
  api: Api;
  /** Shows the page as of a revision. */
  show: (rev: string) => void;
}

/** The revisions that touched a page, and what each changed in it, fetched when asked for. */
function History({ path, api, show }: HistoryProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("history")}</summary>
      {open && <Revisions path={path} api={api} show={show} />}
    </details>
  );
}

function Revisions({ path, api, show }: HistoryProps) {
  const [shown, setShown] = useState("");
  const loaded = useLoaded(() => api.all<Revision>(["wiki", "log"], "revisions", { path, limit: 100 }), [path]);
  return (
    <Shown loaded={loaded}>
      {(revisions) => (
        <ol class="plain">
          {revisions.map((revision) => (
            <li key={revision.id}>
              <p class="hint">
                {moment(revision.at)} · <Said>{revision.author}</Said> · <Said>{revision.message.split("\n")[0] ?? ""}</Said>
              </p>
              <button aria-expanded={shown === revision.id} onClick={() => setShown(shown === revision.id ? "" : revision.id)}>
                {t("what_changed")}
              </button>{" "}
              <button onClick={() => show(revision.id)}>{t("as_it_was")}</button>
              {shown === revision.id && <Diff revision={revision} path={path} api={api} />}
            </li>
          ))}
        </ol>
      )}
    </Shown>
  );
}

function Diff({ revision, path, api }: { revision: Revision; path: string; api: Api }) {
  const loaded = useLoaded(() => api.get<{ diff: string }>(["wiki", "diff"], { from: revision.parents[0], to: revision.id, path }), [revision.id]);
  const kind = (line: string) => (line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined);
  return (
    <Shown loaded={loaded}>
      {({ diff }) =>
        diff === "" ? (
          <p class="hint">{t("nothing_changed")}</p>
        ) : (
          <pre class="diff" dir="auto" tabIndex={0}>
            {diff.split("\n").map((line, place) => (
              <span key={place} class={kind(line)}>
                {line + "\n"}
              </span>
            ))}
          </pre>
        )
      }
    </Shown>
  );
}

function EvidenceShown({ address, api, place }: { address: string } & ViewProps) {
  const loaded = useLoaded(() => ifThere(api.get<Evidence>(["wiki", "evidence"], { address })), [address]);
  return (
    <article class="card chosen">
      <h1>{t("evidence")}</h1>
      <p class="hint">
        <code>{address}</code>
      </p>
      <Shown loaded={loaded}>
        {(found) => !found ? <Empty>{t("no_such_evidence")}</Empty> : (
          <>
            {found.episodes.map(({ episode }) => (
              <EpisodeShown key={episode.id} episode={episode} subject={place.subject} whole={{ api, files: new Map(found.file ? [[found.file.file_id, found.file]] : []) }} />
            ))}
            {found.file && (
              <p>
                <a href={addressOf(place.subject, "files", found.file.file_id)} dir="auto">
                  {found.file.name || t("file_gone_name")}
                </a>{" "}
                {found.page !== null && t("on_pages", { pages: number(found.page) })}
              </p>
            )}
            {found.text !== null && <pre dir="auto">{found.text}</pre>}
            {found.record && (
              <>
                <h2 dir="auto">{found.record.title}</h2>
                <pre dir="auto">{found.record.text}</pre>
                <p class="hint">{moment(found.record.fetched_at)}</p>
              </>
            )}
          </>
        )}
      </Shown>
      <button onClick={() => history.back()}>{t("back")}</button>
    </article>
  );
}
