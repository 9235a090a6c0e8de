import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { needOf, requireScopes } from './route-scopes.ts';

test('a route that has no scope cannot be registered', () => {
  const app = Fastify();
  const areAllThere = requireScopes(app);
  app.get('/categories', async () => '');
  app.get('/docs/anything', async () => '');
  assert.throws(() => app.get('/secrets', async () => ''), /no scope is declared for GET \/secrets/);
  assert.throws(
    () => app.patch('/categories', async () => ''),
    /no scope is declared for PATCH \/categories/,
  );
  areAllThere();
  app.patch('/categories', async () => ''); // what answers 405
});

test('what does not exist needs credentials, and names of built-in properties are no paths', () => {
  for (const path of [undefined, '/secrets', 'constructor', '__proto__', '/docsx', '/healthz/x']) {
    assert.equal(needOf('GET', path), 'credentials', path);
  }
  assert.equal(needOf('constructor', '/categories'), 'credentials');
  assert.equal(needOf('GET', '/docs/static/x.js'), 'nothing');
});

test('metrics need credentials, and cannot be served before their scope is declared', () => {
  assert.equal(needOf('GET', '/metrics'), 'credentials');
  const app = Fastify();
  requireScopes(app);
  assert.throws(() => app.get('/metrics', async () => ''), /no scope is declared for GET \/metrics/);
});
