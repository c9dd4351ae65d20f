// The concept map: a list by layers of the teaching order, and the same as a graph.
import { useState } from "preact/hooks";
import type { Concept, CourseFile } from "../api";
import { percent, runs, t } from "../i18n";
import { layered } from "../layout";
import { Empty, Meter, Said, Shown, useLoaded, useShown } from "../parts";
import { addressOf } from "../routes";
import { Graph } from "./graph";
import type { ViewProps } from ".";

export interface Known {
  layers: Concept[][];
  concepts: Map<string, Concept>;
  files: Map<string, string>;
}

export function MapView({ api, place }: ViewProps) {
  const [form, setForm] = useState<"list" | "graph">("list");
  const [sought, setSought] = useState("");
  const loaded = useLoaded(async (): Promise<Known> => {
    const parts = (name: string) => ["subjects", place.subject, name];
    // One after the other: three at once would have Lambda start three functions cold, which takes longer.
    const concepts = await api.all<Concept>(parts("map"), "concepts");
    const order = await api.get<{ layers: string[][] }>(parts("teaching-order"));
    const files = await api.get<{ files: CourseFile[] }>(parts("files"));
    return {
      layers: layered(order.layers, concepts),
      concepts: new Map(concepts.map((concept) => [concept.key, concept])),
      files: new Map(files.files.map((file) => [file.file_id, file.name])),
    };
  }, []);
  return (
    <section>
      <h1>{t("map_title")}</h1>
      <Shown loaded={loaded}>
        {(known) =>
          known.concepts.size === 0 ? (
            <Empty>
              {t("map_empty")} <a href={addressOf(place.subject, "files")}>{t("files")}</a>
            </Empty>
          ) : (
            <>
              <p class="hint">{t("map_hint", { n: known.concepts.size })}</p>
              <div class="switch" role="group" aria-label={t("map_form")}>
                <button aria-pressed={form === "list"} onClick={() => setForm("list")}>
                  {t("as_list")}
                </button>
                <button aria-pressed={form === "graph"} onClick={() => setForm("graph")}>
                  {t("as_graph")}
                </button>
              </div>
              <Search known={known} sought={sought} changed={setSought} />
              {place.rest && <ConceptShown key={place.rest} known={known} name={place.rest} subject={place.subject} />}
              {form === "list" ? <Layers known={known} subject={place.subject} sought={sought} /> : <Graph known={known} subject={place.subject} chosen={place.rest} found={found(known, sought)} />}
            </>
          )
        }
      </Shown>
    </section>
  );
}

/** A name as it is sought: without case and marks, which people leave out. */
function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The concepts whose names hold what is sought; null where nothing is. */
function found(known: Known, sought: string): Set<string> | null {
  const wanted = folded(sought.trim());
  if (!wanted) return null;
  const names = (concept: Concept) => [concept.name, concept.key, ...concept.aliases];
  return new Set([...known.concepts.values()].filter((concept) => names(concept).some((name) => folded(name).includes(wanted))).map((concept) => concept.key));
}

function Search({ known, sought, changed }: { known: Known; sought: string; changed: (sought: string) => void }) {
  const matching = found(known, sought);
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t("find_concept")} <input type="search" dir="auto" maxLength={200} value={sought} onInput={(event) => changed(event.currentTarget.value)} />
      </label>
      <span class="hint" role="status">
        {matching && t("concepts_match", { n: matching.size, all: known.concepts.size })}
      </span>
    </form>
  );
}

function Layers({ known, subject, sought }: { known: Known; subject: string; sought: string }) {
  const matching = found(known, sought);
  const layers = known.layers.map((layer) => layer.filter((concept) => !matching || matching.has(concept.key)));
  return (
    <ol class="plain">
      {layers.map((layer, place) => layer.length > 0 && (
        <li key={place}>
          <h2>{t("layer", { n: place + 1 })}</h2>
          <ul class="plain concepts">
            {layer.map((concept) => (
              <li class="card" key={concept.key}>
                <div class="row">
                  <h3>
                    <a href={addressOf(subject, "map", concept.key)} dir="auto">
                      {concept.name}
                    </a>
                  </h3>
                  <Readiness concept={concept} />
                </div>
                <p dir="auto" class="gist">
                  {concept.gist || concept.taught.join(" ")}
                </p>
                <Sources concept={concept} known={known} subject={subject} />
                {concept.taught.length > 0 && <p class="hint">✎ {t("taught")}</p>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function Readiness({ concept }: { concept: Concept }) {
  return (
    <span class="measure">
      <Meter value={concept.readiness} label={t("readiness")} /> {percent(concept.readiness)}
    </span>
  );
}

function Sources({ concept, known, subject }: { concept: Concept; known: Known; subject: string }) {
  if (concept.sources.length === 0) return <p class="hint">{t("only_taught")}</p>;
  return (
    <p class="hint">
      {concept.sources.map((source, place) => (
        <span key={source.file_id}>
          {place > 0 && " · "}
          <a href={addressOf(subject, "files", source.file_id)} dir="auto">
            {known.files.get(source.file_id) || t("file_gone_name")}
          </a>{" "}
          {source.pages.length > 0 && t("on_pages", { pages: runs(source.pages) })}
        </span>
      ))}
    </p>
  );
}

function ConceptShown({ known, name, subject }: { known: Known; name: string; subject: string }) {
  const concept = known.concepts.get(name) ?? [...known.concepts.values()].find((other) => other.aliases.includes(name) || other.name === name);
  const element = useShown<HTMLElement>(true);
  if (!concept) {
    return (
      <p class="note">
        <Said>{name}</Said>: {t("no_such_concept")}
      </p>
    );
  }
  const after = [...known.concepts.values()].filter((other) => other.builds_on.includes(concept.key));
  return (
    <article class="card chosen" tabIndex={-1} ref={element}>
      <div class="row">
        <h2>
          <Said>{concept.name}</Said>
        </h2>
        <a href={addressOf(subject, "map")}>{t("close")}</a>
      </div>
      <p dir="auto">{concept.definition || concept.gist}</p>
      <dl class="facts">
        <div>
          <dt>{t("readiness")}</dt>
          <dd>
            <Readiness concept={concept} />
          </dd>
        </div>
        <Names name={t("builds_on")} keys={concept.builds_on} known={known} subject={subject} />
        <Names name={t("needed_for")} keys={after.map((other) => other.key)} known={known} subject={subject} />
        {concept.assumed.length > 0 && (
          <div>
            <dt>{t("assumed")}</dt>
            <dd>
              {concept.assumed.map((name) => (
                <span class="tag" key={name} dir="auto">
                  {name}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <Sources concept={concept} known={known} subject={subject} />
      {concept.taught.length > 0 && (
        <>
          <h3>{t("taught")}</h3>
          <ul>
            {concept.taught.map((note, place) => (
              <li key={place} dir="auto" class={concept.taught_superseded.includes(note) ? "gone" : undefined}>
                {note}
                {concept.taught_superseded.includes(note) && ` (${t("superseded")})`}
              </li>
            ))}
          </ul>
        </>
      )}
    </article>
  );
}

function Names({ name, keys, known, subject }: { name: string; keys: string[]; known: Known; subject: string }) {
  if (keys.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {keys.map((key) => (
          <a class="tag" key={key} dir="auto" href={addressOf(subject, "map", key)}>
            {known.concepts.get(key)?.name ?? key}
          </a>
        ))}
      </dd>
    </div>
  );
}
