import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxConnectionsOf, serviceConnections } from './connections.ts';

test('a worker has a connection for each attempt, when as many are slow as it has slots', () => {
  assert.deepEqual(
    [1, 2, 256].map((workerConcurrency) => maxConnectionsOf('worker', { workerConcurrency })),
    [6, 8, 516],
  );
});

test('the PostgreSQL of a service has enough for all its parts and a few commands', () => {
  assert.deepEqual(
    [2, 256].map((workerConcurrency) => serviceConnections({ workerConcurrency })),
    [42, 550],
  );
});
