import { join } from 'node:path';
import type { RasterReader, CreateTileEncoder } from '../../geo/raster-reader.ts';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { storageOf } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { type Tile, tilesOf, withHalo } from '../model/tiles.ts';
import type { Batch, BatchResult } from './landscape-engine.ts';
import { addCounts, type SourceCounts } from '../grid/sample.ts';
import { createTileEvaluator } from './evaluate-tile.ts';
import { openSources } from './sources.ts';

/** Computes a batch tile by tile, each source read once, and encodes what it computes. @throws {SourceUnreadable} */
export async function computeBatch(
  { reader, createEncoder }: { readonly reader: RasterReader; readonly createEncoder: CreateTileEncoder },
  batch: Batch,
): Promise<BatchResult> {
  const { grid, params } = batch;
  const nodes = batch.nodes.map((code) => known(nodeByCode(code), code));
  const files = batch.sources.map(({ key, path }) => ({ band: known(bandByKey(key), key), path }));
  const evaluator = createTileEvaluator({ nodes, grid, params });
  const counts = new Map<string, SourceCounts>();
  using sources = await openSources(reader, grid, files);
  const outputs = createEncoders(createEncoder, batch, nodes);
  for (const tile of tilesOf(batch.windows)) {
    const window = withHalo(tile, evaluator.halo, grid);
    const around = await sources.readWindow(elevation.key, window, tile);
    const read = await sources.readTile(tile, elevation.key);
    for (const [key, pixels] of [[elevation.key, around] as const, ...read]) {
      counts.set(key, addCounts(counts.get(key), pixels.counts));
    }
    const pixels = new Map([...read].map(([key, { values }]) => [key, values]));
    if (!(around.values instanceof Float32Array)) throw new Error('elevation is no classes');
    await outputs.put(
      tile,
      evaluator.evaluate(tile, { pixels, elevation: { values: around.values, window } }),
    );
  }
  await outputs.finish();
  const seconds = Object.fromEntries(evaluator.seconds());
  return { sources: Object.fromEntries(counts), parts: outputs.parts, seconds };
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph knows no ${name}`);
  return found;
}

/** Encodes the tiles of each node. */
function createEncoders(
  createEncoder: CreateTileEncoder,
  { grid, windows, folder }: Batch,
  nodes: readonly GraphNode[],
) {
  const tiles = [...tilesOf(windows)];
  const { width, height } = grid;
  const encoders = nodes.map(({ code, output }) => ({
    code,
    encoder: createEncoder({ width, height, ...storageOf(output), tiles, path: join(folder, code) }),
  }));
  return {
    parts: encoders.map(({ code, encoder }) => ({ code, paths: [...encoder.paths] })),
    async put(tile: Tile, pixels: ReadonlyMap<string, Float32Array | Uint8Array>): Promise<void> {
      for (const { code, encoder } of encoders) {
        const values = pixels.get(code);
        if (values === undefined) throw new Error(`node ${code} was not computed`);
        await encoder.put(tile, values);
      }
    },
    async finish(): Promise<void> {
      for (const { encoder } of encoders) await encoder.finish();
    },
  };
}
