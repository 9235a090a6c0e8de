import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HostPolicy } from '../../../src/http/access/access-policy.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { ask } from '../../support/http/ask.ts';
import { exchange } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const loopbackNames = ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'];
const foreignHosts = [
  'evil.example',
  'localhost.evil.example',
  'evil.example:8080',
  '127.0.0.1.nip.io',
  '127.0.0.1:8080@evil.example',
  '[::1].evil.example',
  '[::1',
  'localhost:80:80',
];
const paths = ['/', '/docs', '/openapi.json', '/categories', '/nowhere'];

async function statusUnder(app: TestApp, host: string, path = '/categories', method = 'GET') {
  return (await ask(app, method, path, { headers: { host } })).status;
}

async function startWith(hosts: HostPolicy): Promise<TestApp> {
  return await startTestApp({ access: () => ({ hosts }) });
}

const app = await closeAfterTests(startWith({ answered: 'listed', names: ['steppe.example', '[fd00::7]'] }));

test('a service of one’s own machine is 403 under an empty name, and answers a program that knows no names', async () => {
  await using own = await startWith({ answered: 'loopback' });
  const empty = 'GET /categories HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n';
  assert.match(await exchange(own.port, empty), /^HTTP\/1\.1 403 /);
  assert.match(await exchange(own.port, 'GET /categories HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

describe('a service with ALLOWED_HOSTS', () => {
  test('answers under those names and those of this machine', async () => {
    for (const name of [...loopbackNames, 'steppe.example', 'Steppe.Example:8080', '[fd00::7]:80']) {
      assert.equal(await statusUnder(app, name), 200, name);
    }
  });

  test('is 403 under any other name, but for the two probes', async () => {
    for (const host of [...foreignHosts, 'sub.steppe.example', 'steppe.example.evil', '10.0.0.7']) {
      assert.equal(await statusUnder(app, host), 403, host);
      assert.equal(await statusUnder(app, host, '/healthz'), 200, host);
      assert.equal(await statusUnder(app, host, '/readyz'), 200, host);
    }
    for (const path of paths) assert.equal(await statusUnder(app, '10.0.0.7', path), 403, path);
  });
});

test('a service that answers under any name does so', async () => {
  await using app = await startWith({ answered: 'any' });
  for (const host of foreignHosts) assert.equal(await statusUnder(app, host), 200, host);
});
