import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeCategory, newCode } from '../../support/catalogue.ts';
import { assertKeys } from '../../support/errors.ts';
import { exchange } from '../../support/bytes.ts';

type Sent = Readonly<Record<string, string>>;
const elsewhere = 'https://elsewhere.example';

const writing = (headers: Sent) => ({ json: { code: newCode(), name: 'Access' }, headers });

/** Sends a request with a host name that `fetch` would not send. */
async function readUnder({ baseUrl }: Client, status: number, host: string, path = '/categories') {
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  return await exchange(baseUrl, status, [head]);
}

claim(
  ['D4a off', '5 authentication'],
  'calls work without credentials, and with garbage for credentials',
  async (client) => {
    const { id } = await makeCategory(client);
    for (const authorization of [undefined, '', 'Bearer', 'Bearer garbage', 'Basic YTpi', 'Bearer a.b.c']) {
      const headers: Sent = authorization === undefined ? {} : { authorization };
      await client.expect(200, 'GET', `/categories/${id}`, { headers });
      await client.expect(200, 'GET', '/landscape/runs', { headers });
      const answer = await client.expect(201, 'POST', '/categories', writing(headers));
      assert.equal(answer.headers.get('www-authenticate'), null);
    }
  },
);

claim(
  ['D4a open paths'],
  'probes, description, its page, the console and the capabilities are open',
  async ({ expect }) => {
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/capabilities'])
      await expect(200, 'GET', path);
    const { text } = await expect(200, 'GET', '/');
    const assets = Array.from(text.matchAll(/"\.(\/assets\/[^"]+)"/g), ([, path = '']) => path);
    assert.ok(assets.length > 0);
    for (const path of assets) await expect(200, 'GET', path);
  },
);

claim(
  ['D7 capabilities', 'D4a off'],
  'the capabilities say that nothing is asked for, and that everything may be done up to a size',
  async (client) => {
    for (const authorization of ['', 'Bearer garbage']) {
      const { text } = await client.expect(200, 'GET', '/capabilities', { headers: { authorization } });
      const found: Record<string, unknown> = JSON.parse(text);
      assertKeys(found, ['auth', 'base_map', 'max_upload_bytes', 'scopes']);
      assert.equal(found['auth'], 'off');
      assert.deepEqual(found['scopes'], ['data:read', 'data:write', 'catalog:write', 'landscape:run']);
      assert.ok(Number(found['max_upload_bytes']) > 0);
    }
  },
);

claim(['D4a CORS off'], 'no answer invites pages of other origins', async ({ ask }) => {
  const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' };
  for (const [method, path, headers] of [
    ['GET', '/categories', {}],
    ['HEAD', '/datasets', {}],
    ['GET', '/nowhere', {}],
    ['POST', '/categories', {}],
    ['OPTIONS', '/datasets', preflight],
  ] as const) {
    const answer = await ask(method, path, { headers: { origin: elsewhere, ...headers } });
    const invitations = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(invitations, [], `${method} ${path}`);
  }
});

claim(
  ['D4a write of a program', 'D4a write of our own', 'D4a write of the same origin', 'D4a own'],
  'programs and pages of our own write',
  async (client) => {
    const { origin } = new URL(client.baseUrl);
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-site' },
      { origin },
      { origin, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' },
    ] as const) {
      await client.expect(201, 'POST', '/categories', writing(headers));
    }
  },
);

claim(
  ['D4a write from elsewhere', 'D4a own'],
  'a page from elsewhere cannot write, whatever the route, and leaves nothing',
  async (client) => {
    const { hostname, host } = new URL(client.baseUrl);
    for (const headers of [
      { origin: elsewhere },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: `http://${hostname}:1` },
      { origin: `http://${host}.elsewhere.example` },
      { origin: elsewhere, 'sec-fetch-site': 'same-site' },
    ] as const) {
      await client.refused(403, 'POST', '/categories', writing(headers));
    }
    const { id } = await makeCategory(client);
    const form = { file: new File(['<StyledLayerDescriptor/>'], 'x.sld') };
    for (const [method, path, body] of [
      ['PUT', `/categories/${id}`, { json: { code: newCode(), name: 'Changed' } }],
      ['DELETE', `/categories/${id}`, {}],
      ['POST', '/datasets', { form }],
      ['POST', `/dataset-groups/${id}/sld`, { form }],
      ['POST', '/landscape/slots/landscape-in-dem', { form }],
      ['POST', '/landscape/runs?dry_run=true', {}],
    ] as const) {
      await client.refused(403, method, path, { ...body, headers: { origin: elsewhere } });
    }
    const left = await client.get<{ name: string }>(`/categories/${id}`);
    assert.notEqual(left.name, 'Changed');
  },
);

claim(
  ['D4a loopback', 'D4a rebinding'],
  'a service of one’s own machine answers under the names of the machine alone',
  async (client) => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'localhost:1', '127.0.0.1:65535', '[::1]:8080']) {
      await readUnder(client, 200, host);
    }
    for (const host of [
      'rebound.example',
      'rebound.example:8080',
      'localhost.rebound.example',
      '127.0.0.2',
    ]) {
      for (const path of ['/categories', '/', '/docs', '/openapi.json', '/healthz', '/nowhere']) {
        const { text } = await readUnder(client, 403, host, path);
        assert.match(text, /^\{"error":".*ALLOWED_HOSTS.*"\}$/);
      }
    }
  },
);

checkedElsewhere('test/http/access/access-tokens.test.ts', {
  'an operation without credentials is 401, whatever else is wrong with the request': [
    'D4a modes',
    'D4a 401',
    'D4a scopes',
  ],
  'an operation is 403 with every scope but its own, and names it': ['D4a 403', 'D4a scopes'],
  'the open paths stay open, with and without credentials': ['D4a open paths'],
});
checkedElsewhere('test/http/capabilities.test.ts', {
  'are the scopes of the token, none without one, and 401 for one that is not valid': ['D7 capabilities'],
  'name the base map and the limit that are set': ['D7 capabilities'],
});
checkedElsewhere('test/http/access/oidc.test.ts', {
  'a token of the issuer opens what its scopes say, and no more': ['D4a modes'],
});
checkedElsewhere('src/http/access/route-scopes.test.ts', {
  'metrics need credentials, and cannot be served before their scope is declared': ['D4a metrics'],
});
checkedElsewhere('test/http/access/access-cors.test.ts', {
  'lets pages of its origins read answers, errors included, and the headers that matter': [
    'D4a CORS list',
    'D4a CORS exposes',
  ],
  'lets no other origin in': ['D4a CORS list'],
  'opens no write': ['D4a CORS *'],
});
checkedElsewhere('test/http/access/access-cross-site.test.ts', {
  'of a page of our own passes, and so does one of a listed origin': ['D4a write of our own'],
  'PUBLIC_URL says what our own pages are': ['D4a own'],
});
checkedElsewhere('test/lifecycle/access.test.ts', {
  'that is open to the network and asks for nothing warns when it starts': ['D4a warning'],
});
checkedElsewhere('test/http/access/access-hosts.test.ts', {
  'is 403 under any other name, but for the two probes': ['D4a ALLOWED_HOSTS'],
});
