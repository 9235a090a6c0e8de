import { fetchFromService, refusalOf } from '../service/ask.ts';
import { authorization } from '../service/token.ts';
import type { Dataset } from '../service/types.ts';
import type { Series } from './series.ts';

/** How a map asks the service; paths are relative to where the page is, such as `datasets/…/series`. */
export interface MapService {
  /** @throws Refused when the answer is none of success. */
  readonly get: (path: string) => Promise<Response>;
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
    get: async (path) => {
      const response = await fetchFromService(`./${path}`);
      if (!response.ok) throw await refusalOf(response);
      return response;
    },
  };
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
  await (await service.get(`datasets/${id}`)).json();

export const readSeries = async (service: MapService, id: string): Promise<Series> =>
  await (await service.get(`datasets/${id}/series`)).json();

/** Ready datasets, newest first as the service orders them, and how many there are in all. */
export async function readReadyDatasets(
  service: MapService,
): Promise<{ data: readonly DatasetSummary[]; total: number }> {
  return await (await service.get('datasets?status=ready&page_size=100')).json();
}

/** The CRS of a raster as a PROJ string; undefined where the report has none. */
export async function readProj(service: MapService, id: string): Promise<string | undefined> {
  const report: { raster: { proj?: string | null } | null } = await (
    await service.get(`datasets/${id}/report`)
  ).json();
  return report.raster?.proj ?? undefined;
}

/** The text of the dataset's own style, else of its group's; undefined when neither has one. */
export async function readStyle(service: MapService, dataset: DatasetFacts): Promise<string | undefined> {
  if (dataset.sld_storage_key !== null) return await sldAt(service, `datasets/${dataset.id}/sld`);
  if (dataset.dg_id === null) return undefined;
  const path = `dataset-groups/${dataset.dg_id}`;
  const group: { sld_storage_key: string | null } = await (await service.get(path)).json();
  return group.sld_storage_key === null ? undefined : await sldAt(service, `${path}/sld`);
}

/** Styles are stored in the encoding that they declare. */
async function sldAt(service: MapService, path: string): Promise<string> {
  const bytes = new Uint8Array(await (await service.get(path)).arrayBuffer());
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /encoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  const isBig = bytes[0] === 0xfe || bytes[0] === 0;
  return new TextDecoder(isWide ? (isBig ? 'utf-16be' : 'utf-16le') : declared).decode(bytes);
}
