// Course files: drop or choose, progress, how reading goes, what was found.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, type CourseFile } from "../api";
import { day, language, percent, size, t, told } from "../i18n";
import { Around, Empty, Meter, Said, Shown, Trouble, useLoaded, useShown, Waiting } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";

/** What a file's name claims, where the browser does not know; its bytes decide in the end. */
const MEDIA_TYPES: Record<string, string> = {
  md: "text/markdown",
  markdown: "text/markdown",
  ipynb: "application/x-ipynb+json",
  tex: "application/x-tex",
  vtt: "text/vtt",
  srt: "application/x-subrip",
  tsv: "text/tab-separated-values",
};
const POLL_MILLISECONDS = 1_500;
/** After so many looks nothing is about to happen: an upload was given up, or reading waits for its next try. */
const QUICK_LOOKS = 40;
const SLOW_POLL_MILLISECONDS = 15_000;
const STATES: Record<string, string> = { waiting: "waiting", reading: "reading", read: "read", refused: "refused" };

interface Sending {
  key: number;
  name: string;
  share: number;
  error?: unknown;
}

export function Files({ api, place }: ViewProps) {
  const [sending, setSending] = useState<Sending[]>([]);
  const [over, setOver] = useState(false);
  const [round, setRound] = useState(0);
  const count = useRef(0);
  const [seen, setSeen] = useState<CourseFile[]>();
  const loaded = useLoaded(() => api.get<{ files: CourseFile[] }>(["subjects", place.subject, "files"]), []);
  const files = seen ?? loaded.value?.files;
  const unsettled = files?.some((file) => !file.deleted_at && (file.status === "waiting" || file.status === "reading"));
  useEffect(() => {
    if (!unsettled && round === 0) return;
    const timer = setTimeout(async () => {
      const reply = await api.get<{ files: CourseFile[] }>(["subjects", place.subject, "files"]).catch(() => null);
      if (reply) setSeen(reply.files);
      setRound(unsettled ? round + 1 : 0);
    }, round < QUICK_LOOKS ? POLL_MILLISECONDS : SLOW_POLL_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [unsettled, round]);

  const drop = (key: number) => setSending((all) => all.filter((other) => other.key !== key));

  async function send(file: File) {
    const mine: Sending = { key: count.current++, name: file.name, share: 0 };
    const tell = () => setSending((all) => [...all.filter((other) => other.key !== mine.key), { ...mine }].sort((a, b) => a.key - b.key));
    tell();
    try {
      const suffix = file.name.split(".").pop()?.toLowerCase() ?? "";
      const offer = await api.post<{ upload: { url: string; method: string; headers: Record<string, string> } }>(["subjects", place.subject, "files"], {
        name: file.name,
        media_type: MEDIA_TYPES[suffix] ?? (file.type || "application/octet-stream"),
        bytes: file.size,
      });
      await put(offer.upload, file, (share) => {
        mine.share = share;
        tell();
      });
      drop(mine.key);
      setRound((before) => before + 1);
    } catch (error) {
      mine.error = error;
      tell();
    }
  }

  const take = (list: FileList | null | undefined) => [...(list ?? [])].forEach((file) => void send(file));
  return (
    <section>
      <h1>{t("files")}</h1>
      <label
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer?.files);
        }}
      >
        {t("drop")}
        <span class="button" aria-hidden="true">
          {t("choose_files")}
        </span>
        <input
          class="quiet"
          type="file"
          multiple
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {sending.map((one) => (
        <div class="card" key={one.key} role="status">
          <Said>{one.name}</Said>{" "}
          {one.error === undefined ? (
            <>
              <Meter value={one.share} label={t("sending")} /> {percent(one.share)}
            </>
          ) : (
            <>
              <Trouble error={one.error} />
              <button class="small" onClick={() => drop(one.key)}>
                {t("close")}
              </button>
            </>
          )}
        </div>
      ))}
      <Shown loaded={loaded}>
        {() =>
          !files || files.length === 0 ? (
            <Empty>{t("files_empty")}</Empty>
          ) : (
            <ul class="plain" aria-live="polite">
              {[...files].reverse().map((file) => (
                <FileShown
                  key={file.file_id}
                  file={file}
                  newer={files.find((other) => other.file_id === file.replaced_by)}
                  chosen={file.file_id === place.rest}
                  changed={(deleted) => setSeen(files.map((other) => (other.file_id === deleted.file_id ? deleted : other)))}
                  {...{ api, place }}
                />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

/** Sends bytes to an offered place; fetch() tells nothing of its progress. */
function put(upload: { url: string; method: string; headers: Record<string, string> }, file: File, progress: (share: number) => void): Promise<void> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open(upload.method, upload.url);
    for (const [name, value] of Object.entries(upload.headers)) {
      // A browser sets the length itself and lets nobody else.
      if (name.toLowerCase() !== "content-length") request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => (request.status < 300 ? done() : failed(new Problem(request.status, t("upload_failed"), "", null)));
    request.onerror = () => failed(new Problem(0, "unreachable", "", null));
    request.send(file);
  });
}

interface FileProps {
  file: CourseFile;
  newer: CourseFile | undefined;
  chosen: boolean;
  changed: (file: CourseFile) => void;
}

function FileShown({ file, newer, chosen, changed, api, place }: FileProps & ViewProps) {
  const gone = file.deleted_at ? "file_deleted" : file.replaced_by ? "file_replaced" : null;
  const element = useShown<HTMLLIElement>(chosen, "center");
  return (
    <li class={`card${gone ? " gone" : ""}${chosen ? " chosen" : ""}`} tabIndex={-1} ref={element}>
      <div class="row">
        <h2>{file.name ? <Said>{file.name}</Said> : t("file_gone_name")}</h2>
        <strong class={`state state-${gone ? "gone" : (STATES[file.status] ?? "gone")}`}>
          <Said>{gone ? t(gone) : told("file", file.status)}</Said>
        </strong>
      </div>
      <p class="hint">
        {day(file.created_at)} · {size(file.bytes)}
        {file.pages > 0 && ` · ${t("pages", { n: file.pages })}`}
        {file.deleted_at && ` · ${t("deleted_on", { day: day(file.deleted_at) })}`}
        {!file.deleted_at && file.replaced_by && (
          <>
            {" · "}
            {t("replaced_by")} {newer && <a href={addressOf(place.subject, "files", newer.file_id)}>{t("the_newer_one")}</a>}
          </>
        )}
      </p>
      {!gone && <Why file={file} />}
      {file.concepts.length > 0 && (
        <details>
          <summary>{t("concepts_found", { n: file.concepts.length })}</summary>
          {file.concepts.map((key) => (
            <a class="tag" key={key} dir="auto" href={addressOf(place.subject, "map", key)}>
              {key}
            </a>
          ))}
        </details>
      )}
      {!file.deleted_at && <Delete file={file} changed={changed} {...{ api, place }} />}
    </li>
  );
}

/** Why a file was refused, or what it lacks, and what to do: in this language, and the service's own words, which say more. */
function Why({ file }: { file: CourseFile }) {
  if (!file.reason && !file.detail) return null;
  const ours = file.reason && told("file_why", file.reason);
  const kind = file.status === "refused" ? "bad" : "warn";
  if (language === "en" && file.detail) {
    return (
      <p class={kind}>
        <Said>{file.detail}</Said>
      </p>
    );
  }
  return (
    <>
      {ours && (
        <p class={kind}>
          <Said>{ours}</Said>
        </p>
      )}
      {file.detail && (
        <p class="hint">
          {t("service_says")}:{" "}
          <span class="own-line" lang="en" dir="auto">
            {file.detail}
          </span>
        </p>
      )}
    </>
  );
}

/** Deleting asks back, and puts the keyboard's place where it asks. */
function Delete({ file, changed, api, place }: { file: CourseFile; changed: (file: CourseFile) => void } & ViewProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const begin = useRef<HTMLButtonElement>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asking) safe.current?.focus();
    else if (asked.current) begin.current?.focus();
    asked.current = asking;
  }, [asking]);
  async function erase() {
    setBusy(true);
    setError(undefined);
    try {
      changed(await (await api.answer("DELETE", ["subjects", place.subject, "files", file.file_id])).json());
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
    setAsking(false);
  }
  if (busy) return <Waiting word="erasing" />;
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      {asking ? (
        <div class="note" role="group" aria-label={t("delete")}>
          <p>
            <Around word="delete_sure" name={<Said>{file.name}</Said>} />
          </p>
          <button ref={safe} onClick={() => setAsking(false)}>
            {t("cancel")}
          </button>{" "}
          <button class="danger" onClick={() => void erase()}>
            {t("delete_yes")}
          </button>
        </div>
      ) : (
        <button ref={begin} class="small" onClick={() => setAsking(true)} aria-label={`${t("delete")} ${file.name}`}>
          {t("delete")}
        </button>
      )}
    </>
  );
}
