// The concept map: a list by layers of the teaching order, and the same as a graph.
import { useState } from "preact/hooks";
import type { Concept, CourseFile } from "../api";
import { language, number, percent, t } from "../i18n";
import { laidOut, layered, type Node } from "../layout";
import { Empty, Meter, Said, Shown, useLoaded } from "../parts";
import { addressOf } from "../routes";
import type { ViewProps } from ".";

interface Known {
  layers: Concept[][];
  concepts: Map<string, Concept>;
  files: Map<string, string>;
}

export function MapView({ api, place }: ViewProps) {
  const [form, setForm] = useState<"list" | "graph">("list");
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
              {place.rest && <ConceptShown known={known} name={place.rest} subject={place.subject} />}
              {form === "list" ? <Layers known={known} subject={place.subject} /> : <Graph known={known} subject={place.subject} chosen={place.rest} />}
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Layers({ known, subject }: { known: Known; subject: string }) {
  return (
    <ol class="plain">
      {known.layers.map((layer, place) => (
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
                <Sources concept={concept} known={known} />
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

function Sources({ concept, known }: { concept: Concept; known: Known }) {
  if (concept.sources.length === 0) return <p class="hint">{t("only_taught")}</p>;
  return (
    <p class="hint">
      {concept.sources.map((source, place) => (
        <span key={source.file_id}>
          {place > 0 && " · "}
          <Said>{known.files.get(source.file_id) ?? source.file_id}</Said> {t("on_pages", { pages: source.pages.map((page) => number(page)).join(", ") })}
        </span>
      ))}
    </p>
  );
}

function ConceptShown({ known, name, subject }: { known: Known; name: string; subject: string }) {
  const concept = known.concepts.get(name) ?? [...known.concepts.values()].find((other) => other.aliases.includes(name) || other.name === name);
  if (!concept) {
    return (
      <p class="note">
        <Said>{name}</Said>: {t("no_such_concept")}
      </p>
    );
  }
  const after = [...known.concepts.values()].filter((other) => other.builds_on.includes(concept.key));
  return (
    <article class="card chosen">
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
            <dd dir="auto">{concept.assumed.join(", ")}</dd>
          </div>
        )}
      </dl>
      <Sources concept={concept} known={known} />
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

/** The graph says nothing that the list does not: it is hidden from screen readers and keyboards, which have that. */
function Graph({ known, subject, chosen }: { known: Known; subject: string; chosen: string }) {
  const mirrored = language === "ar";
  const { nodes, width, height } = laidOut(known.layers, mirrored);
  const near = new Set([chosen, ...(nodes.get(chosen)?.concept.builds_on ?? []), ...[...nodes.values()].filter((node) => node.concept.builds_on.includes(chosen)).map((node) => node.concept.key)]);
  const dim = (...keys: string[]) => nodes.has(chosen) && !keys.every((key) => near.has(key));
  return (
    <>
      <p class="hint">{t("graph_hint")}</p>
      <div class="graph" dir={mirrored ? "rtl" : "ltr"} tabIndex={0} role="group" aria-label={t("as_graph")}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {[...nodes.values()].flatMap((node) =>
            node.concept.builds_on.flatMap((key) => {
              const from = nodes.get(key);
              return from ? [<path key={`${key} ${node.concept.key}`} class={dim(key, node.concept.key) ? "edge dim" : "edge"} d={curve(from, node)} />] : [];
            }),
          )}
          {[...nodes.values()].map((node) => (
            <Dot key={node.concept.key} node={node} mirrored={mirrored} dim={dim(node.concept.key)} open={() => (location.hash = addressOf(subject, "map", node.concept.key))} />
          ))}
        </svg>
      </div>
    </>
  );
}

function curve(from: Node, to: Node): string {
  const half = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${half} ${from.y} ${half} ${to.y} ${to.x} ${to.y}`;
}

const LONGEST_LABEL = 26;

function Dot({ node, mirrored, dim, open }: { node: Node; mirrored: boolean; dim: boolean; open: () => void }) {
  const ready = node.concept.readiness >= 0.75 ? "high" : node.concept.readiness >= 0.5 ? "middle" : "low";
  const letters = [...node.concept.name];
  const label = letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join("")}…` : node.concept.name;
  const side = mirrored ? -1 : 1;
  return (
    <g class={dim ? "dot dim" : "dot"} onClick={open}>
      <title>{node.concept.name}</title>
      <circle class={`ready-${ready}`} cx={node.x} cy={node.y} r={node.radius} />
      <text x={node.x + side * (node.radius + 5)} y={node.y + 4}>
        {label}
      </text>
    </g>
  );
}
