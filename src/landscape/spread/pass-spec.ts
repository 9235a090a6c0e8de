import { z } from 'zod';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { ReferenceGrid } from '../grid/reference-grid.ts';
import { LandscapeParams } from '../model/params.ts';
import { type Tile, windowsIn } from '../model/tiles.ts';
import type { GraphNode } from '../model/node.ts';
import { groupedPixels } from '../execution/publish-outputs.ts';
import type { Pass, PassSource } from '../execution/pass.ts';

/**
 * A store copies no piece of less than 5 MiB, and in a COG a row of tiles goes over the whole width of the raster: blocks are wide, so that the
 * rows of a block and of its first overview are longer than that. Files do not depend on blocks, parts do.
 */
const widestBlock = 24_576;
/** Two levels of overviews are whole in blocks of this height. */
const lowestBlock = 2048;
/** The start of a child is about a twentieth of the work of so many pixels. */
const leastBlockPixels = 4096 ** 2;

/** How a grid is cut into blocks: columns of nearly one width, and rows. */
const BlockShape = z.object({ columns: z.int().positive(), height: z.int().positive() });
type BlockShape = z.infer<typeof BlockShape>;

export function wideBlocks({ width }: Pick<ReferenceGrid, 'width'>): BlockShape {
  const columns = Math.ceil(width / widestBlock);
  const rows = Math.max(1, Math.floor((leastBlockPixels * columns) / width / lowestBlock));
  return { columns, height: rows * lowestBlock };
}

/** Cuts a grid into squares, as only tests do. */
export function squareBlocks({ width }: Pick<ReferenceGrid, 'width'>, side: number): BlockShape {
  return { columns: Math.ceil(width / side), height: side };
}

/** Workers for which there is one group of outputs each, at least: few groups start few children, many end sooner. */
const outputHands = 4;

const SpecSource = z.object({
  key: z.string(),
  datasetId: z.string(),
  firstReader: z.string(),
  isOutput: z.boolean(),
});

/** All that a worker needs to know to compute any block of a pass, and to publish its outputs. */
export const PassSpec = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes, ascending. */
  nodes: z.array(z.string()),
  sources: z.array(SpecSource),
  /** What is read beside them to count the gaps of these inputs; null where none are counted. */
  gaps: z.object({ keys: z.array(z.string()), sources: z.array(SpecSource) }).nullable(),
  blocks: BlockShape,
  /** A `traceparent`; null when traces are off. */
  trace: z.string().nullable(),
});
export type PassSpec = z.infer<typeof PassSpec>;

/** Returns what a spec says of sources, by key of their bands. */
export function sourcesOf(written: readonly z.infer<typeof SpecSource>[]): Pass['sources'] {
  return new Map(
    written.map(({ key, ...source }) => {
      const band = bandByKey(key);
      if (band === undefined) throw new Error(`the graph has no band ${key}`);
      return [key, { band, ...source }];
    }),
  );
}

/** Returns sources as a spec holds them. */
export function writtenSources(sources: Pass['sources']): PassSpec['sources'] {
  const written = ([key, { datasetId, firstReader, isOutput }]: readonly [string, PassSource]) => ({
    key,
    datasetId,
    firstReader,
    isOutput,
  });
  return [...sources].map(written);
}

/** Returns the node of a code in a spec. */
export function nodeOf(code: string): GraphNode {
  const node = nodeByCode(code);
  if (node === undefined) throw new Error(`the graph has no node ${code}`);
  return node;
}

/** A grid, and how it is cut. */
interface Cut {
  readonly grid: Pick<ReferenceGrid, 'width' | 'height'>;
  readonly blocks: BlockShape;
}

/** The blocks of a pass, row by row. Their corners lie on those of tiles, also of the overviews that are whole in them. */
export function blocksOf({ grid, blocks: { columns, height } }: Cut): readonly Tile[] {
  const unit = Math.min(lowestBlock, height);
  const units = Math.ceil(grid.width / unit);
  const edges = Array.from({ length: columns + 1 }, (_, column) =>
    Math.min(grid.width, Math.round((column * units) / columns) * unit),
  );
  const blocks: Tile[] = [];
  for (let y = 0; y < grid.height; y += height)
    for (const [column, x] of edges.slice(0, -1).entries())
      blocks.push({
        x,
        y,
        width: (edges[column + 1] ?? 0) - x,
        height: Math.min(height, grid.height - y),
      });
  return blocks;
}

/** The windows of a block, in the order in which they are computed. */
export function windowsOfBlock({ params }: Pick<PassSpec, 'params'>, block: Tile): readonly Tile[] {
  return [...windowsIn(block, params.window_size)];
}

/** Deals the outputs of a pass into groups, each of which one child assembles. */
export function outputGroups({ grid, nodes }: Pick<PassSpec, 'grid' | 'nodes'>): readonly string[][] {
  const fitting = Math.max(1, Math.floor(groupedPixels / (grid.width * grid.height)));
  const size = Math.max(1, Math.min(fitting, Math.ceil(nodes.length / outputHands)));
  return Array.from({ length: Math.ceil(nodes.length / size) }, (_, index) =>
    nodes.slice(index * size, (index + 1) * size),
  );
}
