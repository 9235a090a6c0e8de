import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { createDatabaseConnection, type DatabaseConnection } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';

export interface TestDatabase extends DatabaseConnection {
  /** How to reach this database from another process or a client of one's own. */
  readonly target: ClientConfig;
}

/**
 * A fresh, migrated database of the test file's own on the PostgreSQL of the test run; `scripts/test.ts` says in
 * STEPPE_TEST_POSTGRES, as JSON, how to connect to it. Closing drops it.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const given = process.env['STEPPE_TEST_POSTGRES'];
  if (given === undefined) throw new Error('run the tests with npm test, which starts PostgreSQL for them');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server: ClientConfig = JSON.parse(given);
  await runOnce(server, `create database ${name}`);
  const target = { ...server, database: name };
  const connection = createDatabaseConnection(target, {
    maxConnections: 10,
    applicationName: 'steppe-test',
    onError: () => undefined,
  });
  await migrate(connection.db);
  return {
    ...connection,
    target,
    async close() {
      await connection.close();
      await runOnce(server, `drop database ${name} with (force)`);
    },
  };
}

async function runOnce(target: ClientConfig, statement: string): Promise<void> {
  const client = new Client(target);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
