import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../client.ts';
import { assertError as assertSentence, assertFields } from './errors.ts';
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

/** A part of a form: text, or a file with a name. */
export type Part = readonly [name: string, value: string | File];

export type DatasetState = Pick<Dataset, 'id' | 'status' | 'parse_error'>;

export interface YearColumn {
  readonly column: string;
  readonly start_date: string;
  readonly end_date?: string | null;
}

export const unique = (prefix: string): string => `${prefix}-${randomUUID()}`;

/** Makes something once for each service, however many claims ask for it. */
export function once<T>(make: (client: Client) => Promise<T>): (client: Client) => Promise<T> {
  const made = new WeakMap<Client, Promise<T>>();
  return async (client) => {
    const known = made.get(client) ?? make(client);
    made.set(client, known);
    return await known;
  };
}

const make =
  (path: string) =>
  async (client: Client): Promise<string> => {
    const code = unique('acceptance');
    const answer = await client.expect(201, 'POST', path, { json: { code, name: code } });
    return answer.read<{ id: string }>().id;
  };
export const makeCategory = make('/categories');
export const makeGroup = make('/dataset-groups');

/** The category of uploads that do not mind which. */
export const sharedCategory = once(makeCategory);

/** Sends parts in this order. */
export async function sendParts(client: Client, path: string, parts: readonly Part[]): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return await client.ask('POST', path, { form });
}

/** The parts of an upload: those that it must have, and `fields` beside or instead of them. */
export async function partsOf(
  client: Client,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<Part[]> {
  const file_type = /\.tiff?$/i.test(file.name) ? 'raster' : 'vector';
  const all = { file_type, category_id: await sharedCategory(client), ...fields };
  return [...Object.entries(all), ['file', file]];
}

/** Uploads and expects 201. */
export async function upload(
  client: Client,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<Dataset> {
  const answer = await sendParts(client, '/datasets', await partsOf(client, file, fields));
  assert.equal(answer.status, 201, answer.text);
  return answer.read();
}

/** Checks that an answer is 422 and names exactly these fields. */
export function assertInvalid(answer: Answer, fields: readonly string[]): void {
  assert.equal(answer.status, 422, answer.text);
  assertFields(answer, ...fields);
}

/** Checks that an answer is of this status and carries nothing but a sentence. */
export function assertError(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assertSentence(answer);
}

export async function getDataset(client: Client, id: string): Promise<Dataset> {
  return (await client.expect(200, 'GET', `/datasets/${id}`)).read();
}

/** How many datasets a category has. */
export async function countDatasets(client: Client, categoryId: string): Promise<number> {
  const answer = await client.expect(200, 'GET', `/datasets?category_id=${categoryId}&page_size=1`);
  return answer.read<{ total: number }>().total;
}

const maxPolls = 60;
const moving: ReadonlySet<string> = new Set(['pending', 'processing', 'parsing', 'extracting']);

/** Waits as a client would, by long poll, until nothing more happens to a dataset by itself. */
export async function settle(client: Client, id: string): Promise<Dataset> {
  let path = `/datasets/${id}/status`;
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { status } = (await client.expect(200, 'GET', path)).read<DatasetState>();
    if (!moving.has(status)) return await getDataset(client, id);
    path = `/datasets/${id}/status?current=${status}&wait=20`;
  }
  throw new Error(`dataset ${id} does not settle`);
}

/** Uploads and waits for what becomes of it. */
export async function process(
  client: Client,
  expected: 'ready' | 'failed' | 'awaiting_mapping',
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<Dataset> {
  const dataset = await settle(client, (await upload(client, file, fields)).id);
  assert.equal(dataset.status, expected, `${file.name}: ${dataset.parse_error}`);
  return dataset;
}

/** A table by KATO from rows of cells, read and waiting for its mapping. */
export async function makeTable(client: Client, rows: readonly object[]): Promise<Dataset> {
  const file = geojsonFile(
    collection(rows.map((properties) => ({ properties, geometry: null }))),
    'table.geojson',
  );
  return await process(client, 'awaiting_mapping', file, { file_type: 'vector_with_kato' });
}

/** Maps a table and waits until its observations are there. */
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
