// Course files: drop or choose, progress, how reading goes, what was found.
import { useEffect, useState } from "preact/hooks";
import { Problem, type CourseFile } from "../api";
import { day, number, percent, t, type Word } from "../i18n";
import { Empty, Meter, Said, Shown, Trouble, useLoaded } from "../parts";
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
const STATES: Record<CourseFile["status"], Word> = { waiting: "file_waiting", reading: "file_reading", read: "file_read", refused: "file_refused" };

interface Sending {
  name: string;
  share: number;
  error?: unknown;
}

export function Files({ api, place }: ViewProps) {
  const [sending, setSending] = useState<Sending[]>([]);
  const [round, setRound] = useState(0);
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
    }, POLL_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [unsettled, round]);

  async function send(file: File) {
    const mine: Sending = { name: file.name, share: 0 };
    const tell = () => setSending((all) => [...all.filter((other) => other !== mine), mine]);
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
      setSending((all) => all.filter((other) => other !== mine));
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
        class="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
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
        <div class="card" key={one.name}>
          <Said>{one.name}</Said>{" "}
          {one.error === undefined ? (
            <>
              <Meter value={one.share} label={t("sending")} /> {percent(one.share)}
            </>
          ) : (
            <Trouble error={one.error} />
          )}
        </div>
      ))}
      <Shown loaded={loaded}>
        {() => ((files ?? []).length === 0 ? <Empty>{t("files_empty")}</Empty> : <ul class="plain">{[...(files ?? [])].reverse().map((file) => <FileShown key={file.file_id} file={file} subject={place.subject} />)}</ul>)}
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

function FileShown({ file, subject }: { file: CourseFile; subject: string }) {
  const gone = file.deleted_at ? "file_deleted" : file.replaced_by ? "file_replaced" : null;
  return (
    <li class={gone ? "card gone" : "card"}>
      <div class="row">
        <h2>
          <Said>{file.name}</Said>
        </h2>
        <strong class={`state state-${gone ? "gone" : file.status}`}>{t(gone ?? STATES[file.status])}</strong>
      </div>
      <p class="hint">
        {day(file.created_at)} · {number(file.bytes, { style: "unit", unit: "byte", unitDisplay: "narrow", notation: "compact" })}
        {file.pages > 0 && ` · ${t("pages", { n: file.pages })}`}
      </p>
      {file.detail && !gone && (
        <p class={file.status === "refused" ? "bad" : "warn"} dir="auto">
          {file.detail}
        </p>
      )}
      {file.concepts.length > 0 && (
        <details>
          <summary>{t("concepts_found", { n: file.concepts.length })}</summary>
          {file.concepts.map((key) => (
            <a class="tag" key={key} dir="auto" href={addressOf(subject, "map", key)}>
              {key}
            </a>
          ))}
        </details>
      )}
    </li>
  );
}
