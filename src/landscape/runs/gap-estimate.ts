import type { Database } from '../../database/tables.ts';
import { authalicPlacesOf, quadrilateralArea } from '../../geo/area/authalic.ts';
import type { GridSample, RasterPoints } from '../../maps/service/raster-points.ts';
import { landscapeProblems } from '../../messages/datasets.ts';
import { createGapCounter, type TileGaps } from '../compute/count-gaps.ts';
import { createTileEvaluator, type Pixels } from '../compute/evaluate-tile.ts';
import { zoning, zoningNodes } from '../graph/zoning-inputs.ts';
import { classNoData } from '../model/bands.ts';
import { elevation, leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import type { LandscapeGaps } from './gaps-schema.ts';
import { type GapInputs, gapInputs, toGaps } from './gaps.ts';
import { checkRunInput } from './input.ts';
import { resolveInputs } from './plan-inputs.ts';
import { resolvePoints } from './resolve-points.ts';

/** Cells along a side of the grid; the pixel in the middle of each stands for it. */
const side = 64;
/** Blocks of a raster that are decoded at most. */
const maxBlocks = 16;

interface Dependencies {
  readonly db: Database;
  readonly rasterPoints: RasterPoints;
  /** Does work that counts for the client. */
  readonly spend: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Estimates the holes that a run over the rasters of now would have, from a sample of places on the grid of the elevation.
 * @throws {Problem} `conflict` when inputs are missing; as `checkRunInput` does.
 */
export async function estimateGaps(
  { db, rasterPoints, spend }: Dependencies,
  body: unknown,
  signal: AbortSignal,
): Promise<LandscapeGaps> {
  const { found, isPinned } = await findInputs(db, body);
  const grid = await rasterPoints.open(found.elevationId, signal);
  const sample = await spend(async () => await rasterPoints.sample(grid, side, signal));
  const values = await Promise.all(
    found.inputs.map(async ({ band, datasetId }) => {
      const view = await rasterPoints.open(datasetId, signal);
      const options = { maxBlocks, affinity: view.cogKey, signal };
      const { rasters } = await spend(async () => await rasterPoints.read([view], sample, options));
      const [around] = rasters;
      if (around === undefined) throw new Error('a raster was not read');
      return [band.key, resolvePoints(band, around)] as const;
    }),
  );
  return toGaps(found, countSample({ found, isPinned, sample, pixels: new Map(values) }), true);
}

async function findInputs(db: Database, body: unknown) {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return await snapshot.execute(async (trx) => {
    const { overrides } = await checkRunInput(trx, body);
    const { rasters } = await resolveInputs(trx, overrides);
    const datasets = new Map([...rasters].map(([group, { id }]) => [group, id]));
    const isPinned = (group: string) => Object.hasOwn(overrides, group);
    const empty = leaves.map(({ group }) => group).filter((group) => !datasets.has(group));
    const found = gapInputs(datasets, isPinned);
    if (empty.length > 0 || found === undefined) throw landscapeProblems.inputsMissing(empty);
    return { found, isPinned };
  });
}

interface Sampled {
  readonly found: GapInputs;
  readonly isPinned: (group: string) => boolean;
  readonly sample: GridSample;
  /** By key of the band. */
  readonly pixels: ReadonlyMap<string, Pixels>;
}

/** Evaluates the graph at the places, each for the area of its cell, and counts as a run does. */
function countSample({ found: { inputs }, isPinned, sample, pixels }: Sampled): TileGaps {
  const { across: width, down: height } = sample;
  const tile = { x: 0, y: 0, width, height };
  // Whether there is a value does not depend on how far apart the places are.
  const crs = { kind: 'projected', metresPerUnit: 1 } as const;
  const grid = { width, height, left: 0, top: 0, resX: 1, resY: 1, crs, wkt: '' };
  const params = LandscapeParams.parse({});
  const evaluator = createTileEvaluator({ nodes: zoningNodes(isPinned), grid, params });
  const heights = pixels.get(elevation.key);
  const values = heights instanceof Float32Array ? heights : new Float32Array(width * height);
  const computed = evaluator.evaluate(tile, { pixels, elevation: { values, window: tile } });
  const none = new Uint8Array(width * height).fill(classNoData);
  return createGapCounter(inputs.map(({ band }) => band)).count(tile, {
    areas: cellAreas(sample),
    zones: computed.get(zoning.code) ?? none,
    bands: inputs.map(({ band }) => ({ pixels: pixels.get(band.key) ?? none, isWhole: false })),
  });
}

/** In square metres; 0 for a cell that does not lie on the earth as a whole. */
function cellAreas({ across, down, cornerLons, cornerLats }: GridSample): Float64Array {
  const corners = authalicPlacesOf(cornerLons, cornerLats);
  const wide = across + 1;
  return Float64Array.from({ length: across * down }, (_, i) => {
    const corner = Math.floor(i / across) * wide + (i % across);
    return quadrilateralArea(corners, [corner, corner + 1, corner + wide + 1, corner + wide]) || 0;
  });
}
