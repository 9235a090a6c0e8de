import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { runSteppe } from '../support/service.ts';

const database = await closeAfterTests(openTestDatabase());
const { pool } = database;
const dataDir = await temporaryFolder();
await mkdir(join(dataDir, 'objects'));
const { host, user, database: name } = database.target;
const url = `postgres:///${name}?${new URLSearchParams({ host: String(host), user: String(user) }).toString()}`;
const env = {
  DATABASE_URL: url,
  MESSAGE_QUEUE_URL: url,
  OBJECT_STORE_URL: pathToFileURL(join(dataDir, 'objects')).href,
};
const run = async (...args: readonly string[]) => await runSteppe(args, { dataDir, env });
const newest = async (): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    'select name from migrations order by name desc limit 1',
  );
  return rows[0]?.name ?? '';
};
const tools = [['fsck'], ['token', 'list'], ['districts', 'restore', '--dry-run']];

describe('a database of another version', () => {
  test('that is newer is refused by every start, by migrate and by every tool, and stays as it is', async () => {
    await pool.query(`insert into migrations (name, sha256) values ('9999_tomorrow.sql', 'x')`);
    for (const args of [['serve'], ['api'], ['worker'], ['migrate'], ...tools]) {
      const { code, output } = await run(...args);
      assert.equal(code, 1, `${args.join(' ')}: ${output}`);
      assert.match(output, /belongs to a newer Steppe.*9999_tomorrow\.sql/);
    }
    assert.equal(await newest(), '9999_tomorrow.sql');
    await pool.query(`delete from migrations where name = '9999_tomorrow.sql'`);
  });

  test('that is older is brought up to date by no tool, but by migrate, which then gives the role its limits', async () => {
    await pool.query('drop schema public cascade; create schema public');
    for (const args of tools) {
      const { code, output } = await run(...args);
      assert.equal(code, 1, `${args.join(' ')}: ${output}`);
      assert.match(output, /is not up to date.*\.\/steppe migrate/);
    }
    assert.equal((await pool.query(`select to_regclass('migrations') as found`)).rows[0]?.found, null);
    assert.equal((await run('migrate')).code, 0);
    for (const args of tools) assert.equal((await run(...args)).code, 0);
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
