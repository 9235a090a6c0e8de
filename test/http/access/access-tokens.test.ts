import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Scope, scopes } from '../../../src/access/authenticator.ts';
import { createToken, createTokenAuthenticator, revokeToken } from '../../../src/access/tokens.ts';
import type { Database } from '../../../src/database/tables/tables.ts';
import { startTestApp } from '../../support/app.ts';
import { ask } from '../../support/http/ask.ts';
import { exchange } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const challenge = 'Bearer realm="steppe"';
const invalid = `${challenge}, error="invalid_token"`;
const anId = '00000000-0000-4000-8000-000000000000';

const withTokens = (db: Database) => ({
  authentication: { mode: 'token', authenticator: createTokenAuthenticator(db) } as const,
});

interface Description {
  readonly paths: Record<string, Record<string, { security?: readonly { bearer: readonly Scope[] }[] }>>;
}

const app = await closeAfterTests(startTestApp({ access: withTokens }));
const description: Description = JSON.parse((await ask(app, 'GET', '/openapi.json')).text);
const open = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ security }) => (security === undefined ? [path] : [])),
);
/** The scope of each operation, from the description of the application. */
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { security }]) =>
    (security?.[0]?.bearer ?? []).map((scope) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, anId),
      scope,
    })),
  ),
);

async function tokenOf(...granted: readonly Scope[]) {
  const token = await createToken(app.services.db, {
    name: 'test',
    scopes: granted,
    expiresInDays: undefined,
  });
  return { ...token, headers: { authorization: `Bearer ${token.text}` } };
}

async function answerTo(authorization: string, path = '/categories') {
  const { status, headers, text } = await ask(app, 'GET', path, { headers: { authorization } });
  return { status, challenge: headers.get('www-authenticate'), text };
}

describe('with AUTH_MODE=token', () => {
  test('every operation but the probes asks for one scope', () => {
    assert.deepEqual(open, ['/healthz', '/readyz']);
    assert.deepEqual([...new Set(operations.map(({ scope }) => scope))].toSorted(), [...scopes].toSorted());
  });

  test('an operation without credentials is 401, whatever else is wrong with the request', async () => {
    for (const { method, path } of operations) {
      for (const wrong of ['', '?page=0&wait=x', '?%ff']) {
        const headers = { 'content-encoding': 'zstd', 'content-length': String(2 ** 40) };
        const asked = await ask(app, method, path + wrong, method === 'GET' ? {} : { headers });
        assert.equal(asked.status, 401, `${method} ${path}${wrong}`);
        assert.equal(asked.headers.get('www-authenticate'), challenge);
      }
    }
  });

  test('an operation is 403 with every scope but its own, and names it', async () => {
    for (const { method, path, scope } of operations) {
      const { headers } = await tokenOf(...scopes.filter((each) => each !== scope));
      const { status, headers: answered, text } = await ask(app, method, path, { headers });
      assert.equal(status, 403, `${method} ${path}`);
      const expected = `${challenge}, error="insufficient_scope", scope="${scope}"`;
      assert.equal(answered.get('www-authenticate'), expected);
      assert.equal(JSON.parse(text).error, `the token lacks the scope ${scope}`);
    }
  });

  test('an operation works with its scope alone', async () => {
    for (const { method, path, scope } of operations) {
      const { status, headers } = await ask(app, method, path, await tokenOf(scope));
      assert.ok(status < 500 && status !== 401 && status !== 403, `${method} ${path} ${status}`);
      assert.equal(headers.get('www-authenticate'), null);
    }
  });

  test('HEAD is as GET', async () => {
    assert.equal((await ask(app, 'HEAD', '/categories')).status, 401);
    assert.equal((await ask(app, 'HEAD', '/categories', await tokenOf('data:write'))).status, 403);
    assert.equal((await ask(app, 'HEAD', '/categories', await tokenOf('data:read'))).status, 200);
  });

  test('the open paths stay open, with and without credentials', async () => {
    for (const headers of [{}, { authorization: 'Bearer garbage' }]) {
      for (const [path, status] of [
        ['/healthz', 200],
        ['/readyz', 200],
        ['/', 200],
        ['/docs', 200],
        ['/docs/static/swagger-ui.css', 200],
        ['/openapi.json', 200],
        ['/capabilities', 'authorization' in headers ? 401 : 200],
      ] as const) {
        assert.equal((await ask(app, 'GET', path, { headers })).status, status, path);
      }
      assert.equal((await ask(app, 'OPTIONS', '/categories', { headers })).status, 204);
    }
  });

  test('an unknown path or method is 401 as well; with a valid token it is 404 or 405', async () => {
    const { headers } = await tokenOf('landscape:run');
    for (const [method, path, status] of [
      ['GET', '/nowhere', 404],
      ['GET', '/metrics', 404],
      ['POST', '/docsx', 404],
      ['GET', '/healthz/x', 404],
      ['PATCH', '/categories', 405],
      ['PROPFIND', `/datasets/${anId}`, 405],
    ] as const) {
      assert.equal((await ask(app, method, path)).status, 401, path);
      assert.equal((await ask(app, method, path, { headers })).status, status, path);
    }
  });

  test('a path written in another way asks for the same', async () => {
    for (const path of [
      '/CATEGORIES',
      '/categories/',
      '//categories',
      '/%63ategories',
      '/docs/../categories',
    ]) {
      const { status } = await ask(app, 'GET', path);
      assert.ok(status === 401 || status === 400, `${path} ${status}`);
    }
  });

  test('a body is not awaited before the answer', async () => {
    const head =
      'POST /datasets HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\ncontent-length: 100000\r\n\r\n';
    assert.match(await exchange(app.port, head), /^HTTP\/1\.1 401 /);
  });
});

