import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { insertCategory, sendJson, setState, upload } from './datasets.ts';

export interface NodeBody {
  readonly id: string;
  readonly node_code: string;
  readonly status: string;
  readonly fingerprint: string;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly error: string | null;
}
export interface RunBody {
  readonly id: string;
  readonly created_at: string;
  readonly nodes: readonly NodeBody[];
  readonly [field: string]: unknown;
}
export interface Failure {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

/** The codes of all nodes. */
export const nodeCodes = '01 02 03 04 05 11 12 13 14 21 22 23 24 25 26 31 32 33 34'.split(' ');
/** The codes of all slots, in the order of the graph. */
export const slotCodes = (
  'dem land-cover protected-areas precipitation pet temperature-sum snow-depth ' +
  'soil-texture soil-organic-carbon soil-salinity ndvi distance-water distance-road'
)
  .split(' ')
  .map((key) => `landscape-in-${key}`);

export const defaultParams = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
};

export async function createRun(app: TestApp, body: unknown = {}): Promise<RunBody> {
  const answer = await sendJson<RunBody>(app, 'POST', '/landscape/runs', body);
  assert.equal(answer.status, 202, answer.text);
  return answer.body;
}

/** What is wrong with a run, by field. */
export async function failingFields(app: TestApp, body: unknown, query = '') {
  const answer = await sendJson<Failure>(app, 'POST', `/landscape/runs${query}`, body);
  assert.equal(answer.status, 422, answer.text);
  return answer.body.errors ?? {};
}

/** Adds a dataset in a state that a worker would have brought about; gives its id. */
export async function addDataset(app: TestApp, status: string, fileType = 'raster'): Promise<string> {
  const category = await insertCategory(app.services.db);
  const { id } = await upload(app, { category_id: category, file_type: fileType });
  await setState(app.services, id, { status });
  return id;
}

/** How many rows there are in every table that a run could leave something in. */
export async function countRows({ services: { pool } }: TestApp): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for (const table of [
    'landscape_runs',
    'landscape_run_nodes',
    'jobs',
    'datasets',
    'objects',
    'categories',
  ]) {
    const { rows } = await pool.query(`select count(*)::integer as count from ${table}`);
    counts.set(table, rows[0].count);
  }
  return Object.fromEntries(counts);
}
