import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { sourceFiles } from '../support/source-tree.ts';

/**
 * Ways to bind a statement to a session of PostgreSQL, which a pooler in transaction mode reassigns after
 * each transaction. The only listening connection bypasses the pooler.
 */
const bindings = {
  'an advisory lock of a session': /\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(/i,
  'a setting of a session':
    /[`'";]\s*(?:re)?set\s+(?!local\b|transaction\b)\w+\s*(?:=|\bto\b)|\bset_config\([^)]*,\s*false\s*\)/i,
  'a notification to a session': /[`'";]\s*(?:un)?listen\s/i,
  'a temporary table': /\bcreate\s+temp(?:orary)?\b/i,
  'a cursor beyond its transaction': /\bwith\s+hold\b/i,
  'a named statement': /[`'";]\s*(?:prepare|deallocate)\s+\w+\s+as\b/i,
} satisfies Record<string, RegExp>;

const listener = 'src/database/listener.ts';

test('each binding to a session is recognised, and what ends with a transaction is none', () => {
  const bound = [
    'sql`select pg_advisory_lock(1)`',
    'sql`select pg_try_advisory_lock_shared(1, 2)`',
    "query('set statement_timeout = 0')",
    'query("begin; set lock_timeout to \'1s\'")',
    "sql`select set_config('a', 'b', false)`",
    'client.query(`listen jobs`)',
    'sql`create temp table rows ()`',
    'sql`declare c cursor with hold for select 1`',
    'sql`prepare find as select 1`',
  ];
  for (const text of bound)
    assert.ok(
      Object.values(bindings).some((pattern) => pattern.test(text)),
      text,
    );
  const free = [
    'sql`select pg_advisory_xact_lock(1)`',
    "query(\"set local lock_timeout = '10min'; set local datestyle = 'ISO'\")",
    "query('set transaction isolation level repeatable read')",
    "sql`update jobs set state = 'queued'`",
  ];
  for (const text of free) assert.ok(!Object.values(bindings).some((pattern) => pattern.test(text)), text);
});

test('no statement is bound to a session, so that all work behind a pooler', () => {
  const withStatements = sourceFiles.filter((file) => !file.startsWith('src/messages/'));
  const found = withStatements.flatMap((file) => {
    const text = readProjectFile(file);
    return Object.entries(bindings)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => `${file}: ${what}`);
  });
  assert.deepEqual(found, [`${listener}: a notification to a session`]);
});
