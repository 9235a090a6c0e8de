import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { addErrorMapping } from '../errors.ts';
import type { App } from '../request/schemas.ts';
import { addAuthentication } from './authentication.ts';
import { requireScopes } from './route-scopes.ts';

function createApp(): App {
  const app: App = Fastify();
  addErrorMapping(app);
  addAuthentication(app, { mode: 'token', authenticator: { authenticate: async () => undefined } });
  requireScopes(app);
  return app;
}

test('a route without a scope stops the start', async () => {
  const app = createApp();
  app.get('/categories', { config: { scope: 'data:read' } }, async () => '');
  assert.throws(
    () => app.patch('/categories', async () => ''),
    /no scope is declared for PATCH \/categories/,
  );
  const loaded = app.register(async (plugin) => void plugin.get('/secrets', async () => ''));
  await assert.rejects(async () => await loaded, /no scope is declared for GET \/secrets/);
});

test('metrics need credentials, and cannot be served before their scope is declared', async () => {
  const app = createApp();
  assert.throws(() => app.get('/metrics', async () => ''), /no scope is declared for GET \/metrics/);
  assert.equal((await app.inject('/metrics')).statusCode, 401);
});
