import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { createToken, createTokenAuthenticator } from '../../../src/access/tokens.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { startTestApp } from '../../support/app.ts';
import { until } from '../../support/jobs.ts';

const lines: Record<string, unknown>[] = [];
const app = await closeAfterTests(
  startTestApp({
    accessLog: { info: (fields: object) => void lines.push({ ...fields }) },
    access: (db) => ({ authentication: { mode: 'token', authenticator: createTokenAuthenticator(db) } }),
  }),
);
const reader = await createToken(app.services.db, {
  name: 'reader',
  scopes: ['data:read'],
  expiresInDays: undefined,
});

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(app.baseUrl + path, init);
  await answer.arrayBuffer();
  return answer;
}

describe('the access log', () => {
  afterEach(() => lines.splice(0));

  test('has a line for each answer, with who asked, and neither a token nor a query', async () => {
    const headers = { authorization: `Bearer ${reader.text}`, 'x-request-id': 'mine' };
    const answer = await ask('/datasets?q=secret', { headers });
    await until(async () => lines.length === 1);
    const { ms, bytes, ...line } = lines[0] ?? {};
    assert.deepEqual(line, {
      reqId: 'mine',
      method: 'GET',
      path: '/datasets',
      status: 200,
      principal: `token:${reader.id}`,
    });
    assert.ok(Number(ms) > 0);
    assert.ok(Number(bytes) > Number(answer.headers.get('content-length')));
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`secret|${reader.text}`));
  });

  test('has refusals as well, without a principal where none was proved', async () => {
    await ask('/datasets');
    await ask('/datasets', { headers: { authorization: 'Bearer wrong' } });
    const headers = { authorization: `Bearer ${reader.text}` };
    await ask('/nowhere', { method: 'POST', headers });
    await ask('/datasets', { method: 'PROPFIND', headers });
    await until(async () => lines.length === 4);
    assert.deepEqual(
      lines.map(({ method, path, status, principal }) => [method, path, status, principal]),
      [
        ['GET', '/datasets', 401, undefined],
        ['GET', '/datasets', 401, undefined],
        ['POST', '/nowhere', 404, `token:${reader.id}`],
        ['PROPFIND', '/datasets', 405, `token:${reader.id}`],
      ],
    );
  });

  test('leaves out probes', async () => {
    await ask('/healthz');
    await ask('/readyz');
    await ask('/capabilities');
    await until(async () => lines.length > 0);
    assert.deepEqual(
      lines.map(({ path }) => path),
      ['/capabilities'],
    );
  });

  test('counts the bytes of each answer on a connection by themselves', async () => {
    const headers = { authorization: `Bearer ${reader.text}` };
    for (let time = 0; time < 3; time += 1) {
      await ask('/healthz');
      await ask('/categories', { headers });
    }
    await until(async () => lines.length === 3);
    const sizes = lines.map(({ bytes }) => Number(bytes));
    assert.ok(Math.max(...sizes) - Math.min(...sizes) < 50, sizes.join(' '));
  });
});
