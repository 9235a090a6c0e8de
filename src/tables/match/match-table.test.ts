import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { replaceFiles } from '../../datasets/files.ts';
import { tableFactsOf, tableMatchOf } from './table-answers.ts';
import { getDataset } from '../../datasets/queries.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startTables } from '../../../test/support/tables/tables.ts';

const tables = await closeAfterTests(startTables());
const { db, uploadTable, mapColumns } = tables;
const rows = [
  { kato: '100000000', y2020: 1 },
  { kato: '100000000', y2020: 'н/д' },
];

/** Restores the state that an earlier release left. */
async function forget(id: string): Promise<void> {
  await db
    .transaction()
    .execute(async (trx) => void (await replaceFiles(trx, id, [], ['facts', 'match', 'rows'])));
}

const jobsOf = async (id: string) =>
  await db
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('ref_id', '=', id)
    .where('kind', '=', 'match-table')
    .execute();

test('a table of an earlier release is read again, once for all who ask, and stays as it is', async () => {
  const id = await uploadTable(rows);
  await mapColumns(id, 'kato', 'y2020');
  const kept = await tableMatchOf(tables, id);
  const keptFacts = await tableFactsOf(tables, id);
  assert.ok(!kept.isPending && !keptFacts.isPending);
  await forget(id);
  const before = await getDataset(db, id);
  const asked = await Promise.all([1, 2, 3].map(async () => await tableMatchOf(tables, id)));
  assert.deepEqual(
    asked.map(({ isPending }) => isPending),
    [true, true, true],
  );
  assert.equal((await jobsOf(id)).length, 1);
  const found = await eventually('the match is found', async () => {
    const answer = await tableMatchOf(tables, id);
    return answer.isPending ? undefined : answer;
  });
  const facts = await tableFactsOf(tables, id);
  assert.deepEqual(found.content, kept.content);
  assert.deepEqual(facts.isPending ? undefined : facts.content, keptFacts.content);
  const after = await getDataset(db, id);
  assert.deepEqual([after.status, after.updated_at], [before.status, before.updated_at]);
});

test('a table whose file is gone is refused for a minute, and then tried again', async () => {
  const id = await uploadTable(rows);
  await forget(id);
  const original = (await getDataset(db, id)).files.find(({ kind }) => kind === 'original');
  await tables.objectStore.remove(original?.key ?? '');
  assert.equal((await tableFactsOf(tables, id)).isPending, true);
  await eventually('the job fails', async () => (await jobsOf(id)).every(({ state }) => state === 'failed'));
  await assert.rejects(tableFactsOf(tables, id), { code: 'conflict', message: /could not be read again/ });
  assert.equal((await getDataset(db, id)).status, 'awaiting_mapping');
  await sql`update jobs set finished_at = now() - interval '2 minutes' where ref_id = ${id}`.execute(db);
  assert.equal((await tableFactsOf(tables, id)).isPending, true);
});