describe('a token', () => {
  test('is taken as a bearer, in any case of that word, and in no other way', async () => {
    const { text } = await tokenOf('data:read');
    for (const authorization of [`Bearer ${text}`, `bearer ${text}`, `BEARER  ${text}`]) {
      assert.equal((await answerTo(authorization)).status, 200, authorization);
    }
    for (const authorization of [
      '',
      text,
      `Basic ${text}`,
      `Token ${text}`,
      'Bearer',
      'Bearer ',
      'Bearer a b',
    ]) {
      const { status, challenge: header } = await answerTo(authorization);
      assert.deepEqual([status, header], [401, challenge], authorization);
    }
    assert.equal((await ask(app, 'GET', `/categories?access_token=${text}`)).status, 401);
  });

  test('that is wrong in any letter is 401', async () => {
    const { text } = await tokenOf('data:read');
    for (let index = 0; index < text.length; index += 1) {
      const other = text[index] === 'a' ? 'b' : 'a';
      const { status, challenge: header } = await answerTo(
        `Bearer ${text.slice(0, index)}${other}${text.slice(index + 1)}`,
      );
      assert.deepEqual([status, header], [401, invalid], `letter ${index}`);
    }
    for (const wrong of [text.slice(0, -1), `${text}0`, text.toLowerCase(), 'x', '-', '~.+/=']) {
      assert.equal((await answerTo(`Bearer ${wrong}`)).status, 401, wrong);
    }
  });

  test('with the id of one and the secret of another is 401', async () => {
    const [one, other] = [await tokenOf('data:read'), await tokenOf('data:read')];
    const stored = await app.services.db
      .selectFrom('tokens')
      .select('sha256')
      .where('id', '=', other.id)
      .executeTakeFirstOrThrow();
    await app.services.db
      .updateTable('tokens')
      .set({ sha256: stored.sha256 })
      .where('id', '=', one.id)
      .execute();
    assert.equal((await answerTo(`Bearer ${one.text}`)).status, 401);
    assert.equal((await answerTo(`Bearer ${other.text}`)).status, 200);
  });

  test('is void from the request after its revocation on, and once it has expired', async () => {
    const { db } = app.services;
    const [revoked, expired] = [await tokenOf('data:read'), await tokenOf('data:read')];
    for (const { text } of [revoked, expired]) assert.equal((await answerTo(`Bearer ${text}`)).status, 200);
    assert.ok(await revokeToken(db, revoked.id));
    const past = new Date(Date.now() - 1000);
    await db.updateTable('tokens').set({ expires_at: past }).where('id', '=', expired.id).execute();
    for (const { text } of [revoked, expired]) {
      const { status, challenge: header, text: body } = await answerTo(`Bearer ${text}`);
      assert.deepEqual([status, header], [401, invalid]);
      assert.equal(body, '{"error":"the token is not valid, or no longer valid"}');
    }
  });

  test('is not in the database, and nothing of it can be read from what is', async () => {
    const { text } = await tokenOf('data:read');
    const secret = text.slice(-49, -6);
    const { rows } = await app.services.pool.query('select row_to_json(tokens)::text as row from tokens');
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ row }) => !String(row).includes(secret)));
  });

  test('is noted when it is used, and opens reads all the same when that cannot be written', async () => {
    const { db, pool } = app.services;
    const { id, headers } = await tokenOf('data:read');
    const lastUse = async () => {
      const row = db.selectFrom('tokens').select('last_used_at').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).last_used_at;
    };
    await pool.query(`create rule no_updates as on update to tokens do instead select 1 / 0`);
    assert.equal((await ask(app, 'GET', '/categories', { headers })).status, 200);
    assert.equal(await lastUse(), null);
    await pool.query('drop rule no_updates on tokens');
    assert.equal((await ask(app, 'GET', '/categories', { headers })).status, 200);
    const used = await lastUse();
    assert.ok(used !== null);
    assert.equal((await ask(app, 'GET', '/categories', { headers })).status, 200);
    assert.deepEqual(await lastUse(), used); // within the minute nothing is written
  });

  test('opens nothing when the database cannot be asked', async () => {
    await using away = await startTestApp({
      access: withTokens,
      databaseTarget: { host: '/nonexistent', database: 'x' },
    });
    const { headers } = await tokenOf('data:read');
    const { status, text } = await ask(away, 'GET', '/categories', { headers });
    assert.deepEqual([status, text], [503, '{"error":"database unavailable"}']);
    assert.equal((await ask(away, 'GET', '/categories')).status, 401);
    assert.equal((await ask(away, 'GET', '/healthz')).status, 200);
  });
});
