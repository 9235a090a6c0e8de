import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '../database/transaction.ts';
import type { Attempt } from '../jobs/handler.ts';
import { checkStore } from '../object-store/fsck.ts';
import { writeDraft } from '../object-store/ledger.ts';
import { jobFailures } from '../messages/raster/english.ts';
import { makeZonalTable, recordTableFailure } from './zonal-table-job.ts';
import { followGroup } from './group-tables.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { insertGroup } from '../../test/support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';

const { app, db, engine, addRaster } = await closeAfterTests(startCountingApp({ hasWorker: false }));
const { objectStore } = app.services;
const folder = await temporaryFolder();

class Killed extends Error {}

let attempts = 0;

/**
 * Makes an attempt that is killed at a call that commits or stores something: before it, or after it has returned. Its stored objects are
 * left to the sweeper, as after a death.
 * @returns the number of moments at which it could be killed: two for each call
 */
async function attemptAt(id: string, deadly: number): Promise<number> {
  let moments = 0;
  attempts += 1;
  const number = attempts;
  const scratch = join(folder, String(number));
  await mkdir(scratch);
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('ref_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (job === undefined) return 0;
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (moments++ === deadly) throw new Killed();
    const result = await work();
    if (moments++ === deadly) throw new Killed();
    return result;
  };
  const attempt: Attempt = {
    jobId: job.id,
    number,
    refId: id,
    scratch,
    signal: new AbortController().signal,
    fenced: async (work) => await through(async () => await inTransaction(db, work)),
    publish: async (work) =>
      await through(
        async () =>
          await inTransaction(db, async (trx) => {
            await work(trx);
            await trx.updateTable('jobs').set({ state: 'done' }).where('id', '=', job.id).execute();
          }),
      ),
    postpone: async () => assert.fail('it does not wait'),
    store: async (prefix, extension, body) => {
      const key = `${prefix}/${id}/${job.id}-${number}${extension}`;
      assert.ok(body instanceof Readable);
      return await through(async () => (await writeDraft(db, objectStore, key, body)).key);
    },
  };
  await makeZonalTable({ db, objectStore, engine }, attempt).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  return moments;
}

/** The existing tables, each by its columns of the statistic and the values of the west. */
async function tablesOf(): Promise<readonly (readonly [status: string, cells: Record<string, unknown>])[]> {
  const rows = await db
    .selectFrom('datasets')
    .innerJoin('dataset_files as file', 'file.dataset_id', 'datasets.id')
    .select(['datasets.status', 'file.object_key as key'])
    .where('datasets.file_type', '=', 'vector_with_kato')
    .where('file.kind', '=', 'original')
    .execute();
  return await Promise.all(
    rows.map(async ({ status, key }) => {
      const stream: Readable = await objectStore.read(key);
      const { features } = JSON.parse(await text(stream));
      const properties: Record<string, unknown> = features[0]?.properties ?? {};
      const means = Object.entries(properties).filter(([name]) => name.startsWith('max '));
      return [status, Object.fromEntries(means)] as const;
    }),
  );
}

