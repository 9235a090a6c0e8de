import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { checkComponents } from './components.ts';

const database = 'postgres://steppe@db.example/steppe';
const check = (environment: Readonly<Record<string, string>>): void =>
  checkComponents(readConfig(environment), 'serve');

test('external services go together in any way', () => {
  check({});
  check({ OBJECT_STORE_URL: 's3://maps' });
  check({ WORKFLOW_ENGINE_URL: 'temporal://temporal.example', WORKER_ROLES: 'blocks' });
  check({ MESSAGE_QUEUE_URL: 'nats://a.example:4222,b.example:4222?creds=/etc/steppe/nats.creds' });
  check({ DATABASE_URL: database, DATABASE_DIRECT_URL: 'postgres://steppe@other.example/steppe' });
  check({ DATABASE_URL: database, OBJECT_STORE_URL: 'file:///srv/steppe', MESSAGE_QUEUE_URL: database });
});

test('a URL with which the service cannot work stops the start, in words that name the variable', () => {
  const wrong: readonly (readonly [environment: Readonly<Record<string, string>>, words: RegExp])[] = [
    [
      { OBJECT_STORE_URL: 'https://s3.example' },
      /OBJECT_STORE_URL: https:\/\/ is not supported; use file:\/\/ or s3:/,
    ],
    [{ OBJECT_STORE_URL: 's3://maps?acl=public' }, /OBJECT_STORE_URL: acl is not known/],
    [{ MESSAGE_QUEUE_URL: 'amqp://a.example' }, /MESSAGE_QUEUE_URL: amqp:\/\/ is not supported/],
    [{ MESSAGE_QUEUE_URL: 'nats://a,,b' }, /MESSAGE_QUEUE_URL: must name servers/],
    [{ MESSAGE_QUEUE_URL: 'a.example' }, /MESSAGE_QUEUE_URL: must be a URL/],
    [{ MESSAGE_QUEUE_URL: database }, /MESSAGE_QUEUE_URL: a database that is the queue/],
    [{ DATABASE_DIRECT_URL: database }, /DATABASE_DIRECT_URL: set, but DATABASE_URL is not/],
    [
      { DATABASE_URL: database, DATABASE_DIRECT_URL: 'mysql://a' },
      /DATABASE_DIRECT_URL: mysql:\/\/ is not supported/,
    ],
    [
      { DATABASE_URL: `${database}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem` },
      /DATABASE_URL: sslrootcert names \/nowhere\/ca\.pem, which cannot be read \(ENOENT\)/,
    ],
    [
      { DATABASE_URL: database, DATABASE_DIRECT_URL: `${database}?sslkey=/nowhere/key.pem` },
      /DATABASE_DIRECT_URL: sslkey names \/nowhere\/key\.pem/,
    ],
    [{ WORKFLOW_ENGINE_URL: 'temporal://a?namespaces=b' }, /WORKFLOW_ENGINE_URL: namespaces is not known/],
    [
      { WORKFLOW_ENGINE_URL: 'temporal://a?api_key_file=/nowhere/key' },
      /WORKFLOW_ENGINE_URL: api_key_file names \/nowhere\/key, which cannot be read \(ENOENT\)/,
    ],
    [{ WORKER_ROLES: 'blocks' }, /WORKER_ROLES: blocks alone needs WORKFLOW_ENGINE_URL/],
  ];
  for (const [environment, words] of wrong) assert.throws(() => check(environment), words);
});
