import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sqlState } from '../../src/database/transaction.ts';
import { createUnpivot } from '../../src/datasets/table/unpivot.ts';
import { Problem } from '../../src/common/errors.ts';
import { decideRetry } from '../../src/jobs/retry-decision.ts';
import { copyObservations } from '../../src/processing/copy-observations.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const database = await closeAfterTests(openTestDatabase());
const { db, pool } = database;

const newAttempt = (number = 1, { signal } = new AbortController()) => ({
  refId: randomUUID(),
  jobId: randomUUID(),
  number,
  signal,
});

async function* repeat(row: string[], times: number): AsyncGenerator<string[]> {
  for (let count = 0; count < times; count += 1) yield row;
}

const unpivot = createUnpivot(['kato', 'y'], {
  katoColumn: 'kato',
  yearColumns: [{ column: 'y', start_date: '2020-01-01' }],
  formats: [],
});

test('text goes in as it is, whatever COPY makes of its characters', async () => {
  const attempt = newAttempt(3);
  const code = '\\.\t.';
  const value = 'tab\t line\n return\r back\\slash \\N \\. 😀 \u2028';
  const { setId } = await copyObservations(pool, attempt, {
    mappingVersion: 1,
    rows: repeat([JSON.stringify(code), JSON.stringify(value)], 1),
    unpivot,
  });
  const rows = await db.selectFrom('observations').selectAll().where('set_id', '=', setId).execute();
  assert.deepEqual(
    rows.map(({ kato_code, value_text }) => [kato_code, value_text]),
    [[code, value]],
  );
  const sets = await db.selectFrom('observation_sets').select(['dataset_id', 'job_id', 'attempt']).execute();
  assert.deepEqual(sets, [{ dataset_id: attempt.refId, job_id: attempt.jobId, attempt: 3 }]);
});

test('every row arrives, in many chunks, and is numbered by its place in the file', async () => {
  const attempt = newAttempt();
  const { setId, rows: counted } = await copyObservations(pool, attempt, {
    mappingVersion: 1,
    rows: repeat(['110000000', '1'], 20_000),
    unpivot,
  });
  assert.deepEqual(counted, { read: 20_000, skipped: 0 });
  const { rows } = await pool.query(
    'select count(*), count(distinct id) as ids, max(row_number) as last from observations where set_id = $1',
    [setId],
  );
  assert.deepEqual(rows, [{ count: 20_000, ids: 20_000, last: 19_999 }]);
});

test('a copy that breaks leaves no set and no observation', async () => {
  const count = async () => {
    const { rows } = await pool.query(
      'select (select count(*) from observation_sets) as sets, count(*) from observations',
    );
    return rows;
  };
  const before = await count();
  const attempt = newAttempt();
  const cause = new Problem('invalid', 'row 2 cannot be read');
  const broken = copyObservations(pool, attempt, {
    mappingVersion: 1,
    rows: repeat(['110000000', '1'], 2),
    unpivot(_, rowNumber) {
      if (rowNumber === 1) throw cause;
      return [];
    },
  });
  await assert.rejects(broken, (error) => error === cause);
  assert.deepEqual(await count(), before);
});

test('a value that the database refuses ends the job for good, with a sentence', async () => {
  const attempt = newAttempt();
  const refused = copyObservations(pool, attempt, {
    mappingVersion: 1,
    rows: repeat(['110000000', '1'], 1),
    unpivot: (row, rowNumber) =>
      unpivot(row, rowNumber).map((found) => ({ ...found, startDate: '2020-02-30' })),
  });
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  assert.equal(sqlState(error), '22008');
  const decision = decideRetry(error, { engineDeaths: 0, workerDeaths: 0 });
  assert.ok(decision.end === 'failed');
  assert.match(decision.reason, /cannot be stored.*upload it again\.$/s);
});

test('an aborted copy stops and leaves nothing', async () => {
  const stopping = new AbortController();
  const attempt = newAttempt(1, stopping);
  async function* endlessRows(): AsyncGenerator<string[]> {
    for (let row = 0; ; row += 1) {
      if (row === 1000) stopping.abort();
      yield ['110000000', String(row)];
    }
  }
  const copying = copyObservations(pool, attempt, { mappingVersion: 1, rows: endlessRows(), unpivot });
  await assert.rejects(copying, { name: 'AbortError' });
  const sets = await db
    .selectFrom('observation_sets')
    .select('id')
    .where('dataset_id', '=', attempt.refId)
    .execute();
  assert.deepEqual(sets, []);
});
