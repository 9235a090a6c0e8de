import { sendText } from '../answer/answer.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { z } from 'zod';
import type { AccessPolicy } from '../access/access-policy.ts';
import { requireScopes } from '../access/route-scopes.ts';
import { addErrorMapping } from '../errors.ts';
import { type App, addSchemaCompilers } from '../request/schemas.ts';
import { absoluteBase, standardAnswers, Link } from './answers.ts';
import { standardErrors } from '../openapi/standards.ts';
import { addStandardDocument } from './documents.ts';
import {
  BboxQuery,
  datetimeQuery,
  standardQuery,
  limitQuery,
  namesQuery,
  refuseUnknown,
} from './parameters.ts';

const access: AccessPolicy = {
  authentication: { mode: 'off' },
  hosts: { answered: 'loopback' },
  corsOrigins: [],
  trustedProxies: [],
  publicUrl: undefined,
};
const Answer = z
  .object({ query: z.looseObject({}), link: Link.nullable() })
  .meta({ id: 'Answer', examples: [{ query: {}, link: null }] });

/** An application with one path below a standard's root. */
async function openStandard(publicUrl?: URL): Promise<App> {
  const app: App = Fastify();
  addErrorMapping(app);
  addSchemaCompilers(app);
  requireScopes(app);
  await addStandardDocument(
    app,
    { root: '/ogc', title: 'A standard', description: 'For tests.', tag: 'ogc' },
    access,
  );
  app.get('/elsewhere', {
    config: { scope: 'open' },
    schema: { querystring: standardQuery({}), response: standardAnswers('It', Answer) },
    handler: async () => ({ query: {}, link: null }),
  });
  app.get('/ogc/items', {
    config: { scope: 'open' },
    schema: {
      tags: ['ogc'],
      operationId: 'getItems',
      querystring: standardQuery({
        limit: limitQuery(1000, 10),
        bbox: BboxQuery,
        datetime: datetimeQuery(),
        ids: namesQuery(3),
      }),
      response: { ...standardAnswers('It', Answer), ...standardErrors(400) },
    },
    handler: async (request, reply) => {
      const link = { rel: 'self', href: absoluteBase(request, { ...access, publicUrl }) };
      return await sendText(request, reply, {
        body: { query: request.query, link },
        type: 'application/json',
      });
    },
  });
  await app.ready();
  return app;
}

