import type { Database } from '../../database/tables/tables.ts';
import { Problem } from '../../lib/errors.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { isNeverMissing, zoning } from '../graph/zoning-inputs.ts';
import { classNoData } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import type { LandscapeGapPlace } from './gaps-schema.ts';
import { gapInputsOf, readSucceededRun, zoningOutputOf } from './gaps.ts';
import { noDataOf, resolvePoints } from '../runs/resolve-points.ts';

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
