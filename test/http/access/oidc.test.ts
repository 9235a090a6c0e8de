import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { createOidcAuthenticator } from '../../../src/access/oidc.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { ask } from '../../support/http/ask.ts';
import { audience, type Issuer, startIssuer } from '../../support/http/issuer.ts';
import { insertRun } from '../../support/landscape/stored-runs.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const invalid = 'Bearer realm="steppe", error="invalid_token"';
const unavailable = '{"error":"identity provider unavailable"}';

async function startApp({ url }: Issuer, keyCooldownMs?: number): Promise<TestApp> {
  const options = { issuer: url, audience, ...(keyCooldownMs === undefined ? {} : { keyCooldownMs }) };
  const authenticator = createOidcAuthenticator(options);
  return await startTestApp({
    access: () => ({ authentication: { mode: 'oidc', authenticator, issuer: url } }),
  });
}

async function read(app: TestApp, token: string, path = '/categories') {
  return await ask(app, 'GET', path, { headers: { authorization: `Bearer ${token}` } });
}

async function assertInvalid(app: TestApp, token: string, why: string): Promise<void> {
  const { status, headers, text } = await read(app, token);
  assert.equal(status, 401, `${why}: ${text}`);
  assert.equal(headers.get('www-authenticate'), invalid, why);
}

const now = (): number => Math.floor(Date.now() / 1000);

interface Signed {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: JWK;
}

