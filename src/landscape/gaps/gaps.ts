import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { TileGaps } from '../compute/landscape-engine.ts';
import { graphVersion } from '../graph/graph.ts';
import { zoning, zoningInputs, isNeverMissing } from '../graph/zoning-inputs.ts';
import { type Band, classNoData } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import type { LandscapeGaps, LandscapeGapPlace } from './gaps-schema.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';
import { toHectares } from '../../../common/formats/hectares.ts';
import { Problem } from '../../lib/errors.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import { noDataOf, resolvePoints } from '../runs/resolve-points.ts';

/** A raster on which the zoning of a run depends. */
export interface ZoningInput {
  readonly band: Band;
  readonly datasetId: string;
}

/** The inputs that determine the gaps of a run; parameters have no effect. */
export interface GapInputs {
  /** Inputs in the order of the graph. */
  readonly inputs: readonly ZoningInput[];
  /** The dataset that defines the grid. */
  readonly elevationId: string;
  /** Equal for runs with equal gaps. */
  readonly key: string;
}

/** Returns the inputs that determine the gaps of a run; undefined before the run is planned. */
export function gapInputsOf({ nodes, overrides, graphVersion }: StoredRun): GapInputs | undefined {
  const datasets = new Map(nodes.flatMap(({ inputs }) => [...inputs]));
  return gapInputs(datasets, (group) => Object.hasOwn(overrides, group), graphVersion ?? 1);
}

/** Returns the inputs that determine gaps; undefined when one is missing. @param datasets by group code, of leaves and pins. */
export function gapInputs(
  datasets: ReadonlyMap<string, string>,
  isPinned: (group: string) => boolean,
  version: number = graphVersion,
): GapInputs | undefined {
  const elevationId = datasets.get(elevation.group);
  const inputs = zoningInputs(isPinned).flatMap((band) => {
    const datasetId = datasets.get(band.group);
    return datasetId === undefined ? [] : [{ band, datasetId }];
  });
  if (elevationId === undefined || inputs.length < zoningInputs(isPinned).length) return undefined;
  const named = inputs.map(({ band, datasetId }) => [band.key, datasetId]);
  const text = JSON.stringify({ graph: version, grid: elevationId, inputs: named });
  return { inputs, elevationId, key: hash('sha256', text, 'hex') };
}

const Figures = TileGaps.extend({ keys: z.array(z.string()) });

export async function hasGaps(db: Database | Transaction, key: string): Promise<boolean> {
  const row = await db.selectFrom('landscape_gaps').select('key').where('key', '=', key).executeTakeFirst();
  return row !== undefined;
}

/** Stores the gaps of these inputs for all runs with the same inputs. */
export async function storeGaps(trx: Transaction, { key, inputs }: GapInputs, gaps: TileGaps): Promise<void> {
  const figures = JSON.stringify({ ...gaps, keys: inputs.map(({ band }) => band.key) });
  await trx
    .insertInto('landscape_gaps')
    .values({ key, figures })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Reads a run that has succeeded. @throws {Problem} `not_found`, `conflict` before it has ended. */
export async function readSucceededRun(db: Database, id: string): Promise<StoredRun> {
  const run = await readRun(db, id);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  if (run.status === 'failed') throw landscapeProblems.gapsOfFailedRun();
  if (run.status !== 'succeeded') throw landscapeProblems.gapsNotYet();
  return run;
}

/**
 * Returns the holes that the inputs of a run leave in its zoning.
 * @throws {Problem} as `readSucceededRun`; `not_found` if they were not counted.
 */
export async function getGaps(db: Database, id: string): Promise<LandscapeGaps> {
  const found = gapInputsOf(await readSucceededRun(db, id));
  const row =
    found &&
    (await db.selectFrom('landscape_gaps').select('figures').where('key', '=', found.key).executeTakeFirst());
  if (found === undefined || row === undefined) throw landscapeProblems.gapsNotCounted();
  return toGaps(found, Figures.parse(JSON.parse(row.figures)), false);
}

/** Converts gaps from square metres to the answer. */
export function toGaps({ inputs }: GapInputs, gaps: TileGaps, isEstimate: boolean): LandscapeGaps {
  return {
    is_estimate: isEstimate,
    unit: 'ha',
    grid_ha: toHectares(gaps.grid),
    without_zone_ha: toHectares(gaps.withoutZone),
    inputs: inputs.map(({ band, datasetId }, index) => ({
      group: band.group,
      dataset_id: datasetId,
      missing_ha: toHectares(gaps.missing[index] ?? 0),
      alone_ha: toHectares(gaps.alone[index] ?? 0),
    })),
  };
}

/** Returns the dataset of the zoning of a run, made or reused. */
export function zoningOutputOf({ nodes }: StoredRun): string | null {
  return nodes.find(({ code }) => code === zoning.code)?.outputId ?? null;
}

interface PlaceRequest {
  readonly runId: string;
  readonly lon: number;
  readonly lat: number;
}

/** Returns the zone of a place in a run, and the inputs without a value there. @throws {Problem} */
export async function getGapPlace(
  { db, rasterPoints }: { readonly db: Database; readonly rasterPoints: RasterPoints },
  { runId, lon, lat }: PlaceRequest,
  signal: AbortSignal,
): Promise<LandscapeGapPlace> {
  const run = await readSucceededRun(db, runId);
  const [found, zonesId] = [gapInputsOf(run), zoningOutputOf(run)];
  if (found === undefined || zonesId === null) throw landscapeProblems.gapsNotCounted();
  const open = async (group: string, id: string) =>
    await rasterPoints.open(id, signal).catch((error: unknown) => {
      const isGone = error instanceof Problem && error.code === 'not_found';
      throw isGone ? landscapeProblems.rasterOfRunGone(group) : error;
    });
  const [grid, zones, ...views] = await Promise.all([
    open(elevation.group, found.elevationId),
    open(zoning.output.group, zonesId),
    ...found.inputs.map(async ({ band, datasetId }) => await open(band.group, datasetId)),
  ]);
  const places = { lons: Float64Array.of(lon), lats: Float64Array.of(lat) };
  const options = { snapTo: grid, affinity: grid.meshKey, signal };
  const { rasters, isOn } = await rasterPoints.read([zones, ...views], places, options);
  const [ofZones, ...ofInputs] = rasters;
  const [zone = classNoData] = ofZones === undefined ? [] : resolvePoints(zoning.output, ofZones);
  const isOnGrid = isOn[0] === 1;
  const missing = found.inputs.filter(({ band }, index) => {
    const values = ofInputs[index];
    return values !== undefined && !isNeverMissing(band) && resolvePoints(band, values)[0] === noDataOf(band);
  });
  return {
    lon,
    lat,
    is_on_grid: isOnGrid,
    zone: isOnGrid && zone !== classNoData ? zone : null,
    missing: isOnGrid ? missing.map(({ band }) => band.group) : [],
  };
}
