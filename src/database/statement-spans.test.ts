import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from './statement-spans.ts';

for (const [sql, operation, table] of [
  ['insert into "jobs" ("id", "kind") values ($1, $2)', 'insert', 'jobs'],
  ['select "id" from "datasets" where "name" = $1 for update', 'select', 'datasets'],
  ["\n    update jobs set state = 'running' where id = (select id from jobs limit 1)", 'update', 'jobs'],
  ['delete from "objects" where "key" = $1', 'delete', 'objects'],
  ['select pg_notify($1, $2)', 'select', undefined],
  ["select 'Ivanov' as name", 'select', undefined],
  ['begin', 'begin', undefined],
  ['(select 1)', 'statement', undefined],
] as const) {
  test(`${sql.trim()}: ${operation} ${table ?? 'of no table'}`, () =>
    assert.deepEqual(summarize(sql), { operation, table }));
}
