import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sqlState } from '../../database/transaction.ts';
import { createUnpivot } from '../../table/unpivot.ts';
import { Problem } from '../../lib/errors.ts';
import { decideRetry } from '../../jobs/retry-decision.ts';
import { copyObservations } from './copy-observations.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

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

const yearColumns = [{ column: 'y', start_date: '2020-01-01' }];
const unpivot = createUnpivot(['kato', 'y'], { katoColumn: 'kato', yearColumns, formats: [] });
/** Properties that all sources share. */
const mapping = { mappingVersion: 1, yearColumns };

test('text goes in as it is, whatever COPY makes of its characters', async () => {
  const attempt = newAttempt(3);
  const code = '\\.\t.';
  const value = 'tab\t line\n return\r back\\slash \\N \\. 😀 \u2028';
  const { setId } = await copyObservations(pool, attempt, {
    ...mapping,
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
    ...mapping,
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

test('dates, numbers, texts and what is empty arrive as they are, under ids in the order of the file', async () => {
  const attempt = { ...newAttempt(), refId: '6ba7b810-9dad-41d1-80b4-00c04fd430c8' };
  const columns = [
    { column: 'a', start_date: '0001-01-01', end_date: '9999-12-31' },
    { column: 'b', start_date: '1999-12-31', end_date: null },
    { column: 'c', start_date: '2024-02-29' },
  ];
  const readings = [
    [-0.1, 'текст', null],
    [5e-324, 1.797_693_134_862_315_7e308, ''],
  ] as const;
  const { setId } = await copyObservations(pool, attempt, {
    mappingVersion: 4097,
    yearColumns: columns,
    rows: repeat([], 2),
    unpivot: (_, rowNumber) => ({ katoCode: 'код', readings: readings[rowNumber] ?? [] }),
  });
  const { rows } = await pool.query(
    `select id, kato_code, start_date, end_date, value, value_text, mapping_order, row_number
     from observations where set_id = $1 order by id`,
    [setId],
  );
  assert.deepEqual(
    rows,
    readings.flatMap((row, rowNumber) =>
      row.map((reading, order) => ({
        id: `6ba7b810-9dad-8001-b0c8-0000000${rowNumber}000${order}`,
        kato_code: 'код',
        start_date: columns[order]?.start_date,
        end_date: columns[order]?.end_date ?? null,
        value: typeof reading === 'number' ? reading : null,
        value_text: typeof reading === 'string' ? reading : null,
        mapping_order: order,
        row_number: rowNumber,
      })),
    ),
  );
});

test('texts that are longer than a chunk arrive whole', async () => {
  const value = 'я'.repeat(200_000);
  const { setId, textCharacters } = await copyObservations(pool, newAttempt(), {
    ...mapping,
    rows: repeat([], 3),
    unpivot: () => ({ katoCode: '1', readings: [value] }),
  });
  const { rows } = await pool.query('select distinct value_text from observations where set_id = $1', [
    setId,
  ]);
  assert.deepEqual(rows, [{ value_text: value }]);
  assert.equal(textCharacters, 600_000);
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
    ...mapping,
    rows: repeat(['110000000', '1'], 2),
    unpivot(_, rowNumber) {
      if (rowNumber === 1) throw cause;
      return undefined;
    },
  });
  await assert.rejects(broken, (error) => error === cause);
  assert.deepEqual(await count(), before);
});

test('a value that the database refuses ends the job for good, with a sentence', async () => {
  const attempt = newAttempt();
  const refused = copyObservations(pool, attempt, {
    ...mapping,
    rows: repeat(['110000000', '1'], 1),
    unpivot: () => ({ katoCode: 'a\0b', readings: [1] }),
  });
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  assert.equal(sqlState(error), '22021');
  const decision = decideRetry(error, { engineDeaths: 0, workerDeaths: 0, unexpectedErrors: 0 }, 'job');
  assert.ok(decision.end === 'failed');
  assert.match(decision.reason.english, /cannot be stored.*upload it again\.$/s);
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
  const copying = copyObservations(pool, attempt, { ...mapping, rows: endlessRows(), unpivot });
  await assert.rejects(copying, { name: 'AbortError' });
  const sets = await db
    .selectFrom('observation_sets')
    .select('id')
    .where('dataset_id', '=', attempt.refId)
    .execute();
  assert.deepEqual(sets, []);
});