/** Signs a token as the issuer would, except for the given parts. */
async function sign(issuer: Issuer, { claims, header, key = issuer.key() }: Signed = {}): Promise<string> {
  const { alg = '', kid = '' } = issuer.key();
  const usual = { iss: issuer.url, aud: audience, exp: now() + 600, scope: 'data:read' };
  return await new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
    .sign(await importJWK(key, alg));
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

const issuer = await closeAfterTests(startIssuer());
const app = await closeAfterTests(startApp(issuer));

describe('with AUTH_MODE=oidc', () => {
  test('a token of the issuer opens what its scopes say, and no more', async () => {
    const token = await issuer.issue('data:read profile.nonsense');
    assert.equal((await read(app, token)).status, 200);
    const headers = { authorization: `Bearer ${token}` };
    const refused = await ask(app, 'POST', '/landscape/runs', { headers });
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get('www-authenticate') ?? '', /scope="landscape:run"$/);
    const other = { authorization: `Bearer ${await issuer.issue('landscape:run')}` };
    assert.equal((await ask(app, 'POST', '/landscape/runs', { headers: other })).status, 202);
    const claims = { scope: 'landscape:run', sub: 'a-planner', name: 'Minister' };
    const named = { authorization: `Bearer ${await sign(issuer, { claims })}` };
    const record = `/landscape/runs/${await insertRun(app.services.db)}/record`;
    const { text } = await ask(app, 'PUT', record, { headers: named, body: '{"name":"B"}' });
    assert.match(text, /"changed_by":"a-planner"/);
    assert.equal((await ask(app, 'GET', '/categories', { headers: other })).status, 403);
  });

  test('scopes are read from scope, scp and permissions, as text or as a list', async () => {
    for (const claims of [
      { scope: 'openid data:read' },
      { scope: undefined, scp: 'data:read openid' },
      { scope: undefined, scp: ['data:read'] },
      { scope: 'openid', permissions: ['data:read', 'else'] },
    ]) {
      assert.equal((await read(app, await sign(issuer, { claims }))).status, 200, JSON.stringify(claims));
    }
    for (const scope of [
      '',
      'DATA:READ',
      'data:read,data:write',
      'data',
      ['x'],
      { 'data:read': true },
      7,
      null,
    ]) {
      const { status } = await read(app, await sign(issuer, { claims: { scope } }));
      assert.equal(status, 403, JSON.stringify(scope));
    }
  });

  test('a token for another audience is 401', async () => {
    await assertInvalid(app, await issuer.issue('data:read', 'https://other.example/'), 'another audience');
    for (const claims of [
      { aud: 'https://steppe.example' },
      { aud: ['https://other.example/'] },
      { aud: undefined },
      { iss: 'https://evil.example' },
      { iss: `${issuer.url}/` },
      { iss: undefined },
      { cnf: { jkt: 'a key of its own' } },
    ]) {
      await assertInvalid(app, await sign(issuer, { claims }), JSON.stringify(claims));
    }
    const among = await sign(issuer, { claims: { aud: ['https://other.example/', audience] } });
    assert.equal((await read(app, among)).status, 200);
  });

  test('a token outside of its time is 401, a minute of skew granted', async () => {
    for (const [claims, status] of [
      [{ exp: now() - 120 }, 401],
      [{ exp: now() - 10 }, 200],
      [{ exp: undefined }, 401],
      [{ nbf: now() + 120 }, 401],
      [{ nbf: now() + 10 }, 200],
    ] as const) {
      const answer = await read(app, await sign(issuer, { claims }));
      assert.equal(answer.status, status, JSON.stringify(claims));
    }
  });

  test('a token that says it is something else is 401', async () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 7]) {
      await assertInvalid(app, await sign(issuer, { header: { typ } }), String(typ));
    }
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', undefined]) {
      assert.equal((await read(app, await sign(issuer, { header: { typ } }))).status, 200, typ);
    }
  });

  test('an unsigned token is 401', async () => {
    const [header = '', payload = '', signature = ''] = (await issuer.issue('data:read')).split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      await assertInvalid(app, `${encode({ alg })}.${payload}.`, alg);
      await assertInvalid(app, `${encode({ alg })}.${payload}.${signature}`, alg);
    }
    await assertInvalid(app, `${header}.${payload}.`, 'no signature');
    await assertInvalid(app, `${header}.${encode({ scope: 'data:write' })}.${signature}`, 'other claims');
    for (const wrong of ['a', 'a.b', 'a.b.c', '..', 'e30.e30.', `${header}.${payload}.${signature}.x`]) {
      await assertInvalid(app, wrong, wrong);
    }
  });

  test('a token signed with the public key as a secret is 401', async () => {
    const publicKey = createPublicKey({ key: { ...issuer.key() }, format: 'jwk' });
    const { kid, n = '' } = issuer.key();
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      Buffer.from(n, 'base64url'),
      '',
    ];
    const claims = encode({ iss: issuer.url, aud: audience, exp: now() + 600, scope: 'data:read' });
    for (const secret of secrets) {
      const content = `${encode({ alg: 'HS256', kid, typ: 'at+jwt' })}.${claims}`;
      const token = `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
      await assertInvalid(app, token, 'HS256');
    }
  });

  test('a token that brings its own key is 401, and nothing is fetched for it', async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const key = await exportJWK(pair.privateKey);
    const jwk = await exportJWK(pair.publicKey);
    issuer.asked();
    for (const header of [
      {},
      { jwk },
      { kid: undefined, jwk },
      { jku: `${issuer.url}/planted-keys` },
      { x5u: `${issuer.url}/planted-certificate` },
    ]) {
      await assertInvalid(app, await sign(issuer, { header, key }), JSON.stringify(header));
    }
    assert.deepEqual(
      issuer.asked().filter((path) => path.startsWith('/planted')),
      [],
    );
  });

  test('the name of a key is compared and never followed', async () => {
    for (const kid of [
      '../../../etc/passwd',
      '/dev/null',
      'http://evil.example',
      "' or 1=1 --",
      '',
      '__proto__',
      7,
    ]) {
      await assertInvalid(app, await sign(issuer, { header: { kid } }), String(kid));
    }
  });

  test('unknown names of keys are not asked for again and again', async () => {
    await using patient = await startApp(issuer, 600_000);
    assert.equal((await read(patient, await issuer.issue('data:read'))).status, 200);
    issuer.asked();
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await assertInvalid(patient, await sign(issuer, { header: { kid: `unknown-${index}` } }), 'unknown');
      }),
    );
    assert.deepEqual(issuer.asked(), []);
  });

  test('ES256 and EdDSA are known too', async () => {
    for (const algorithm of ['ES256', 'EdDSA'] as const) {
      await issuer.rotate(algorithm);
      await using other = await startApp(issuer);
      assert.equal((await read(other, await issuer.issue('data:read'))).status, 200);
    }
    await issuer.rotate();
  });
});

describe('the keys of the issuer', () => {
  test('may change: tokens of a new key are valid at once, those of a removed key no longer', async () => {
    await using issuer = await startIssuer();
    await using app = await startApp(issuer, 0);
    const before = await issuer.issue('data:read');
    assert.equal((await read(app, before)).status, 200);
    await issuer.rotate();
    assert.equal((await read(app, before)).status, 200); // the keys have not been fetched since
    assert.equal((await read(app, await issuer.issue('data:read'))).status, 200);
    await assertInvalid(app, before, 'signed with the old key');
  });

  test('are enough while the issuer is away', async () => {
    await using issuer = await startIssuer();
    await using app = await startApp(issuer, 0);
    const token = await issuer.issue('data:read');
    assert.equal((await read(app, token)).status, 200);
    await issuer.close();
    assert.equal((await read(app, token)).status, 200);
    const unknown = await sign(issuer, { header: { kid: 'new' } });
    assert.deepEqual(statusAndText(await read(app, unknown)), [503, unavailable]);
    assert.equal((await read(app, token)).status, 200);
  });

  test('are fetched by the first request that finds the issuer again; until then nothing is open', async () => {
    await using issuer = await startIssuer();
    await using app = await startApp(issuer);
    const token = await issuer.issue('data:read');
    await issuer.close();
    assert.deepEqual(statusAndText(await read(app, token)), [503, unavailable]);
    assert.equal((await ask(app, 'GET', '/categories')).status, 401);
    assert.equal((await ask(app, 'GET', '/healthz')).status, 200);
    await issuer.listen();
    assert.equal((await read(app, token)).status, 200);
  });

  const wrongAnswers: Readonly<
    Record<string, { path: string; status: number; body: string; location?: string }>
  > = {
    'metadata that fail': { path: '/.well-known/openid-configuration', status: 500, body: '{}' },
    'metadata that are a page': { path: '/.well-known/openid-configuration', status: 200, body: '<html>' },
    'metadata of another issuer': {
      path: '/.well-known/openid-configuration',
      status: 200,
      body: '{"issuer":"https://evil.example","jwks_uri":"http://127.0.0.1:1/jwks"}',
    },
    'metadata elsewhere': {
      path: '/.well-known/openid-configuration',
      status: 302,
      body: '',
      location: '/elsewhere',
    },
    'keys that fail': { path: '/jwks', status: 500, body: '{}' },
    'keys that are a page': { path: '/jwks', status: 200, body: '<html>' },
    'keys that are none': { path: '/jwks', status: 200, body: '{"keys":"none"}' },
  };
  for (const [what, { path, status, body, location }] of Object.entries(wrongAnswers)) {
    test(`cannot be fetched where there are ${what}; nothing is open until these are right`, async () => {
      await using issuer = await startIssuer();
      await using app = await startApp(issuer);
      const token = await issuer.issue('data:read');
      const metadata = JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` });
      issuer.answerWith((request, response) => {
        const isMeant = request.url === path;
        if (isMeant && location !== undefined) response.setHeader('location', location);
        response.writeHead(isMeant ? status : 200).end(isMeant ? body : metadata);
      });
      assert.deepEqual(statusAndText(await read(app, token)), [503, unavailable]);
      issuer.answerWith(undefined);
      assert.equal((await read(app, token)).status, 200);
    });
  }
});

function statusAndText({ status, text }: { readonly status: number; readonly text: string }) {
  return [status, text];
}
