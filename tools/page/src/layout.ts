// Where the concepts of a layered graph stand: a band a layer, in an order that keeps edges short.
import type { Concept } from "./api";

export interface Node {
  concept: Concept;
  x: number;
  y: number;
  radius: number;
}

/** A layer's part of the picture, from left to right or mirrored. */
export interface Band {
  x: number;
  width: number;
}

export interface Layout {
  nodes: Map<string, Node>;
  bands: Band[];
  width: number;
  height: number;
}

const COLUMN = 230;
const ROW = 34;
const MARGIN = 24;
const SWEEPS = 4;
/** Above this many concepts a layer stands in several columns of its band, so that a map of hundreds is no long thin strip. */
const MOST_ROWS = 24;
/** Room for a band's name. */
export const HEAD = 28;

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
  const rows = Math.min(MOST_ROWS, Math.max(1, ...columns.map((column) => column.length)));
  const most = Math.max(1e-9, ...layers.flat().map((concept) => concept.centrality));
  const across = columns.map((column) => Math.ceil(column.length / MOST_ROWS));
  const width = across.reduce((sum, one) => sum + one, 0) * COLUMN + MARGIN;
  const flip = (x: number) => (mirrored ? width - x : x);
  const nodes = new Map<string, Node>();
  const bands: Band[] = [];
  let before = 0;
  columns.forEach((column, place) => {
    const wide = across[place] ?? 1;
    const high = Math.ceil(column.length / wide);
    const left = MARGIN / 2 + before * COLUMN;
    bands.push({ x: mirrored ? width - left - wide * COLUMN : left, width: wide * COLUMN });
    column.forEach((concept, number) => {
      // Along the rows first, so that neighbours in the order stay neighbours in height.
      const [row, shift] = [Math.floor(number / wide), number % wide];
      const x = flip(MARGIN + (before + shift) * COLUMN);
      const y = HEAD + MARGIN + ((row + 0.5) * rows * ROW) / high;
      nodes.set(concept.key, { concept, x, y, radius: 4 + 6 * Math.sqrt(concept.centrality / most) });
    });
    before += wide;
  });
  return { nodes, bands, width, height: rows * ROW + 2 * MARGIN + HEAD };
}
