import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { RasterReader } from '../../geo/raster-reader.ts';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { elevation } from '../model/leaves.ts';
import { tilesOf, withHalo } from '../model/tiles.ts';
import type { Batch, BatchResult } from './batch.ts';
import { addCounts, type SourceCounts } from '../grid/counts.ts';
import { createTileEvaluator } from './evaluate-tile.ts';
import { openSources } from './sources.ts';

/** Computes a batch tile by tile, each source read once. @throws {SourceUnreadable} */
export async function computeBatch(reader: RasterReader, batch: Batch): Promise<BatchResult> {
  const { grid, params, folder } = batch;
  const nodes = batch.nodes.map((code) => known(nodeByCode(code), code));
  const files = batch.sources.map(({ key, path }) => ({ band: known(bandByKey(key), key), path }));
  const evaluator = createTileEvaluator({ nodes, grid, params });
  const counts = new Map<string, SourceCounts>();
  using sources = await openSources(reader, grid, files);
  await using parts = await createPartFiles(folder, batch.nodes);
  for (const tile of tilesOf(batch.windows)) {
    const window = withHalo(tile, evaluator.halo, grid);
    const around = await sources.readWindow(elevation.key, window, tile);
    const read = await sources.readTile(tile, elevation.key);
    for (const [key, pixels] of [[elevation.key, around] as const, ...read]) {
      counts.set(key, addCounts(counts.get(key), pixels.counts));
    }
    const pixels = new Map([...read].map(([key, { values }]) => [key, values]));
    if (!(around.values instanceof Float32Array)) throw new Error('elevation is no classes');
    await parts.append(evaluator.evaluate(tile, { pixels, elevation: { values: around.values, window } }));
  }
  return { sources: Object.fromEntries(counts), parts: parts.files };
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph knows no ${name}`);
  return found;
}

/** The files that a batch writes, one for each node. */
interface PartFiles extends AsyncDisposable {
  readonly files: { code: string; path: string }[];
  /** Writes the pixels of a tile behind those of the tiles before it, by code of the node. */
  append(pixels: ReadonlyMap<string, Float32Array | Uint8Array>): Promise<void>;
}

/** Creates the part files of a batch in its folder, over those of an attempt before. */
async function createPartFiles(folder: string, codes: readonly string[]): Promise<PartFiles> {
  await using opening = new AsyncDisposableStack();
  const handles = new Map<string, FileHandle>();
  const files = codes.map((code) => ({ code, path: join(folder, `${code}.raw`) }));
  for (const { code, path } of files) handles.set(code, opening.use(await open(path, 'w')));
  const opened = opening.move();
  return {
    files,
    async append(pixels) {
      for (const [code, { buffer, byteOffset, byteLength }] of pixels) {
        // Little-endian, as every machine is that this runs on.
        const handle = handles.get(code);
        if (handle === undefined) throw new Error(`node ${code} has no part in this batch`);
        await handle.appendFile(new Uint8Array(buffer, byteOffset, byteLength));
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
