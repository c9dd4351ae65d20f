// Where the concepts of a layered graph stand: a column a layer, in an order that keeps edges short.
import type { Concept } from "./api";

export interface Node {
  concept: Concept;
  x: number;
  y: number;
  radius: number;
}

export interface Layout {
  nodes: Map<string, Node>;
  width: number;
  height: number;
}

const COLUMN = 230;
const ROW = 34;
const MARGIN = 24;
const SWEEPS = 4;

/** Concepts that no layer names, such as those that only the student taught, come as a layer of their own, last. */
export function layered(layers: string[][], concepts: Concept[]): Concept[][] {
  const byKey = new Map(concepts.map((concept) => [concept.key, concept]));
  const found = layers.map((keys) => keys.flatMap((key) => byKey.get(key) ?? []));
  const placed = new Set(layers.flat());
  const rest = concepts.filter((concept) => !placed.has(concept.key));
  return [...found, rest].filter((layer) => layer.length > 0);
}

/**
 * Places for all concepts.
 *
 * Within a column the order is by the mean height of what a concept is tied to, a few sweeps to and fro (the barycentre
 * heuristic of Sugiyama, Tagawa and Toda 1981): few crossings, and quick for thousands.
 */
export function laidOut(layers: Concept[][], mirrored: boolean): Layout {
  const columns = layers.map((layer) => [...layer]);
  const tied = new Map<string, string[]>();
  for (const concept of layers.flat()) {
    for (const below of concept.builds_on) {
      tied.set(concept.key, [...(tied.get(concept.key) ?? []), below]);
      tied.set(below, [...(tied.get(below) ?? []), concept.key]);
    }
  }
  const height = new Map<string, number>();
  const settle = (column: Concept[]) => column.forEach((concept, place) => height.set(concept.key, (place + 0.5) / column.length));
  columns.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 ? [...columns].reverse() : columns) {
      const wish = (concept: Concept) => {
        const near = (tied.get(concept.key) ?? []).flatMap((key) => height.get(key) ?? []);
        return near.length ? near.reduce((sum, one) => sum + one, 0) / near.length : (height.get(concept.key) ?? 0);
      };
      const wishes = new Map(column.map((concept) => [concept.key, wish(concept)]));
      column.sort((a, b) => (wishes.get(a.key) ?? 0) - (wishes.get(b.key) ?? 0));
      settle(column);
    }
  }
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const width = columns.length * COLUMN + MARGIN;
  const most = Math.max(1e-9, ...layers.flat().map((concept) => concept.centrality));
  const nodes = new Map<string, Node>();
  columns.forEach((column, place) =>
    column.forEach((concept, row) => {
      const x = MARGIN + place * COLUMN;
      const y = MARGIN + ((row + 0.5) * rows * ROW) / column.length;
      nodes.set(concept.key, { concept, x: mirrored ? width - x : x, y, radius: 4 + 6 * Math.sqrt(concept.centrality / most) });
    }),
  );
  return { nodes, width, height: rows * ROW + 2 * MARGIN };
}
