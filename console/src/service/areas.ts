import type { DatasetAreas, OwnAreas } from './types.ts';
import { askCounted } from './counted.ts';

/** The units by which hectares are counted. */
export type By = DatasetAreas['by'];

interface Asking {
  readonly signal: AbortSignal;
  readonly onCounting: () => void;
}

/** Hectares of each class of a raster in each unit. @throws {Refused} 409 and 422 for a raster that has no such areas. */
export async function getAreas(id: string, by: By, asking: Asking): Promise<DatasetAreas> {
  return await askCounted(`/datasets/${encodeURIComponent(id)}/areas?by=${by}`, asking);
}

/** Hectares of each zone of a run in polygons of one's own, as GeoJSON in degrees. @throws {Refused} */
export async function getOwnAreas(runId: string, geojson: unknown, asking: Asking): Promise<OwnAreas> {
  return await askCounted(`/landscape/runs/${encodeURIComponent(runId)}/areas`, {
    method: 'POST',
    body: geojson,
    ...asking,
  });
}
