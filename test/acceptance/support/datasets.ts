import assert from 'node:assert/strict';
import type { Client, Part } from '../client.ts';
import { makeCategory } from './catalogue.ts';
import { collection, geojsonFile } from './files.ts';

export interface Dataset {
  readonly id: string;
  readonly category_id: string;
  readonly dg_id: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly unit: string | null;
  readonly filename: string;
  readonly storage_key: string;
  readonly cog_storage_key: string | null;
  readonly sld_storage_key: string | null;
  readonly sld_filename: string | null;
  readonly sld_content_type: string | null;
  readonly file_type: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly automated: boolean;
  readonly status: string;
  readonly attribute_columns:
    | readonly { readonly name: string; readonly samples?: readonly string[] }[]
    | null;
  readonly kato_column: string | null;
  readonly year_columns: readonly unknown[] | null;
  readonly parse_error: string | null;
  readonly bbox?: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}

export type DatasetState = Pick<Dataset, 'id' | 'status' | 'parse_error'>;

export interface YearColumn {
  readonly column: string;
  readonly start_date: string;
  readonly end_date?: string | null;
}

/** Makes something once for each service, however many claims use it. */
export function once<T>(make: (client: Client) => Promise<T>): (client: Client) => Promise<T> {
  const made = new WeakMap<Client, Promise<T>>();
  return async (client) => {
    const known = made.get(client) ?? make(client);
    made.set(client, known);
    return await known;
  };
}

/** A category for uploads that need no particular one. */
export const sharedCategory = once(async (client) => (await makeCategory(client)).id);

type Fields = Readonly<Record<string, string>>;

/** Parts of an upload: the required ones, and `fields` beside or instead of them. */
export async function partsOf(client: Client, file: File, fields: Fields = {}): Promise<Part[]> {
  const file_type = /\.tiff?$/i.test(file.name) ? 'raster' : 'vector';
  const all = { file_type, category_id: await sharedCategory(client), ...fields };
  return [...Object.entries(all), ['file', file]];
}

/** Uploads a dataset and expects 201. */
export async function upload(client: Client, file: File, fields: Fields = {}): Promise<Dataset> {
  return await client.read(201, 'POST', '/datasets', { parts: await partsOf(client, file, fields) });
}

/** Deletes a dataset that is no longer needed, before a worker reads its file. */
export async function discard({ expect }: Client, { id }: Pick<Dataset, 'id'>): Promise<void> {
  await expect(204, 'DELETE', `/datasets/${id}`);
}

/** Uploads a dataset and expects 422 on exactly the parts that are `wrong`. */
export async function refuseUpload(
  client: Client,
  wrong: readonly string[],
  file: File,
  fields: Fields = {},
): Promise<void> {
  await client.invalid(wrong, 'POST', '/datasets', { parts: await partsOf(client, file, fields) });
}

export async function getDataset(client: Client, id: string): Promise<Dataset> {
  return await client.get(`/datasets/${id}`);
}

/** Number of datasets in a category. */
export async function countDatasets(client: Client, categoryId: string): Promise<number> {
  return (await client.get<{ total: number }>(`/datasets?category_id=${categoryId}&page_size=1`)).total;
}

const maxPolls = 60;
const moving: ReadonlySet<string> = new Set(['pending', 'processing', 'parsing', 'extracting']);

/** Waits by long poll until the status of a dataset no longer changes by itself. */
export async function settle(client: Client, id: string): Promise<Dataset> {
  let path = `/datasets/${id}/status`;
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { status } = await client.get<DatasetState>(path);
    if (!moving.has(status)) return await getDataset(client, id);
    path = `/datasets/${id}/status?current=${status}&wait=20`;
  }
  throw new Error(`dataset ${id} does not settle`);
}

/** Uploads a dataset and waits for its status. */
export async function process(
  client: Client,
  expected: 'ready' | 'failed' | 'awaiting_mapping',
  file: File,
  fields: Fields = {},
): Promise<Dataset> {
  const dataset = await settle(client, (await upload(client, file, fields)).id);
  assert.equal(dataset.status, expected, `${file.name}: ${dataset.parse_error}`);
  return dataset;
}

/** A table by KATO that waits for its mapping. */
export async function makeTable(client: Client, table: File | readonly object[]): Promise<Dataset> {
  const file = table instanceof File ? table : tableFile(table);
  return await process(client, 'awaiting_mapping', file, { file_type: 'vector_with_kato' });
}

/** A GeoJSON of rows without geometry. */
function tableFile(rows: readonly object[]): File {
  const features = rows.map((properties) => ({ properties, geometry: null }));
  return geojsonFile(collection(features), 'table.geojson');
}

/** A table with codes in its column `kato`, and the observations of one other column. */
export async function makeMapped(
  client: Client,
  table: File | readonly object[],
  column: string,
  start_date = '2020-01-01',
): Promise<Dataset> {
  return await map(client, (await makeTable(client, table)).id, 'kato', [{ column, start_date }]);
}

/** Maps a table and waits until its observations are stored. */
export async function map(
  client: Client,
  id: string,
  kato_column: string,
  year_columns: readonly YearColumn[],
): Promise<Dataset> {
  await client.expect(200, 'POST', `/datasets/${id}/mapping`, { json: { kato_column, year_columns } });
  const dataset = await settle(client, id);
  assert.equal(dataset.status, 'ready', dataset.parse_error ?? '');
  return dataset;
}
