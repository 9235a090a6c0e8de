import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackName, isLoopbackOnly } from './addresses.ts';

test('only three names mean this machine and no other', () => {
  for (const name of ['localhost', '127.0.0.1', '[::1]']) assert.ok(isLoopbackName(name), name);
  for (const name of ['', 'localhost.evil.example', '127.0.0.1.nip.io', '127.0.0.2', '::1', '0.0.0.0']) {
    assert.ok(!isLoopbackName(name), name);
  }
});

test('who listens on a loopback address or name is reached from this machine alone', async () => {
  for (const host of ['127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost']) {
    assert.ok(await isLoopbackOnly(host), host);
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'fe80::1', '::ffff:10.0.0.1']) {
    assert.ok(!(await isLoopbackOnly(host)), host);
  }
});
