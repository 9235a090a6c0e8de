import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { startTestApp } from '../support/app.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { launchService, runSteppe, startService } from '../support/service.ts';
import { makeCertificate, runOn } from '../support/services/postgres.ts';
import { startServices } from '../support/services/services.ts';

const services = await closeAfterTests(startServices());
const { postgres, pooler, env } = services;
/** The role cannot create or change tables, and everything but its listener goes through the pooler. */
const rowsEnv = { ...env, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url };
const commandOf = (role: string) => [process.execPath, join(projectRoot, 'src/main.ts'), role] as const;
const point = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: { a: 1 }, geometry: { type: 'Point', coordinates: [71, 51] } }],
});

async function ask<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function upload(baseUrl: string, name: string): Promise<string> {
  const categories = await ask<{ id: string }[]>(`${baseUrl}/categories`);
  const form = new FormData();
  form.set('file_type', 'vector');
  form.set('category_id', categories[0]?.id ?? '');
  form.set('name', name);
  form.set('file', new File([point], 'point.geojson'));
  const { id } = await ask<{ id: string }>(`${baseUrl}/datasets`, { method: 'POST', body: form });
  return id;
}

async function startWorker() {
  const dataDir = await temporaryFolder();
  const { child, exited } = launchService({ dataDir, env: rowsEnv, command: commandOf('worker') });
  const stop = async () => {
    child.kill('SIGTERM');
    return await exited();
  };
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

describe('api and worker on an external PostgreSQL behind PgBouncer, S3 and NATS', () => {
  it('wait for another role to migrate, then work without rights to change the schema', async () => {
    const dataDir = await temporaryFolder();
    const waiting = launchService({ dataDir, env: rowsEnv, command: commandOf('api') });
    await using stack = new AsyncDisposableStack();
    stack.defer(() => void waiting.child.kill('SIGKILL'));
    await eventually('says that it waits', async () => waiting.output().includes('./steppe migrate'));
    const refused = await runSteppe(['migrate'], { dataDir, env: rowsEnv });
    assert.equal(refused.code, 1);
    assert.match(refused.output, /may not change its schema/);
    const migrated = await runSteppe(['migrate'], { dataDir, env });
    assert.equal(migrated.code, 0, migrated.output);
    await eventually('is ready', async () => waiting.output().includes('is ready'));
    waiting.child.kill('SIGTERM');
    assert.equal(await waiting.exited(), 0);
  });

  it('process a file, and fsck finds store, ledger and rows in agreement', async () => {
    const dataDir = await temporaryFolder();
    await using api = await startService({ dataDir, env: rowsEnv, command: commandOf('api') });
    await using worker = await startWorker();
    await ask(`${api.baseUrl}/readyz`);
    const id = await upload(api.baseUrl, 'Почвы Жабая');
    await eventually('ready', async () => {
      const { status } = await ask<{ status: string }>(
        `${api.baseUrl}/datasets/${id}/status?wait=5&current=pending`,
      );
      return status === 'ready';
    });
    const geojson = await ask<{ features: unknown[] }>(`${api.baseUrl}/datasets/${id}.geojson`);
    assert.equal(geojson.features.length, 1);
    const { total } = await ask<{ total: number }>(
      `${api.baseUrl}/datasets?q=${encodeURIComponent('ПОЧВЫ')}`,
    );
    assert.equal(total, 1);
    assert.equal(await worker.stop(), 0);
    const checked = await runSteppe(['fsck', '--digests'], { dataDir, env: rowsEnv });
    assert.equal(checked.code, 0, checked.output);
    assert.match(checked.output, /0 in flight\nno damage/);
    const doctor = await runSteppe(['doctor'], { dataDir, env: { ...rowsEnv, HTTP_PORT: '0' } });
    assert.match(
      doctor.output,
      /bucket steppe answers\n[^]*nats-server 2\.\S+ answers\n[^]*PostgreSQL 15\.\S+ answers/,
    );
  });
});

describe('an api whose listener goes through a pooler as well', () => {
  it('says that it receives no notifications, and what to set', async () => {
    const env = { ...rowsEnv, DATABASE_DIRECT_URL: '' };
    await using api = await startService({
      dataDir: await temporaryFolder(),
      env,
      command: commandOf('api'),
    });
    // It notifies itself every 30 seconds; by chance the pooler may use one session for both statements.
    const says = async () => /receives no notifications[^]*DATABASE_DIRECT_URL/.test(api.output());
    await eventually('says so', says, 100);
    await ask(`${api.baseUrl}/readyz`);
  });
});

describe('a database over TLS', () => {
  it('is used when its certificate is of the authority that the URL names, and not otherwise', async () => {
    const other = await makeCertificate(await temporaryFolder());
    const wrong = encodeURIComponent(other.path);
    const right = encodeURIComponent(postgres.certificatePath);
    const options = { maxConnections: 1, applicationName: 'steppe-test', onError: () => undefined };
    for (const [url, isTrusted] of [
      [postgres.url, true],
      [postgres.url.replace(right, wrong), false],
      [postgres.url.replace('@localhost', '@127.0.0.2'), false],
    ] as const) {
      const connection = createDatabaseConnection(url, options);
      const encrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
      const asked = connection.pool.query<{ ssl: boolean }>(encrypted);
      if (isTrusted) assert.deepEqual((await asked).rows, [{ ssl: true }]);
      else await assert.rejects(asked, url);
      await connection.close();
    }
  });
});

describe('a database whose locale knows no letters beyond ASCII', () => {
  it('finds names in Cyrillic whatever their case', async () => {
    const name = 'plain';
    await runOn(
      postgres.superuser,
      `create database ${name} encoding 'UTF8' locale 'C' locale_provider libc template template0`,
    );
    const target = { ...postgres.superuser, database: name };
    const options = { maxConnections: 1, applicationName: 'steppe-test', onError: () => undefined };
    const connection = createDatabaseConnection(target, options);
    await migrate(connection.db);
    await connection.close();
    await using app = await startTestApp({ databaseTarget: target, landscape: true });
    await upload(app.baseUrl, 'Пашня ҚАЗАҚСТАН');
    for (const q of ['пашня', 'ПАШНЯ', 'қазақстан']) {
      const { total } = await ask<{ total: number }>(`${app.baseUrl}/datasets?q=${encodeURIComponent(q)}`);
      assert.equal(total, 1, q);
    }
  });

  it('is refused when it is not in UTF-8', async () => {
    await runOn(
      postgres.superuser,
      `create database narrow encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0`,
    );
    const url = env.DATABASE_URL.replace('/steppe?', '/narrow?');
    const { code, output } = await runSteppe(['migrate'], {
      dataDir: await temporaryFolder(),
      env: { ...env, DATABASE_URL: url },
    });
    assert.equal(code, 1, output);
    assert.match(output, /the encoding of the database is SQL_ASCII; Steppe needs UTF8/);
  });
});
