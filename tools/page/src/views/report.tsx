// The report for a teacher, as it is written for people, and as a file to keep.
import { language, t } from "../i18n";
import { Markdown, NOWHERE } from "../markdown";
import { Shown, useLoaded } from "../parts";
import type { ViewProps } from ".";

export function Report({ api, place }: ViewProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const fetched = async (format: string) =>
    (await api.answer("GET", ["subjects", place.subject, "report"], { query: { format, lang: language, time_zone: zone } })).text();
  const loaded = useLoaded(() => fetched("markdown"), [language]);

  async function download() {
    const address = URL.createObjectURL(new Blob([await fetched("html")], { type: "text/html" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${place.subject}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1_000);
  }

  return (
    <section>
      <div class="row">
        <h1>{t("report_title")}</h1>
        <button onClick={() => void download()}>{t("download")}</button>
      </div>
      <Shown loaded={loaded}>
        {(text) => (
          <article class="card">
            <Markdown text={text} links={NOWHERE} />
          </article>
        )}
      </Shown>
    </section>
  );
}
