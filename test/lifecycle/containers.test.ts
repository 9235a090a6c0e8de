import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { closeAfterTests } from '../support/for-tests.ts';
import { freePort } from '../support/ports.ts';
import { projectRoot, readProjectFile } from '../support/project.ts';

const run = promisify(execFile);

describe('the health of a container', () => {
  /** Serves one path on its own port. */
  async function serve(path: string): Promise<string> {
    const server = createServer((request, response) => {
      response.statusCode = request.url === path ? 200 : 404;
      response.end();
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    await closeAfterTests(
      Promise.resolve({ [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }),
    );
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return String(address.port);
  }

  async function isHealthy(role: string, env: Readonly<Record<string, string>>): Promise<boolean> {
    const program = join(projectRoot, 'deploy/healthcheck.mjs');
    return await run(process.execPath, [program, role], { env }).then(
      () => true,
      () => false,
    );
  }

  test('is that of the port of its own role', async () => {
    const [http, metrics, dead] = [
      await serve('/healthz'),
      await serve('/metrics'),
      String(await freePort()),
    ];
    assert.equal(await isHealthy('api', { HTTP_PORT: http, METRICS_PORT: dead }), true);
    // An api that no longer accepts requests still has metrics.
    assert.equal(await isHealthy('api', { HTTP_PORT: dead, METRICS_PORT: metrics }), false);
    assert.equal(await isHealthy('serve', { HTTP_PORT: dead, METRICS_PORT: metrics }), false);
    assert.equal(await isHealthy('worker', { HTTP_PORT: dead, METRICS_PORT: metrics }), true);
    assert.equal(await isHealthy('worker', { HTTP_PORT: http, METRICS_PORT: dead }), false);
  });
});

describe('passwords of the Compose file', () => {
  const text = readProjectFile('deploy/compose.yaml');

  test('are values of variables, and parts of nothing that gives their characters a meaning', () => {
    const lines = text.split('\n').filter((line) => /\$\{(?:POSTGRES_PASSWORD|S3_SECRET)/.test(line));
    assert.ok(lines.length >= 4, text);
    for (const line of lines.filter((each) => !each.startsWith('#')))
      assert.match(line, /^\s+[A-Z0-9_]+: \$\{[A-Z0-9_]+:\?\}(?: #.*)?$/);
  });

  test('reach the driver by PGPASSWORD, where the URL has none', () => {
    const [url] = /postgres:\/\/\S+/.exec(text) ?? [];
    const before = process.env['PGPASSWORD'];
    process.env['PGPASSWORD'] = `p'@/:%$\\"`;
    try {
      assert.equal(new Client({ connectionString: url }).password, `p'@/:%$\\"`);
    } finally {
      if (before === undefined) delete process.env['PGPASSWORD'];
      else process.env['PGPASSWORD'] = before;
    }
  });
});
