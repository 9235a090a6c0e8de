import { join } from 'node:path';
import type { RasterReader, CreateTileEncoder, EncodedRaster } from '../../geo/raster-reader.ts';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { storageOf } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import { layerByName } from '../graph/layers/layer-by-name.ts';
import type { LayerPixels } from '../model/layer.ts';
import { type Tile, tilesOf, withHalo } from '../model/tiles.ts';
import type { Batch, BatchResult, TileGaps } from './landscape-engine.ts';
import { addCounts, type SourceCounts } from '../grid/sample.ts';
import { createCellAreas } from '../grid/cell-areas.ts';
import { crsOf, type ReferenceGrid } from '../grid/reference-grid.ts';
import type { AlignedPixels } from '../grid/align.ts';
import { isElevation, zoning } from '../graph/zoning-inputs.ts';
import { createLayerEvaluator, createTileEvaluator, type Pixels } from './evaluate-tile.ts';
import { createGapCounter } from './count-gaps.ts';
import { openSources } from './sources.ts';

/** Computes a batch tile by tile, reading each source once, and encodes the results. @throws {SourceUnreadable} */
export async function computeBatch(
  { reader, createEncoder }: { readonly reader: RasterReader; readonly createEncoder: CreateTileEncoder },
  batch: Batch,
): Promise<BatchResult> {
  const { grid, params } = batch;
  const nodes = batch.nodes.map((code) => known(nodeByCode(code), code));
  const layers = (batch.layers ?? []).map((name) => known(layerByName(name), name));
  const layerEvaluators = layers.map((layer) => ({ name: layer.name, ...createLayerEvaluator(layer) }));
  const readsElevation = layers.some(({ inputs }) => inputs.some(isElevation));
  const files = batch.sources.map(({ key, ...file }) => ({ band: known(bandByKey(key), key), ...file }));
  const evaluator = createTileEvaluator({ nodes, grid, params });
  const counts = new Map<string, SourceCounts>();
  using sources = await openSources(reader, grid, files);
  const outputs = createEncoders(createEncoder, batch, [
    ...nodes.map(({ code, output }) => ({ code, ...storageOf(output) })),
    ...layers.map(({ name, dataType, noData }) => ({ code: name, dataType, noData })),
  ]);
  const gaps = batch.gaps && createGaps(reader, grid, batch.gaps);
  let writing = Promise.resolve();
  for (const tile of tilesOf(batch.windows)) {
    const window = withHalo(tile, evaluator.halo, grid);
    const around = await sources.readWindow(elevation.key, window, tile);
    const read = await sources.readTile(tile, elevation.key);
    for (const [key, pixels] of [[elevation.key, around] as const, ...read]) {
      counts.set(key, addCounts(counts.get(key), pixels.counts));
    }
    const pixels = new Map([...read].map(([key, { values }]) => [key, values]));
    if (!(around.values instanceof Float32Array)) throw new Error('elevation is no classes');
    const computed = evaluator.evaluate(tile, { pixels, elevation: { values: around.values, window } });
    gaps?.count(tile, { around, window, read, zones: computed.get(zoning.code) ?? pixels.get(zoning.code) });
    const forLayers = readsElevation
      ? new Map([...pixels, [elevation.key, withoutHalo(around.values, window, tile)]])
      : pixels;
    const made = layerEvaluators.map(({ name, evaluate }) => [name, evaluate(tile, forLayers)] as const);
    // A tile is written while the next one is read and evaluated: the evaluators overwrite its arrays one call later.
    await writing;
    writing = outputs.put(tile, new Map<string, Pixels | LayerPixels>([...computed, ...made]));
    // A failure is thrown with the next tile, or at the end.
    writing.catch(() => undefined);
  }
  await writing;
  const parts = await outputs.finish(batch.arranged);
  const seconds = Object.fromEntries(evaluator.seconds());
  const counted = gaps && { gaps: gaps.counted };
  return { sources: Object.fromEntries(counts), parts, seconds, ...counted };
}

interface ReadTile {
  /** The elevation, including its halo. */
  readonly around: AlignedPixels;
  readonly window: Tile;
  /** All other bands. */
  readonly read: ReadonlyMap<string, AlignedPixels>;
  readonly zones: Pixels | undefined;
}

/** Counts the gaps of each tile; undefined for a grid that does not lie on the earth. */
function createGaps(reader: RasterReader, grid: ReferenceGrid, keys: readonly string[]) {
  const toEarth = reader.earthOf(crsOf(grid));
  if (toEarth === undefined) return undefined;
  const bands = keys.map((key) => known(bandByKey(key), key));
  const counter = createGapCounter(bands);
  const areasOf = createCellAreas(grid, toEarth);
  const counted: TileGaps[] = [];
  return {
    counted,
    count(tile: Tile, { around, window, read, zones }: ReadTile): void {
      const length = tile.width * tile.height;
      const isWhole = ({ counts }: AlignedPixels) => counts.valid === length;
      const pixelsOf = bands.map((band) => {
        const pixels = isElevation(band) ? around : known(read.get(band.key), band.key);
        if (isWhole(pixels)) return { pixels: pixels.values, isWhole: true };
        const values = isElevation(band) ? withoutHalo(pixels.values, window, tile) : pixels.values;
        return { pixels: values, isWhole: false };
      });
      const all = { areas: areasOf(tile), zones: known(zones, zoning.code), bands: pixelsOf };
      counted.push(counter.count(all));
    },
  };
}

function withoutHalo(values: Pixels, window: Tile, tile: Tile): Pixels {
  const own = new Float32Array(tile.width * tile.height);
  for (let y = 0; y < tile.height; y += 1) {
    const from = (tile.y + y - window.y) * window.width + tile.x - window.x;
    own.set(values.subarray(from, from + tile.width), y * tile.width);
  }
  return own;
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph knows no ${name}`);
  return found;
}

function createEncoders(
  createEncoder: CreateTileEncoder,
  { grid, windows, folder }: Batch,
  rasters: readonly ({ readonly code: string } & Pick<EncodedRaster, 'dataType' | 'noData'>)[],
) {
  const tiles = [...tilesOf(windows)];
  const { width, height } = grid;
  // The name of a layer may be longer than a file name can be.
  const encoders = rasters.map(({ code, ...storage }, index) => ({
    code,
    encoder: createEncoder({ width, height, ...storage, tiles, path: join(folder, `raster-${index}`) }),
  }));
  return {
    async put(tile: Tile, pixels: ReadonlyMap<string, Pixels | LayerPixels>): Promise<void> {
      await Promise.all(
        encoders.map(async ({ code, encoder }) => {
          const values = pixels.get(code);
          if (values === undefined) throw new Error(`${code} was not computed`);
          await encoder.put(tile, values);
        }),
      );
    },
    async finish(isArranged = false): Promise<BatchResult['parts']> {
      return await Promise.all(
        encoders.map(async ({ code, encoder }) => {
          await encoder.finish();
          const needed = isArranged ? { neededBytes: [...(await encoder.arrange())] } : {};
          return { code, paths: [...encoder.paths], ...needed };
        }),
      );
    },
  };
}
