import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from '../../src/database/tables/tables.ts';
import { digestOfKey } from '../../src/http/access/idempotency.ts';
import type { Parts } from '../../src/runtime/api/parts.ts';
import type { TestApp } from './app.ts';
import { fetchRaw, formType, rawForm, type RawPart } from './http/raw-http.ts';

/** A part of a form: text, or a file with a name. */
export type Part = readonly [name: string, value: string | File];

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: T;
}

export interface DatasetBody {
  readonly id: string;
  readonly name: string;
  readonly storage_key: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** The body of an error. */
export interface Refusal {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

export async function send<T = DatasetBody>(
  { baseUrl }: Pick<TestApp, 'baseUrl'>,
  path: string,
  init: RequestInit = {},
): Promise<Answer<T>> {
  const response = await fetch(baseUrl + path, init);
  const text = await response.text();
  const isWhole = response.status !== 206;
  const isJson = isWhole && response.headers.get('content-type')?.startsWith('application/json') === true;
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

export async function sendJson<T = DatasetBody>(
  app: Pick<TestApp, 'baseUrl'>,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer<T>> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await send(app, path, { method, body: text, headers: { 'content-type': 'application/json' } });
}

export async function sendForm<T = DatasetBody>(
  app: Pick<TestApp, 'baseUrl'>,
  path: string,
  parts: readonly Part[],
): Promise<Answer<T>> {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return await send(app, path, { method: 'POST', body: form });
}

/** Sends parts whose headers are written by hand. */
export async function sendRawForm<T = DatasetBody>(
  app: Pick<TestApp, 'baseUrl'>,
  path: string,
  parts: readonly RawPart[],
): Promise<Answer<T>> {
  return await send(app, path, { method: 'POST', body: rawForm(parts), headers: formType });
}

export async function insertCategory(db: Database, code = `c-${randomUUID()}`): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('categories')
    .values({ id, parent_id: null, code, name: code, description: '' })
    .execute();
  return id;
}

export async function insertGroup(db: Database, code = `g-${randomUUID()}`): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('dataset_groups')
    .values({
      id,
      code,
      name: code,
      description: '',
      sld_storage_key: null,
      sld_filename: null,
      sld_content_type: null,
    })
    .execute();
  return id;
}

export const tiffBytes = 'II*\0 as good as a TIFF, for those who look at the first bytes only';
export const geojsonBytes = '{"type":"FeatureCollection","features":[]}';

/** Uploads a dataset and expects 201; `fields` add to or replace the usual ones. */
export async function upload(
  app: TestApp,
  fields: Readonly<Record<string, string>> & { readonly category_id: string },
): Promise<DatasetBody> {
  const isRaster = (fields['file_type'] ?? 'raster') === 'raster';
  const file = isRaster ? new File([tiffBytes], 'relief.tif') : new File([geojsonBytes], 'lakes.geojson');
  const parts = Object.entries({ file_type: 'raster', ...fields });
  const { status, body, text } = await sendForm(app, '/datasets', [...parts, ['file', file]]);
  assert.equal(status, 201, text);
  return body;
}

/** Reads every key in the object store and in the ledger, and the ids of all datasets and jobs. */
export async function leftovers({ db, objectStore }: Parts) {
  const stored = await Array.fromAsync(objectStore.keys());
  const ledger = await db.selectFrom('objects').select(['key', 'state']).orderBy('key').execute();
  const datasets = await db.selectFrom('datasets').select('id').execute();
  const jobs = await db.selectFrom('jobs').select('id').where('state', '=', 'queued').execute();
  return { stored, ledger, datasets, jobs };
}

export const nothing = { stored: [], ledger: [], datasets: [], jobs: [] };

/** Sets the columns of a dataset as a worker would have; its files are named by kind, or by kind and encoding. */
export async function setState(
  { db, objectStore }: Parts,
  id: string,
  columns: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<void> {
  if (Object.keys(columns).length > 0)
    await db.updateTable('datasets').set(columns).where('id', '=', id).execute();
  for (const [name, content] of Object.entries(files)) {
    const [kind, encoding = 'identity'] = name.split(' ');
    const key = `test/${id}/${randomUUID()}`;
    await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
    await objectStore.put(key, Readable.from([Buffer.from(content)]));
    await sql`delete from dataset_files where (dataset_id, kind, encoding) = (${id}, ${kind}, ${encoding})`.execute(
      db,
    );
    await sql`insert into dataset_files (dataset_id, kind, encoding, object_key)
      values (${id}, ${kind}, ${encoding}, ${key})`.execute(db);
  }
}

/** The objects of a GeoJSON for `setState`, in encodings that the service itself never writes. */
export function geoJsonForms(content: string) {
  return {
    geojson: content,
    'geojson gzip': gzipSync(content, { level: 1 }),
    'geojson br': brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  };
}

/** Fetches without decoding the body. */
export async function getRaw(
  { baseUrl }: Pick<TestApp, 'baseUrl'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  return await fetchRaw(baseUrl + path, { headers });
}

/** Marks a key as in use on these paths, as if a request with it were under way. */
export async function takeKeys(db: Database, key: string, paths: readonly string[]): Promise<void> {
  const lease_until = new Date(Date.now() + 3_600_000);
  const rows = paths.map((path) => ({
    id: digestOfKey({ sender: null, method: 'POST', path, key }),
    claim: randomUUID(),
    lease_until,
  }));
  await db.insertInto('idempotency_keys').values(rows).execute();
}
