import { fetchFromService, Refused, refusalOf } from '../../service/fetch.ts';
import { authorization } from '../../service/token.ts';
import type { Dataset, DatasetSummary, Denominator } from '../../service/types.ts';
import { readStatistics } from '../../service/statistics.ts';
import type { CountedRange } from '../../../../common/maps/raster/stretch.ts';
import type { Series } from '../units/unit-series.ts';
import { get, pathTo } from '../../service/request.ts';

/** The absolute address of the COG of a raster. */
export const cogUrlOf = (id: string): string => new URL(`datasets/${id}.cog`, document.baseURI).href;

/** Value of `Authorization` for ranges of rasters. */
export function rangeAuthorization(): string | undefined {
  const token = authorization();
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** The members of a dataset that a map reads. */
export type DatasetFacts = Pick<
  Dataset,
  | 'id'
  | 'name'
  | 'unit'
  | 'file_type'
  | 'status'
  | 'dg_id'
  | 'start_date'
  | 'end_date'
  | 'sld_storage_key'
  | 'bbox'
  | 'kato_column'
  | 'year_columns'
  | 'meta'
>;

export const readDataset = async (id: string): Promise<DatasetFacts> =>
  await get('/datasets/{id}', { path: { id } });

export const readSeries = async (id: string): Promise<Series> =>
  await get('/datasets/{id}/series', { path: { id } });

/** The rates of a table and their denominator; undefined if it has none at present. @throws {Refused} */
export async function readRates(
  id: string,
): Promise<{ readonly rates: Series; readonly denominator: Denominator } | undefined> {
  try {
    const [rates, denominator] = await Promise.all([
      get('/datasets/{id}/series', { path: { id }, query: { rate: '1' } }),
      get('/datasets/{id}/denominator', { path: { id } }),
    ]);
    return { rates, denominator };
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return undefined;
    throw error;
  }
}

export const readGeoJson = async (id: string): Promise<unknown> =>
  await get('/datasets/{id}.geojson', { path: { id } });

/** Ready datasets whose name or description contains a text, newest first, and their total number. */
export async function readReadyDatasets(
  text: string,
): Promise<{ readonly data: readonly DatasetSummary[]; readonly total: number }> {
  return await get('/datasets', { query: { status: 'ready', page_size: 100, q: text } });
}

/** The statistics of all pixels of a raster, by band; an empty list while they are counted, and where they cannot be counted. @throws {Refused} */
export async function readCounts(id: string): Promise<readonly CountedRange[]> {
  try {
    const statistics = await readStatistics(id);
    return statistics === 'counting' ? [] : statistics.bands;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return [];
    throw error;
  }
}

/** The CRS of a raster as a PROJ string; undefined where the report has none. */
export async function readProj(id: string): Promise<string | undefined> {
  const report = await get('/datasets/{id}/report', { path: { id } });
  return report.raster?.proj ?? undefined;
}

/** The text of the dataset's own style, or of its group's; undefined if neither has one. */
export async function readStyle(dataset: DatasetFacts): Promise<string | undefined> {
  if (dataset.sld_storage_key !== null)
    return await sldAt(pathTo('/datasets/{id}/sld', { path: { id: dataset.id } }));
  if (dataset.dg_id === null) return undefined;
  const path = { id: dataset.dg_id };
  const group = await get('/dataset-groups/{id}', { path });
  return group.sld_storage_key === null
    ? undefined
    : await sldAt(pathTo('/dataset-groups/{id}/sld', { path }));
}

/** Reads a style in the encoding that it declares. */
async function sldAt(path: string): Promise<string> {
  const bytes = await fetchFromService(path, {}, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    return await response.bytes();
  });
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /encoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  const isBig = bytes[0] === 0xfe || bytes[0] === 0;
  return new TextDecoder(isWide ? (isBig ? 'utf-16be' : 'utf-16le') : declared).decode(bytes);
}
