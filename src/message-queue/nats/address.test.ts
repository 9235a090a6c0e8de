import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNatsUrl } from './address.ts';

test('a URL names servers, an account and files', () => {
  assert.deepEqual(readNatsUrl('nats://a.example:4222,b.example?creds=%2Fetc%2Fa.creds&ca=/etc/ca.pem'), {
    servers: ['a.example:4222', 'b.example'],
    user: undefined,
    password: undefined,
    credsPath: '/etc/a.creds',
    caPath: '/etc/ca.pem',
  });
  const { servers, user, password } = readNatsUrl('nats://steppe:p%40ss@[::1]:4222');
  assert.deepEqual([servers, user, password], [['[::1]:4222'], 'steppe', 'p@ss']);
});

test('a URL that says something else is refused in words', () => {
  assert.throws(() => readNatsUrl('nats://'), /MESSAGE_QUEUE_URL: must name servers/);
  assert.throws(() => readNatsUrl('nats://a:4222,'), /must name servers/);
  assert.throws(() => readNatsUrl('nats://a?token=x'), /token is not known/);
  assert.throws(() => readNatsUrl('nats://a?replicas=3'), /replicas is not known/);
});
