import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../src/database/migrate.ts';
import { pruneResults } from '../../src/jobs/results.ts';
import { kindsWithTables } from '../../src/runtime/worker/tidying.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { insertSucceededRun } from '../support/landscape/gap-runs.ts';
import { insertRaster } from '../support/geo/rasters.ts';

const folder = new URL('../../src/database/migrations/', import.meta.url);
const { db, pool } = await closeAfterTests(openTestDatabase());

test('results of the release before keep their ids and keys, and their live jobs go on', async () => {
  const { rows: applied } = await pool.query('select * from migrations');
  await pool.query('drop schema public cascade; create schema public');
  for (const name of (await readdir(folder)).toSorted())
    if (name < '0054') await pool.query(await readFile(new URL(name, folder), 'utf8'));
  await pool.query(
    'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz)',
  );
  for (const { name, sha256 } of applied)
    if (name < '0054') await pool.query('insert into migrations values ($1, $2, now())', [name, sha256]);
  const dataset = await insertRaster(db, {});
  const run = await insertSucceededRun(db, dataset);
  const columns = {
    area_counts: { cogs: '{cog}', districts_version: 1, max_classes: 256 },
    input_moves: { run_id: run, delta_percent: 10 },
    landscape_layers: { run_id: run, layer: 'cells' },
    landscape_polygons: { raster_id: dataset, run_id: run, node: '34' },
    sheet_atlases: { dataset_id: dataset, wanted: '{}' },
  };
  const jobs = ['count-areas', 'move-inputs', 'make-layer', 'make-polygons', 'make-atlas'];
  /** Writes rows as a process of that release does. */
  const add = async (key: string) => {
    for (const [index, [table, own]] of Object.entries(columns).entries()) {
      const id = randomUUID();
      const row = { id, key, state: 'pending', ...own };
      await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(row))})`.execute(db);
      await sql`insert into jobs (id, kind, ref_id) values (${randomUUID()}, ${jobs[index]}, ${id})`.execute(
        db,
      );
    }
  };
  const all = async () => {
    const found = [];
    for (const table of Object.keys(columns)) {
      const { rows } = await sql`
        select made.id, key, made.state, jobs.kind, jobs.state as job from ${sql.table(table)} made join jobs on ref_id = made.id
        order by key`.execute(db);
      found.push(...rows);
    }
    return found;
  };
  await add('before');
  const before = await all();
  assert.equal(before.length, 5);
  assert.equal((await migrate(db))[0], '0054_results.sql');
  assert.deepEqual(await all(), before);
  await add('beside');
  for (const kind of kindsWithTables) await pruneResults(db, kind);
  assert.equal((await all()).length, 10);
});