describe('the table of a group, whose job is killed before and after every commit', () => {
  test('has each ready raster once, and nothing of what was deleted', async () => {
    const group = await insertGroup(db);
    await followGroup(db, group, { stats: ['max'] });
    const { id } = await db.selectFrom('zonal_tables').select('id').executeTakeFirstOrThrow();
    const expected: Record<string, number> = {};
    const rasters: string[] = [];
    let deaths = 0;
    for (let round = 0; round < 12; round += 1) {
      const day = `2024-01-${String(round + 1).padStart(2, '0')}`;
      rasters.push(await addRaster((x, y) => zones(x, y) + round, {}, { dg_id: group, start_date: day }));
      expected[`max ${day}`] = 22 + round;
      if (round % 3 === 2) {
        const gone = rasters.splice(1, 1)[0] ?? '';
        const { start_date: its } = await db
          .selectFrom('datasets')
          .select('start_date')
          .where('id', '=', gone)
          .executeTakeFirstOrThrow();
        await db.deleteFrom('datasets').where('id', '=', gone).execute();
        delete expected[`max ${its}`];
      }
      if ((await attemptAt(id, round)) > round) deaths += 1;
      await attemptAt(id, Infinity);
      assert.deepEqual(
        (await tablesOf()).map(([status, cells]) => [status, cells]),
        [['extracting', expected]],
        `killed at moment ${round}`,
      );
      const {
        wanted,
        made,
        rasters: held,
      } = await db.selectFrom('zonal_tables').selectAll().executeTakeFirstOrThrow();
      assert.equal(made, wanted);
      assert.deepEqual(held.toSorted(), rasters.toSorted());
    }
    assert.ok(deaths >= 6, `${deaths} deaths`);
  });

  test('is made again for a change that comes while it is made', async () => {
    const { id, group_id: group } = await db.selectFrom('zonal_tables').selectAll().executeTakeFirstOrThrow();
    await addRaster(zones, {}, { dg_id: group, start_date: '2024-02-01' });
    const before = engine.countValues;
    let isFirst = true;
    Object.assign(engine, {
      countValues: async (task: Parameters<typeof before>[0]) => {
        const counts = await before(task);
        if (isFirst) {
          isFirst = false;
          await addRaster((x, y) => zones(x, y) + 7, {}, { dg_id: group, start_date: '2024-02-02' });
        }
        return counts;
      },
    });
    await attemptAt(id, Infinity);
    const [[, cells] = ['', {}]] = await tablesOf();
    assert.deepEqual([cells['max 2024-02-01'], cells['max 2024-02-02']], [22, 29]);
    const jobs = await db
      .selectFrom('jobs')
      .select('id')
      .where('ref_id', '=', id)
      .where('state', '=', 'queued')
      .execute();
    assert.deepEqual(jobs, []);
  });

  test('is tried again after a failure if a change came meanwhile, and is not if none came', async () => {
    const { id, group_id: group } = await db.selectFrom('zonal_tables').selectAll().executeTakeFirstOrThrow();
    await addRaster(zones, {}, { dg_id: group, start_date: '2024-03-01' });
    const stateAfterFailure = async () => {
      await inTransaction(db, async (trx) => {
        await trx.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', id).execute();
        await recordTableFailure(trx, id, { reason: jobFailures.engineDeath, error: undefined });
      });
      const { failure } = await db.selectFrom('zonal_tables').select('failure').executeTakeFirstOrThrow();
      const jobs = db.selectFrom('jobs').select('id').where('ref_id', '=', id).where('state', '=', 'queued');
      return { isFailed: failure !== null, jobs: (await jobs.execute()).length };
    };
    const { countValues } = engine;
    const failing = (meanwhile: () => Promise<void>) =>
      Object.assign(engine, {
        countValues: async () => {
          await meanwhile();
          throw new Error('the engine fails');
        },
      });
    failing(async () => {
      await db
        .updateTable('districts_version')
        .set({ version: sql`version + 1` })
        .execute();
    });
    await assert.rejects(attemptAt(id, Infinity), /the engine fails/);
    assert.deepEqual(await stateAfterFailure(), { isFailed: false, jobs: 1 });
    failing(async () => undefined);
    await assert.rejects(attemptAt(id, Infinity), /the engine fails/);
    assert.deepEqual(await stateAfterFailure(), { isFailed: true, jobs: 0 });
    Object.assign(engine, { countValues });
  });

  test('leaves nothing that the ledger does not know', async () => {
    const { damage } = await checkStore(db, objectStore);
    // The rasters are rows of this test, deleted without the ledger.
    assert.deepEqual(
      damage.filter(({ subject }) => !subject.startsWith('test/')),
      [],
    );
  });
});
