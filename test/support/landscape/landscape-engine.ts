import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { createLandscapeEngine } from '../../../src/landscape/compute/driver.ts';
import { openGdalChildren } from '../../../src/geo/parent/children.ts';
import type {
  BandFile,
  Batch,
  BatchResult,
  InspectionResult,
} from '../../../src/landscape/compute/landscape-engine.ts';
import { batchesOf, type Tile, tilesOf, windowsOf } from '../../../src/landscape/model/tiles.ts';
import { sumGaps } from '../../../src/landscape/compute/count-gaps.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { nodes } from '../../../src/landscape/graph/graph.ts';
import type { ReferenceGrid } from '../../../src/landscape/grid/reference-grid.ts';
import { LandscapeParams } from '../../../src/landscape/model/params.ts';

/** Opens a real landscape engine with its own folder. */
export async function openLandscapeEngine(options: { deadlineSeconds?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-landscape-'));
  const log = { info: () => undefined, warn: () => undefined };
  const engine = createLandscapeEngine(await openGdalChildren({ deadlineSeconds: 300, ...options, log }));
  const { signal } = new AbortController();
  const task = async <T>(work: T) => ({ work, scratch: await mkdtemp(join(folder, 'scratch-')), signal });
  return {
    folder,
    inspect: async (sources: BandFile[]): Promise<InspectionResult> =>
      engine.inspect(await task({ sources })),
    async compute(batch: Batch): Promise<BatchResult> {
      const { scratch } = await task(batch);
      return await engine.compute({ files: batch, batch: Promise.resolve(batch), scratch, signal });
    },
    close: () => rm(folder, { recursive: true }),
  };
}

export type TestLandscapeEngine = Awaited<ReturnType<typeof openLandscapeEngine>>;

/** Computes all nodes with default parameters, in as many processes as there are workers. */
export async function computeWhole(
  engine: TestLandscapeEngine,
  pass: {
    readonly grid: ReferenceGrid;
    readonly sources: readonly BandFile[];
    readonly windowSize: number;
    readonly workers: number;
  },
) {
  const { grid, windowSize, workers } = pass;
  const folder = await mkdtemp(join(engine.folder, 'pass-'));
  const batches = batchesOf([...windowsOf(grid, windowSize)], workers);
  const results = await Promise.all(
    batches.map(async (windows) =>
      engine.compute({
        grid,
        params: LandscapeParams.parse({}),
        nodes: nodes.map(({ code }) => code),
        sources: [...pass.sources],
        windows: [...windows],
        folder: await mkdtemp(join(folder, 'batch-')),
        gaps: leaves.map(({ key }) => key),
      }),
    ),
  );
  const raster = async (code: string) => {
    const pixelBytes = nodes.find((node) => node.code === code)?.output.type === 'uint8' ? 1 : 4;
    const whole = Buffer.alloc(grid.width * grid.height * pixelBytes);
    for (const [index, result] of results.entries()) {
      const [path = ''] = result.parts.find((part) => part.code === code)?.paths ?? [];
      const tiles = [...tilesOf(batches[index] ?? [])];
      const stride = grid.width * pixelBytes;
      for (const { x, y, width, pixels } of readPart(path, tiles))
        for (let from = 0, row = y; from < pixels.length; from += width * pixelBytes, row += 1)
          pixels.copy(whole, row * stride + x * pixelBytes, from, from + width * pixelBytes);
    }
    return whole;
  };
  return {
    results,
    /** Gaps of the zoning that the leaves cause. */
    gaps: () =>
      sumGaps(
        results.flatMap(({ gaps = [] }, index) =>
          [...tilesOf(batches[index] ?? [])].flatMap((tile, i) => {
            const counted = gaps[i];
            return counted === undefined ? [] : [{ tile, gaps: counted }];
          }),
        ),
      ),
    /** Raster of a node, assembled from its tiles. */
    raster,
    /** Digests of the rasters, by code of the node. */
    async digests(): Promise<Readonly<Record<string, string>>> {
      const digests: Record<string, string> = {};
      for (const { code } of nodes)
        digests[code] = createHash('sha256')
          .update(await raster(code))
          .digest('hex');
      return digests;
    },
  };
}

/** Decodes the tiles of the full resolution from a file of a batch, which covers the rectangle around them. */
export function* readPart(path: string, tiles: readonly Tile[]) {
  const left = Math.min(...tiles.map(({ x }) => x));
  const top = Math.min(...tiles.map(({ y }) => y));
  const part = gdal.open(path);
  for (const { x, y, width, height } of tiles) {
    const pixels = part.bands.get(1).pixels.read(x - left, y - top, width, height);
    yield { x, y, width, pixels: Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength) };
  }
  part.close();
}
