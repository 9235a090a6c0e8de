import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import { seedDistricts } from '../../src/units/import.ts';
import { createDatabaseConnection, type DatabaseConnection } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';

export interface TestDatabase extends DatabaseConnection {
  /** Connection settings for another process or another client. */
  readonly target: ClientConfig;
}

/** Content of a new test database: `migrated`, or with the seeded districts as well. */
export type Template = 'migrated' | 'with_districts';

/** Name of the variable in which `scripts/test.ts` passes, as JSON, the connection settings of the PostgreSQL of the test run. */
export const serverVariable = 'STEPPE_TEST_POSTGRES';

/** Opens a new database for the test file on the PostgreSQL of the test run. Closing drops it. */
export async function openTestDatabase(template: Template = 'migrated'): Promise<TestDatabase> {
  const given = process.env[serverVariable];
  if (given === undefined) throw new Error('run the tests with npm test, which starts PostgreSQL for them');
  const server: ClientConfig = JSON.parse(given);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying files takes less than half of the processor time of writing the pages to the log.
  await runOn(server, `create database ${name} template ${template} strategy file_copy`);
  const connection = connect(server, name);
  return {
    ...connection,
    async close() {
      await connection.close();
      await runOn(server, `drop database ${name} with (force)`);
    },
  };
}

/** Deletes the rows of all tables but a few. Truncating takes a hundred times as long. */
export async function emptyTables(db: DatabaseConnection['db']): Promise<void> {
  const history = ['former_districts', 'district_changes', 'districts_version'];
  const kept = ['migrations', 'districts', ...history, 'categories', 'dataset_groups', 'tokens'];
  // In the replication role the server checks no foreign keys, so the order does not matter.
  await sql`do $$
    declare name text;
    begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables
        where schemaname = 'public' and tablename not in (${sql.join(kept.map((name) => sql.lit(name)))})
      loop execute format('delete from %I', name); end loop;
    end $$`.execute(db);
}

/** Creates the databases that `openTestDatabase` copies, on a PostgreSQL that need not survive a crash of the machine. */
export async function prepareTemplates(server: ClientConfig): Promise<void> {
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'];
  await runOn(server, ...settings.map((name) => `alter system set ${name} = off`), 'select pg_reload_conf()');
  await makeTemplate(server, 'migrated', 'template1', migrate);
  await makeTemplate(server, 'with_districts', 'migrated', seedDistricts);
}

async function makeTemplate(
  server: ClientConfig,
  name: Template,
  template: string,
  fill: (db: DatabaseConnection['db']) => Promise<unknown>,
): Promise<void> {
  await runOn(server, `create database ${name} template ${template}`);
  const connection = connect(server, name);
  await fill(connection.db);
  await connection.close();
}

function connect(server: ClientConfig, database: string) {
  const target = { ...server, database };
  const connection = createDatabaseConnection(target, {
    maxConnections: 10,
    applicationName: 'steppe-test',
    onError: () => undefined,
  });
  return { ...connection, target };
}

async function runOn(server: ClientConfig, ...statements: readonly string[]): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
