import { fetchFromService, refusalOf } from '../service/ask.ts';
import { authorization } from '../service/token.ts';
import type { Dataset, DatasetGroup, ImportReport } from '../service/types.ts';
import type { Series } from './series.ts';

/** How a map asks the service; paths are relative to where the page is, such as `datasets/…/series`. */
export interface MapService {
  /** @throws Refused when the answer is none of success. */
  readonly json: <T>(path: string) => Promise<T>;
  /** @throws Refused when the answer is none of success. */
  readonly bytes: (path: string) => Promise<Uint8Array>;
  /** The absolute address of a path. */
  readonly urlOf: (path: string) => string;
  /** Value of `Authorization` for ranges of rasters. */
  readonly authorization: () => string | undefined;
}

/** Asks the service that the page came from. */
export function createMapService(): MapService {
  return {
    urlOf: (path) => new URL(path, document.baseURI).href,
    authorization: () => {
      const token = authorization();
      return token === undefined ? undefined : `Bearer ${token}`;
    },
    json: async (path) => await get(path, async (response) => await response.json()),
    bytes: async (path) => await get(path, async (response) => await response.bytes()),
  };
}

async function get<T>(path: string, read: (response: Response) => Promise<T>): Promise<T> {
  return await fetchFromService(`./${path}`, {}, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    return await read(response);
  });
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
>;

/** A summary in a list of datasets. */
export type DatasetSummary = Pick<DatasetFacts, 'id' | 'name' | 'file_type' | 'end_date'>;

export const readDataset = async (service: MapService, id: string): Promise<DatasetFacts> =>
  await service.json(`datasets/${id}`);

export const readSeries = async (service: MapService, id: string): Promise<Series> =>
  await service.json(`datasets/${id}/series`);

/** Ready datasets with a text in their names or descriptions, newest first, and how many there are in all. */
export async function readReadyDatasets(
  service: MapService,
  text: string,
): Promise<{ readonly data: readonly DatasetSummary[]; readonly total: number }> {
  const query = new URLSearchParams({
    status: 'ready',
    page_size: '100',
    ...(text === '' ? {} : { q: text }),
  });
  return await service.json(`datasets?${query.toString()}`);
}

/** The CRS of a raster as a PROJ string; undefined where the report has none. */
export async function readProj(service: MapService, id: string): Promise<string | undefined> {
  const report = await service.json<Pick<ImportReport, 'raster'>>(`datasets/${id}/report`);
  return report.raster?.proj ?? undefined;
}

/** The text of the dataset's own style, else of its group's; undefined when neither has one. */
export async function readStyle(service: MapService, dataset: DatasetFacts): Promise<string | undefined> {
  if (dataset.sld_storage_key !== null) return await sldAt(service, `datasets/${dataset.id}/sld`);
  if (dataset.dg_id === null) return undefined;
  const path = `dataset-groups/${dataset.dg_id}`;
  const group = await service.json<Pick<DatasetGroup, 'sld_storage_key'>>(path);
  return group.sld_storage_key === null ? undefined : await sldAt(service, `${path}/sld`);
}

/** Styles are stored in the encoding that they declare. */
async function sldAt(service: MapService, path: string): Promise<string> {
  const bytes = await service.bytes(path);
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /encoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  const isBig = bytes[0] === 0xfe || bytes[0] === 0;
  return new TextDecoder(isWide ? (isBig ? 'utf-16be' : 'utf-16le') : declared).decode(bytes);
}
