import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { makeCategory, newCode } from '../support/catalogue.ts';
import { assertError } from '../support/errors.ts';
import { exchange } from '../support/raw.ts';

type Sent = Readonly<Record<string, string>>;
const elsewhere = 'https://elsewhere.example';

async function write({ ask }: Client, headers: Sent) {
  return await ask('POST', '/categories', { json: { code: newCode(), name: 'Access' }, headers });
}

/** The status of a read under a host name that `fetch` would not send. */
async function statusUnder({ baseUrl }: Client, host: string, path = '/categories') {
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  return await exchange(baseUrl, [head]);
}

claim(['D4a off'], 'calls work without credentials, and with garbage for credentials', async (client) => {
  const { id } = await makeCategory(client);
  for (const authorization of [undefined, '', 'Bearer', 'Bearer garbage', 'Basic YTpi', 'Bearer a.b.c']) {
    const headers: Sent = authorization === undefined ? {} : { authorization };
    await client.expect(200, 'GET', `/categories/${id}`, { headers });
    await client.expect(200, 'GET', '/landscape/runs', { headers });
    const answer = await write(client, headers);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('www-authenticate'), null);
  }
});

claim(['D4a open paths'], 'probes, description and its page are open', async ({ expect }) => {
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) await expect(200, 'GET', path);
  await expect(303, 'GET', '/');
});

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
      assert.equal((await write(client, headers)).status, 201, JSON.stringify(headers));
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
      const answer = await write(client, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assertError(answer);
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
      const answer = await client.ask(method, path, { ...body, headers: { origin: elsewhere } });
      assert.equal(answer.status, 403, `${method} ${path}`);
      assertError(answer);
    }
    const left = (await client.expect(200, 'GET', `/categories/${id}`)).read<{ name: string }>();
    assert.notEqual(left.name, 'Changed');
  },
);

claim(
  ['D4a loopback', 'D4a rebinding'],
  'a service of one’s own machine answers under the names of the machine alone',
  async (client) => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'localhost:1', '127.0.0.1:65535', '[::1]:8080']) {
      assert.equal((await statusUnder(client, host)).status, 200, host);
    }
    for (const host of [
      'rebound.example',
      'rebound.example:8080',
      'localhost.rebound.example',
      '127.0.0.2',
    ]) {
      for (const path of ['/categories', '/', '/docs', '/openapi.json', '/healthz', '/nowhere']) {
        const { status, headers, text } = await statusUnder(client, host, path);
        assert.equal(status, 403, `${host} ${path}`);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.match(text, /^\{"error":".*ALLOWED_HOSTS.*"\}$/);
      }
    }
  },
);

checkedElsewhere(
  ['D4a modes', 'D4a 401', 'D4a scopes'],
  'test/http/access-tokens.test.ts',
  'an operation without credentials is 401, whatever else is wrong with the request',
);
checkedElsewhere(
  ['D4a 403', 'D4a scopes'],
  'test/http/access-tokens.test.ts',
  'an operation is 403 with every scope but its own, and names it',
);
checkedElsewhere(
  ['D4a modes'],
  'test/access/oidc.test.ts',
  'a token of the issuer opens what its scopes say, and no more',
);
checkedElsewhere(
  ['D4a open paths'],
  'test/http/access-tokens.test.ts',
  'the open paths stay open, with and without credentials',
);
checkedElsewhere(
  ['D4a metrics'],
  'src/http/access/route-scopes.test.ts',
  'metrics need credentials, and cannot be served before their scope is declared',
);
checkedElsewhere(
  ['D4a CORS list', 'D4a CORS exposes'],
  'test/http/access-cors.test.ts',
  'lets pages of its origins read answers, errors included, and the headers that matter',
);
checkedElsewhere(['D4a CORS list'], 'test/http/access-cors.test.ts', 'lets nobody else');
checkedElsewhere(['D4a CORS *'], 'test/http/access-cors.test.ts', 'opens no write');
checkedElsewhere(
  ['D4a write of our own'],
  'test/http/access-cross-site.test.ts',
  'of a page of our own passes, and so does one of a listed origin',
);
checkedElsewhere(
  ['D4a own'],
  'test/http/access-cross-site.test.ts',
  'PUBLIC_URL says what our own pages are',
);
checkedElsewhere(
  ['D4a warning'],
  'test/lifecycle/access.test.ts',
  'that everybody reaches and that asks for nothing warns when it starts',
);
checkedElsewhere(
  ['D4a ALLOWED_HOSTS'],
  'test/http/access-hosts.test.ts',
  'is 403 under any other name, but for the two probes',
);
