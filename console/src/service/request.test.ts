import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filled } from './request.ts';

test('an id that is typed by hand cannot leave its segment of a path', () => {
  assert.equal(filled('/datasets/{id}.cog', { path: { id: '../a?b#c' } }), '/datasets/..%2Fa%3Fb%23c.cog');
  assert.equal(filled('/runs/{a}/{z}', { path: { a: 'x', z: 0 } }), '/runs/x/0');
});

test('a query has its parameters in their order, without those that ask for nothing', () => {
  assert.equal(
    filled('/datasets', { query: { q: 'a b&c', page: 0, dg_id: undefined, status: '' } }),
    '/datasets?q=a+b%26c&page=0',
  );
  assert.equal(
    filled('/datasets', { query: new URLSearchParams({ by: 'all', kato: '' }) }),
    '/datasets?by=all',
  );
  assert.equal(filled('/datasets', {}), '/datasets');
});
