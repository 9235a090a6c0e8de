import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Scope, scopes } from '../../src/access/authenticator.ts';
import { createToken, createTokenAuthenticator, revokeToken } from '../../src/access/tokens.ts';
import type { Database } from '../../src/database/tables/tables.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { ask } from '../support/http/ask.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const withTokens = (db: Database) => ({
  authentication: { mode: 'token', authenticator: createTokenAuthenticator(db) } as const,
});
const challenge = 'Bearer realm="steppe"';
const limits = { max_upload_bytes: 2_147_483_648, base_map: null };

const app = await closeAfterTests(startTestApp({ access: withTokens }));

async function tokenOf(...granted: readonly Scope[]) {
  return await createToken(app.services.db, { name: 'test', scopes: granted, expiresInDays: undefined });
}

async function read(from: TestApp, authorization?: string) {
  const { status, headers, text } = await ask(from, 'GET', '/capabilities', {
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status, challenge: headers.get('www-authenticate'), body: JSON.parse(text) };
}

describe('the capabilities', () => {
  test('are the scopes of the token, none without one, and 401 for one that is not valid', async () => {
    const none = { auth: 'token', scopes: [], ...limits };
    for (const authorization of [undefined, '']) {
      assert.deepEqual(await read(app, authorization), { status: 200, challenge: null, body: none });
    }
    for (const [granted, told] of [
      [['data:read'], ['data:read']],
      [
        ['landscape:run', 'data:read'],
        ['data:read', 'landscape:run'],
      ],
    ] as const) {
      const { body } = await read(app, `Bearer ${(await tokenOf(...granted)).text}`);
      assert.deepEqual(body, { ...none, scopes: told });
    }
    const revoked = await tokenOf('data:read');
    await revokeToken(app.services.db, revoked.id);
    for (const token of [revoked.text, 'garbage', `${revoked.text}0`]) {
      const answer = await read(app, `Bearer ${token}`);
      assert.deepEqual([answer.status, answer.challenge], [401, `${challenge}, error="invalid_token"`]);
      assert.deepEqual(answer.body, { error: 'the token is not valid, or no longer valid' });
    }
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer a b']) {
      assert.deepEqual((await read(app, authorization)).status, 401, authorization);
    }
  });

  test('need the database for a token alone', async () => {
    const { text } = await tokenOf('data:read');
    await using away = await startTestApp({
      access: withTokens,
      databaseTarget: { host: '/nonexistent', database: 'x' },
      isPrepared: () => false,
    });
    assert.equal((await read(away)).status, 200);
    const { status, body } = await read(away, `Bearer ${text}`);
    assert.deepEqual([status, body], [503, { error: 'database unavailable' }]);
  });

  test('name the base map and the limit that are set', async () => {
    const baseMap = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© Tiles' };
    await using open = await startTestApp({ baseMap, maxUploadBytes: 12_345 });
    const expected = { auth: 'off', scopes: [...scopes], max_upload_bytes: 12_345, base_map: baseMap };
    for (const authorization of [undefined, 'Bearer garbage']) {
      assert.deepEqual((await read(open, authorization)).body, expected);
    }
  });

  test('are answered to HEAD, and to no other method', async () => {
    assert.equal((await ask(app, 'HEAD', '/capabilities')).status, 200);
    assert.equal((await ask(app, 'POST', '/capabilities')).status, 405);
  });
});
