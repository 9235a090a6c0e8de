import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccessPolicy } from '../../../src/http/access/access-policy.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { ask } from '../../support/http/ask.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

type Sent = Readonly<Record<string, string>>;
const listed = 'https://console.example';
const writes = [
  ['POST', '/categories'],
  ['PUT', '/categories/x'],
  ['PATCH', '/datasets/x'],
  ['DELETE', '/datasets/x'],
  ['POST', '/datasets'],
  ['POST', '/landscape/slots/x'],
  ['POST', '/landscape/runs'],
  ['POST', '/nowhere'],
  ['PROPFIND', '/datasets'],
] as const;

async function startWith(access: Partial<AccessPolicy> = {}): Promise<TestApp> {
  return await startTestApp({ access: () => access });
}

/** Returns whether a write with these headers reaches the parsing of its body, which is missing. */
async function mayWrite(app: TestApp, headers: Sent): Promise<boolean> {
  const { status, text } = await ask(app, 'POST', '/categories', { headers });
  assert.ok(status === 400 || status === 403, `${status} ${text}`);
  return status === 400;
}

const app = await closeAfterTests(startWith({ corsOrigins: [listed] }));

describe('a write', () => {
  test('of a page of our own passes, and so does one of a listed origin', async () => {
    const accepted: readonly Sent[] = [
      { origin: `http://127.0.0.1:${app.port}` },
      { origin: 'https://steppe.example', host: 'steppe.example' },
      { origin: 'https://steppe.example', host: '10.0.0.7', 'sec-fetch-site': 'same-origin' },
      { origin: listed },
      { origin: listed, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of accepted) assert.ok(await mayWrite(app, headers), JSON.stringify(headers));
  });

  test('of a page from elsewhere is 403', async () => {
    const refused: readonly Sent[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://sub.steppe.example', host: 'steppe.example', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: '' },
      { origin: `http://127.0.0.1:${app.port + 1}` },
      { origin: `http://localhost:${app.port}` },
      { origin: 'https://console.example.evil' },
      { origin: 'https://evilconsole.example' },
      { origin: 'http://console.example' },
      { origin: 'https://console.example:444' },
      { origin: `${listed}, https://evil.example` },
    ];
    for (const headers of refused) assert.ok(!(await mayWrite(app, headers)), JSON.stringify(headers));
  });

  test('is refused before anything else of it is looked at', async () => {
    for (const [method, path] of writes) {
      const headers = { origin: 'https://evil.example', 'content-length': String(2 ** 40) };
      assert.equal((await ask(app, method, path, { headers })).status, 403, `${method} ${path}`);
    }
  });
});

test('reads are answered wherever they come from', async () => {
  await using app = await startWith();
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const { status } = await ask(app, method, '/categories', { headers });
    assert.equal(status, method === 'OPTIONS' ? 204 : 200);
  }
});

test('`*` lists no origin: it opens reads only', async () => {
  await using app = await startWith({ corsOrigins: '*' });
  assert.ok(!(await mayWrite(app, { origin: 'https://evil.example' })));
  assert.ok(await mayWrite(app, { origin: `http://127.0.0.1:${app.port}` }));
});

test('PUBLIC_URL says what our own pages are', async () => {
  await using app = await startWith({ publicUrl: new URL('https://steppe.example/') });
  assert.ok(await mayWrite(app, { origin: 'https://steppe.example', host: '10.0.0.7:8080' }));
  assert.ok(!(await mayWrite(app, { origin: 'http://10.0.0.7:8080', host: '10.0.0.7:8080' })));
});
