import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.ts';
import { send, takeKeys } from '../datasets.ts';

const raster = { variable: 'band 1', category_id: '{category}' };

/** Requests for STAC items, and for source files and their rasters, in the form of `status-requests.ts`. */
export const sourceRequests = {
  'POST /datasets/references/stac/look': {
    200: { json: { address: '{stac}' } },
    422: { json: {} },
  },
  'POST /datasets/references/stac': {
    201: { json: { address: '{stac}', asset: 'data', category_id: '{category}', dg_id: '{group}' } },
    422: { json: {} },
  },
  'GET /datasets/references/stac/{id}': { 200: { of: 'stacImport' } },
  'GET /source-files': { 200: {} },
  'GET /source-files/{id}': { 200: { of: 'sourceFile' } },
  'DELETE /source-files/{id}': { 204: { of: 'doomedSource' } },
  'GET /source-files/{id}/variables': {
    200: { of: 'sourceFile' },
    202: { of: 'wantedSource', query: '?wait=0' },
    422: { of: 'brokenSource' },
    429: { of: 'newSource' },
  },
  'POST /source-files/{id}/rasters': {
    201: { of: 'sourceFile', json: raster },
    202: { of: 'wantedSource', json: raster, query: '?wait=0' },
    409: { of: 'sourceFile', json: raster, headers: { 'idempotency-key': '"taken"' } },
    422: { of: 'sourceFile', json: {} },
    429: { of: 'newSource', json: raster },
  },
  'GET /source-files/{id}/rasters': { 200: { of: 'sourceFile' } },
} as const;

const description = {
  variables: [{ name: 'band 1', type: 'Byte', width: 1, height: 1, crs: 'EPSG:4326', axes: [] }],
  axes: [],
  left_out: 0,
};

/** Adds a row of a source file, without its object. */
export async function insertSourceFile({ services }: TestApp): Promise<string> {
  const id = randomUUID();
  await services.pool.query(
    `insert into source_files (id, filename, format, object_key, size_bytes, sha256)
     values ($1, 'dem.asc', 'ascii-grid', $2, 1, 'ab')`,
    [id, `test/source-${id}`],
  );
  return id;
}

/** Adds a row of a registration of STAC items, without its job. */
export async function insertStacImport({ services }: TestApp): Promise<string> {
  const id = randomUUID();
  const none = '00000000-0000-0000-0000-000000000000';
  const input = {
    address: 'https://archive.example/',
    asset: 'data',
    categoryId: none,
    groupId: none,
    unit: null,
  };
  await services.pool.query(
    `insert into results (id, key, kind, input, state) values ($1, $2, 'stac-import', $3, 'pending')`,
    [id, `stac-import ${id}`, JSON.stringify(input)],
  );
  return id;
}

/** Creates source files in all the states that answers depend on; as many others wait as may. */
export async function createSourceFiles(app: TestApp) {
  const { db, pool } = app.services;
  const add = async () => await insertSourceFile(app);
  const [sourceFile, brokenSource, wantedSource] = [await add(), await add(), await add()];
  const ask = async (id: string) => await send(app, `/source-files/${id}/variables?wait=0`);
  const settle = async (columns: object) =>
    await db
      .updateTable('results')
      .set(columns)
      .where('state', '=', 'pending')
      .where('kind', '=', 'source-description')
      .execute();
  await ask(sourceFile);
  await settle({ state: 'made', content: JSON.stringify(description) });
  await takeKeys(db, 'taken', [`/source-files/${sourceFile}/rasters`]);
  await ask(brokenSource);
  await settle({
    state: 'failed',
    failure: JSON.stringify({ english: 'The file is damaged.' }),
    is_final: true,
  });
  await ask(wantedSource);
  await pool.query(
    `insert into results (id, key, kind, input, state)
     select gen_random_uuid(), 'source' || i, 'source-description', '{}', 'pending' from generate_series(1, 100) i`,
  );
  return { sourceFile, brokenSource, wantedSource, newSource: await add(), doomedSource: await add() };
}