describe('a path of a standard', () => {
  const ask = async (url: string, headers = {}) => await (await openStandard()).inject({ url, headers });

  test('reads its parameters, and takes the largest limit for a larger one', async () => {
    const answer = await ask(
      '/ogc/items?limit=100000&bbox=60,40,70,45&datetime=../2024-01-01T00:00:00Z&ids=a,b',
    );
    assert.deepEqual(answer.json().query, {
      limit: 1000,
      bbox: [60, 40, 70, 45],
      datetime: '../2024-01-01T00:00:00Z',
      ids: ['a', 'b'],
    });
    assert.equal((await ask('/ogc/items')).json().query.limit, 10);
    const forms = ['json', 'geojson', 'application/json', 'application/geo+json', 'application/geo%2Bjson'];
    for (const form of forms) assert.equal((await ask(`/ogc/items?f=${form}`)).statusCode, 200, form);
    assert.equal((await ask('/ogc/api?f=json')).statusCode, 200);
  });

  for (const [query, fault] of [
    ['colour=red', 'colour: is not a parameter of this path'],
    ['limit=0', 'limit: must be a whole number of 1 or more'],
    ['limit=1e3', 'limit: must be a whole number of 1 or more'],
    ['limit=1&limit=2', 'limit: was sent more than once'],
    ['bbox=1,2,3,4,5', /^bbox: must be four numbers/],
    ['bbox=1,2,3,4&bbox=1,2,3,4', 'bbox: was sent more than once'],
    ['datetime=2024', /^datetime: must be a time/],
    ['datetime=../..', /^datetime: must be a time/],
    ['f=html', 'f: must be json'],
    ['ids=a,b,c,d', 'ids: must have at most 3 items'],
  ] as const)
    test(`refuses ${query} in both dialects`, async () => {
      const answer = await ask(`/ogc/items?${query}`);
      const { error, code, description } = answer.json();
      assert.equal(answer.statusCode, 400);
      if (typeof fault === 'string') assert.equal(error, fault);
      else assert.match(error, fault);
      assert.deepEqual([code, description], ['InvalidParameterValue', error]);
    });

  test('answers 412 in both dialects to a client that expects another content', async () => {
    const { statusCode, headers } = await ask('/ogc/items', { host: 'a.example' });
    const etag = String(headers.etag);
    assert.equal(statusCode, 200);
    assert.equal((await ask('/ogc/items', { host: 'a.example', 'if-match': etag })).statusCode, 200);
    const other = await ask('/ogc/items', { host: 'a.example', 'if-match': '"other"' });
    const { error, code, description } = other.json();
    assert.deepEqual([other.statusCode, other.headers.etag], [412, etag]);
    assert.deepEqual([code, description], ['PreconditionFailed', error]);
  });

  test('speaks both dialects where nothing is, and no path elsewhere does', async () => {
    assert.deepEqual(Object.keys((await ask('/ogc/nothing')).json()), ['error', 'code', 'description']);
    assert.deepEqual(Object.keys((await ask('/ogcx')).json()), ['error']);
    assert.deepEqual(Object.keys((await ask('/elsewhere?a=1')).json()), ['error']);
  });

  test('has a strong ETag, and answers 304 to it', async () => {
    const { headers } = await ask('/ogc/items');
    assert.match(String(headers.etag), /^"[\da-f]{32}"$/);
    const again = await ask('/ogc/items', { 'if-none-match': headers.etag });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag]);
  });

  test('leads to the address of the service, whatever a proxy claims', async () => {
    const headers = {
      host: 'a.example:8000',
      'x-forwarded-host': 'b.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=b.example',
    };
    assert.equal((await ask('/ogc/items', headers)).json().link.href, 'http://a.example:8000');
    const app = await openStandard(new URL('https://maps.example/steppe/'));
    assert.equal(
      (await app.inject({ url: '/ogc/items', headers })).json().link.href,
      'https://maps.example/steppe',
    );
  });
});

test('parameters whose names depend on what a path leads to are refused by name', () => {
  refuseUnknown({ limit: 1, kato: '10' }, ['limit', 'kato']);
  assert.throws(
    () => refuseUnknown({ limit: 1, colour: 'red' }, ['limit']),
    /colour: is not a parameter of this path/,
  );
});

test('a standard is described in OpenAPI 3.0, by itself', async () => {
  const app = await openStandard();
  const answer = await app.inject({ url: '/ogc/api', headers: { host: 'a.example' } });
  assert.equal(answer.headers['content-type'], 'application/vnd.oai.openapi+json;version=3.0');
  const { openapi, servers, paths, components } = answer.json();
  assert.equal(openapi, '3.0.3');
  assert.deepEqual(servers, [{ url: 'http://a.example/ogc' }]);
  assert.deepEqual(Object.keys(paths), ['/api', '/items']);
  const { parameters, responses } = paths['/items'].get;
  const bbox = parameters.find(({ name }: { readonly name: string }) => name === 'bbox');
  assert.deepEqual([bbox.style, bbox.explode, bbox.required ?? false], ['form', false, false]);
  assert.deepEqual(bbox.schema, { type: 'array', minItems: 4, maxItems: 6, items: { type: 'number' } });
  assert.deepEqual(Object.keys(responses), ['200', '304', '400', '412', '500', '503']);
  assert.deepEqual(components.schemas.Answer.example, { query: {}, link: null });
  assert.match(JSON.stringify(components.schemas), /"nullable":true/);
  assert.doesNotMatch(answer.body, /"type":\[|"const":|"null"|"examples":/);
});
