import { z } from 'zod';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import { gridSchema } from '../grid/schemas.ts';
import { LandscapeParams } from '../model/params.ts';
import { type Tile, windowsIn } from '../model/tiles.ts';
import type { GraphNode } from '../model/node.ts';
import { groupedPixels } from '../execution/publish-outputs.ts';
import type { Pass, PassSource } from '../execution/pass.ts';

/**
 * A store copies ranges of at least 5 MiB, and a row of tiles in a COG spans the raster. Blocks are therefore wide, so that the rows of a
 * block and of its first overview exceed this size. The width changes parts, but not the resulting files.
 */
const widestBlock = 24_576;
/** At this height, blocks contain two complete levels of overviews. */
const lowestBlock = 2048;
/** With this number of pixels, the start of a child process is about a twentieth of the work. */
const leastBlockPixels = 4096 ** 2;

/** The division of a grid into blocks: the number of columns of nearly equal width, and the height. */
const BlockShape = z.object({ columns: z.int().positive(), height: z.int().positive() });
type BlockShape = z.infer<typeof BlockShape>;

export function wideBlocks({ width }: Pick<ReferenceGrid, 'width'>): BlockShape {
  const columns = Math.ceil(width / widestBlock);
  const rows = Math.max(1, Math.floor((leastBlockPixels * columns) / width / lowestBlock));
  return { columns, height: rows * lowestBlock };
}

/** Divides a grid into squares, for tests. */
export function squareBlocks({ width }: Pick<ReferenceGrid, 'width'>, side: number): BlockShape {
  return { columns: Math.ceil(width / side), height: side };
}

/** The minimum number of groups of outputs: few groups start few child processes, many finish sooner. */
const outputHands = 4;

const SpecSource = z.object({
  key: z.string(),
  datasetId: z.string(),
  firstReader: z.string(),
  isOutput: z.boolean(),
});

/** The data that a worker needs to compute any block of a pass and to publish its outputs. */
export const PassSpec = z.object({
  grid: gridSchema,
  params: LandscapeParams,
  /** Codes of the nodes, ascending. */
  nodes: z.array(z.string()),
  sources: z.array(SpecSource),
  /** Further sources for the gaps of these inputs; null if gaps are not counted. */
  gaps: z.object({ keys: z.array(z.string()), sources: z.array(SpecSource) }).nullable(),
  blocks: BlockShape,
  /** The `traceparent`; null if tracing is off. */
  trace: z.string().nullable(),
});
export type PassSpec = z.infer<typeof PassSpec>;

/** Returns the sources of a spec, by key of their bands. */
export function sourcesOf(written: readonly z.infer<typeof SpecSource>[]): Pass['sources'] {
  return new Map(
    written.map(({ key, ...source }) => {
      const band = bandByKey(key);
      if (band === undefined) throw new Error(`the graph has no band ${key}`);
      return [key, { band, ...source }];
    }),
  );
}

/** Returns sources in the form of a spec. */
export function writtenSources(sources: Pass['sources']): PassSpec['sources'] {
  const written = ([key, { datasetId, firstReader, isOutput }]: readonly [string, PassSource]) => ({
    key,
    datasetId,
    firstReader,
    isOutput,
  });
  return [...sources].map(written);
}

/** Returns the node with a code. */
export function nodeOf(code: string): GraphNode {
  const node = nodeByCode(code);
  if (node === undefined) throw new Error(`the graph has no node ${code}`);
  return node;
}

/** A grid and its division. */
interface Cut {
  readonly grid: Pick<ReferenceGrid, 'width' | 'height'>;
  readonly blocks: BlockShape;
}

/** Returns the blocks of a pass, row by row. Their corners are corners of tiles, also in the overviews that blocks contain completely. */
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

/** Returns the windows of a block in the order of computation. */
export function windowsOfBlock({ params }: Pick<PassSpec, 'params'>, block: Tile): readonly Tile[] {
  return [...windowsIn(block, params.window_size)];
}

/** Divides the outputs of a pass into groups; one child process assembles each. */
export function outputGroups({ grid, nodes }: Pick<PassSpec, 'grid' | 'nodes'>): readonly string[][] {
  const fitting = Math.max(1, Math.floor(groupedPixels / (grid.width * grid.height)));
  const size = Math.max(1, Math.min(fitting, Math.ceil(nodes.length / outputHands)));
  return Array.from({ length: Math.ceil(nodes.length / size) }, (_, index) =>
    nodes.slice(index * size, (index + 1) * size),
  );
}
