import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { api } from '../../src/commands/api.ts';
import { districts } from '../../src/commands/districts.ts';
import { fsck } from '../../src/commands/fsck.ts';
import { migrate } from '../../src/commands/migrate.ts';
import { serve } from '../../src/commands/serve.ts';
import { token } from '../../src/commands/token.ts';
import { worker } from '../../src/commands/worker.ts';
import { runHere, settingsOn } from '../support/tools/commands.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';

const database = await closeAfterTests(openTestDatabase());
const { pool } = database;
const settings = settingsOn(database.target, await temporaryFolder());
const newest = async (): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    'select name from migrations order by name desc limit 1',
  );
  return rows[0]?.name ?? '';
};
const tools = [[fsck], [token, 'list'], [districts, 'restore', '--dry-run']] as const;

describe('a database of another version', () => {
  test('that is newer is refused by every start, by migrate and by every tool, and stays as it is', async () => {
    await pool.query(`insert into migrations (name, sha256) values ('9999_tomorrow.sql', 'x')`);
    for (const [command, ...args] of [[serve], [api], [worker], [migrate], ...tools] as const) {
      await assert.rejects(
        runHere(command, args, settings),
        /belongs to a newer Steppe.*9999_tomorrow\.sql/,
        command.name,
      );
    }
    assert.equal(await newest(), '9999_tomorrow.sql');
    await pool.query(`delete from migrations where name = '9999_tomorrow.sql'`);
  });

  test('that is older is brought up to date by no tool, but by migrate, which then gives the role its limits', async () => {
    await pool.query('drop schema public cascade; create schema public');
    for (const [command, ...args] of tools) {
      await assert.rejects(runHere(command, args, settings), /is not up to date.*\.\/steppe migrate/);
    }
    assert.equal((await pool.query(`select to_regclass('migrations') as found`)).rows[0]?.found, null);
    assert.equal((await runHere(migrate, [], settings)).code, 0);
    for (const [command, ...args] of tools) {
      assert.equal((await runHere(command, args, settings)).code, 0, command.name);
    }
    const { rows } = await pool.query<{ entry: string }>(
      `select unnest(setconfig) as entry from pg_db_role_setting
       join pg_database on pg_database.oid = setdatabase where datname = current_database() order by 1`,
    );
    assert.deepEqual(
      rows.map(({ entry }) => entry),
      ['idle_in_transaction_session_timeout=60s', 'lock_timeout=5s', 'statement_timeout=30s'],
    );
  });
});
