import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutageLog, databasePlace } from './logger.ts';

test('an outage is told of once, and again when it changes or comes back', () => {
  const told: unknown[] = [];
  let now = 0;
  const log = { warn: (fields: unknown, text?: unknown) => void told.push([fields, text]) };
  const tell = createOutageLog(log, 'DATABASE_URL at maps.example:5432', () => now);
  const text = 'waiting for DATABASE_URL at maps.example:5432';
  const refused = new Error('connect ECONNREFUSED\nat somewhere');
  for (const passed of [0, 200, 5000, 10_000]) {
    now += passed;
    tell(refused);
  }
  assert.deepEqual(told.splice(0), [[{ reason: 'connect ECONNREFUSED' }, text]]);
  tell(new AggregateError([new Error('a'), new Error('b'), new Error('a')]));
  tell(refused);
  assert.deepEqual(told.splice(0), [
    [{ reason: 'a, b' }, text],
    [{ reason: 'connect ECONNREFUSED' }, text],
  ]);
  now += 60_000;
  tell(refused);
  assert.equal(told.length, 1);
});

test('the place of a database has no secrets', () => {
  const places = [
    'postgres://steppe:secret@maps.example/maps',
    'postgres://steppe:secret@[::1]:5433/maps?sslmode=require',
    'postgres:///maps?host=/run/postgres&user=steppe',
    'postgres:///maps',
  ];
  assert.deepEqual(
    places.map((url) => databasePlace(url)),
    [
      'DATABASE_URL at maps.example:5432',
      'DATABASE_URL at [::1]:5433',
      'DATABASE_URL at /run/postgres',
      'DATABASE_URL at localhost:5432',
    ],
  );
});
