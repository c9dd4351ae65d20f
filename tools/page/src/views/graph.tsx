// The concept map as a picture. It says nothing that the list does not: it is hidden from screen readers, which have that.
import { useEffect, useRef, useState } from "preact/hooks";
import { language, t } from "../i18n";
import { HEAD, laidOut, type Node } from "../layout";
import { addressOf } from "../routes";
import type { Known } from "./map";

interface Props {
  known: Known;
  subject: string;
  chosen: string;
  /** Concepts whose names hold what is sought; null where nothing is. */
  found: Set<string> | null;
}

const STEP = 1.25;
const SMALLEST = 0.2;
const LARGEST = 2;

export function Graph({ known, subject, chosen, found }: Props) {
  const mirrored = language === "ar";
  const { nodes, bands, width, height } = laidOut(known.layers, mirrored);
  const [scale, setScale] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  const near = neighbours(nodes, chosen);
  const seen = (...keys: string[]) => keys.every((key) => (found ? found.has(key) : !near || near.has(key)));
  const whole = () => {
    const there = frame.current;
    if (there) setScale(Math.max(SMALLEST, Math.min(1, there.clientWidth / width)));
  };
  const at = nodes.get(found?.size ? ([...found][0] ?? "") : chosen);
  useEffect(() => {
    const there = frame.current;
    if (at && there) there.scrollTo({ left: at.x * scale - there.clientWidth / 2, top: at.y * scale - there.clientHeight / 2 });
  }, [at?.concept.key, scale]);
  const zoomed = (by: number) => setScale(Math.max(SMALLEST, Math.min(LARGEST, scale * by)));
  return (
    <>
      <p class="hint">{t("graph_hint")}</p>
      <Legend />
      <div class="switch">
        <button onClick={() => zoomed(STEP)}>{t("zoom_in")}</button>
        <button onClick={() => zoomed(1 / STEP)}>{t("zoom_out")}</button>
        <button onClick={whole}>{t("zoom_all")}</button>
      </div>
      <div class={mirrored ? "graph mirrored" : "graph"} ref={frame} dir="ltr" tabIndex={0} role="group" aria-label={t("as_graph")}>
        <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {bands.map((band, place) => (
            <g key={place}>
              <rect class={place % 2 ? "band" : "band even"} x={band.x} y={0} width={band.width} height={height} />
              <text class="band-name" x={band.x + band.width / 2} y={HEAD - 8} text-anchor="middle">
                {t("layer", { n: place + 1 })}
              </text>
            </g>
          ))}
          {[...nodes.values()].flatMap((node) =>
            node.concept.builds_on.flatMap((key) => {
              const from = nodes.get(key);
              return from ? [<path key={`${key} ${node.concept.key}`} class={seen(key, node.concept.key) ? "edge" : "edge dim"} d={curve(from, node)} />] : [];
            }),
          )}
          {[...nodes.values()].map((node) => (
            <Dot key={node.concept.key} node={node} mirrored={mirrored} dim={!seen(node.concept.key)} chosen={node.concept.key === chosen} open={() => (location.hash = addressOf(subject, "map", node.concept.key))} />
          ))}
        </svg>
      </div>
    </>
  );
}

/** A concept and what it is tied to; null where none of that name is. */
function neighbours(nodes: Map<string, Node>, chosen: string): Set<string> | null {
  const node = nodes.get(chosen);
  if (!node) return null;
  const after = [...nodes.values()].filter((other) => other.concept.builds_on.includes(chosen));
  return new Set([chosen, ...node.concept.builds_on, ...after.map((other) => other.concept.key)]);
}

function Legend() {
  return (
    <ul class="plain legend">
      {(["high", "middle", "low", "taught"] as const).map((name) => (
        <li key={name}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <circle class={name === "taught" ? "ready-low taught" : `ready-${name}`} cx="10" cy="10" r="7" />
          </svg>{" "}
          {t(`legend_${name}`)}
        </li>
      ))}
    </ul>
  );
}

function curve(from: Node, to: Node): string {
  const half = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${half} ${from.y} ${half} ${to.y} ${to.x} ${to.y}`;
}

const LONGEST_LABEL = 26;

function Dot({ node, mirrored, dim, chosen, open }: { node: Node; mirrored: boolean; dim: boolean; chosen: boolean; open: () => void }) {
  const ready = node.concept.readiness >= 0.75 ? "high" : node.concept.readiness >= 0.5 ? "middle" : "low";
  const letters = [...node.concept.name];
  const label = letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join("")}…` : node.concept.name;
  const side = mirrored ? -1 : 1;
  return (
    <g class={`dot${dim ? " dim" : ""}${chosen ? " picked" : ""}`} onClick={open}>
      <title>{node.concept.name}</title>
      <circle class={`ready-${ready}${node.concept.taught.length > 0 ? " taught" : ""}`} cx={node.x} cy={node.y} r={node.radius} />
      <text x={node.x + side * (node.radius + 5)} y={node.y + 4} text-anchor={mirrored ? "end" : "start"}>
        {label}
      </text>
    </g>
  );
}
