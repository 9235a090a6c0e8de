import type { Database } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { authalicPlacesOf, quadrilateralArea } from '../../geo/area/authalic.ts';
import type { GridSample, Places, RasterPoints } from '../../maps/service/raster-points.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { createGapCounter } from '../compute/count-gaps.ts';
import type { TileGaps } from '../compute/landscape-engine.ts';
import { createTileEvaluator, type Pixels } from '../compute/evaluate-tile.ts';
import { zoning, zoningNodes } from '../graph/zoning-inputs.ts';
import { classNoData } from '../model/bands.ts';
import { elevation, leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import type { LandscapeGaps } from './gaps-schema.ts';
import { type GapInputs, gapInputs, toGaps } from './gaps.ts';
import { checkRunInput } from '../runs/input.ts';
import { resolveInputs } from '../plan/plan-inputs.ts';
import { resolvePoints } from '../runs/resolve-points.ts';

/** Number of cells along each side of the grid; the pixel in the middle represents its cell. */
const side = 64;
/** The maximum number of blocks of a raster that are decoded. */
const maxBlocks = 16;

interface Dependencies {
  readonly db: Database;
  readonly rasterPoints: RasterPoints;
  /** Performs work that is charged to the client's budget. */
  readonly spend: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Estimates the holes of a run over the current rasters, from a sample of places on the grid of the elevation.
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
  const inputs = await Promise.all(
    found.inputs.map(async ({ band, datasetId }) => {
      const view = await rasterPoints.open(datasetId, signal);
      const read = async (places: Places) => {
        const options = { maxBlocks, affinity: view.cogKey, signal };
        const { rasters } = await rasterPoints.read([view], places, options);
        const [around] = rasters;
        if (around === undefined) throw new Error('a raster was not read');
        return resolvePoints(band, around);
      };
      return await spend(async () => {
        const coarse = await read(joined(sample.centres, sample.probes));
        const cells = sample.centres.lons.length;
        const probes = coarse.subarray(cells);
        const fine = probes.length === 0 ? probes : await read(sample.probes);
        return { key: band.key, cells: coarse.subarray(0, cells), probes, fine };
      });
    }),
  );
  const areas = cellAreas(sample);
  const whole = areas.reduce((sum, area) => sum + area, 0);
  const probed = sample.probes.lons.map(() => whole / sample.probes.lons.length);
  const counter = createSampleCounter(found, isPinned);
  const pixelsOf = (of: 'cells' | 'probes' | 'fine') =>
    new Map(inputs.map((input) => [input.key, input[of]]));
  const counted = counter(pixelsOf('cells'), areas);
  const gaps = corrected(counted, counter(pixelsOf('probes'), probed), counter(pixelsOf('fine'), probed));
  return toGaps(found, gaps, true);
}

function joined(one: Places, other: Places): Places {
  return {
    lons: Float64Array.of(...one.lons, ...other.lons),
    lats: Float64Array.of(...one.lats, ...other.lats),
  };
}

/** Corrects the result by the difference between full resolution and overviews at the same places. */
function corrected(all: TileGaps, coarse: TileGaps, fine: TileGaps): TileGaps {
  const add = (area: number, less = 0, more = 0) => Math.max(0, Math.min(all.grid, area + more - less));
  return {
    grid: all.grid,
    withoutZone: add(all.withoutZone, coarse.withoutZone, fine.withoutZone),
    missing: all.missing.map((area, i) => add(area, coarse.missing[i], fine.missing[i])),
    alone: all.alone.map((area, i) => add(area, coarse.alone[i], fine.alone[i])),
  };
}

async function findInputs(db: Database, body: unknown) {
  return await inSnapshot(db, async (trx) => {
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

/** Creates an evaluator of the graph at places, each with its area, which counts as a run does. */
function createSampleCounter({ inputs }: GapInputs, isPinned: (group: string) => boolean) {
  const counter = createGapCounter(inputs.map(({ band }) => band));
  const params = LandscapeParams.parse({});
  return (pixels: ReadonlyMap<string, Pixels>, areas: Float64Array): TileGaps => {
    const [width, height] = [side, Math.ceil(areas.length / side)];
    const tile = { x: 0, y: 0, width, height };
    const length = width * height;
    // Missing values do not depend on the distance between places.
    const crs = { kind: 'projected', metresPerUnit: 1 } as const;
    const grid = { width, height, left: 0, top: 0, resX: 1, resY: 1, crs, wkt: '' };
    const evaluator = createTileEvaluator({ nodes: zoningNodes(isPinned), grid, params });
    const padded = new Map([...pixels].map(([key, values]) => [key, paddedTo(length, values)]));
    const heights = padded.get(elevation.key);
    const values = heights instanceof Float32Array ? heights : new Float32Array(length);
    const computed = evaluator.evaluate(tile, { pixels: padded, elevation: { values, window: tile } });
    const none = new Uint8Array(length).fill(classNoData);
    return counter.count({
      areas: Float64Array.from({ length }, (_, i) => areas[i] ?? 0),
      zones: computed.get(zoning.code) ?? none,
      bands: inputs.map(({ band }) => ({ pixels: padded.get(band.key) ?? none, isWhole: false })),
    });
  };
}

/** Pads values to a rectangle, because the graph is evaluated on rectangles; the padding has no area. */
function paddedTo(length: number, values: Pixels): Pixels {
  const padded = values instanceof Float32Array ? new Float32Array(length) : new Uint8Array(length);
  padded.set(values);
  return padded;
}

/** Returns areas of cells in square metres; 0 for a cell that does not lie entirely on the earth. */
function cellAreas({ across, down, corners: { lons, lats } }: GridSample): Float64Array {
  const corners = authalicPlacesOf(lons, lats);
  const wide = across + 1;
  return Float64Array.from({ length: across * down }, (_, i) => {
    const corner = Math.floor(i / across) * wide + (i % across);
    return quadrilateralArea(corners, [corner, corner + 1, corner + wide + 1, corner + wide]) || 0;
  });
}
