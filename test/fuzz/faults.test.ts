import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, readDocument } from './document.ts';
import { faultsOf, type Situation } from './faults.ts';
import type { Answer } from './http-client.ts';
import type { FuzzRequest } from './requests.ts';

const text = { type: 'string', maxLength: 3 };
const error = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] };
const errors = { type: 'object', properties: { errors: { type: 'object' } }, required: ['errors'] };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document: Document = readDocument({
  paths: {
    '/things/{id}': {
      put: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
        ],
        requestBody: {
          required: true,
          ...json({ type: 'object', properties: { name: text }, required: ['name'] }),
        },
        responses: {
          200: json({ type: 'object', properties: { name: text }, additionalProperties: false }),
          400: json(error),
          404: json(error),
          422: json({ anyOf: [error, errors] }),
        },
      },
    },
    '/datasets/{id}/tiles/{z}/{x}/{y}.png': {
      get: {
        parameters: ['id', 'z', 'x', 'y'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        responses: { 200: json({}), 404: json(error), 503: json(error) },
      },
    },
  },
  components: { schemas: {} },
});

const [put, tile] = document.operations;
assert.ok(put);
assert.ok(tile);
const id = '0190c8f0-0000-0000-0000-000000000000';
const operation = put;
const tileOperation = tile;

function ask(query: string, body: string, method = 'PUT', path = id): FuzzRequest {
  const pathValues = { id: path };
  return {
    operation,
    method,
    pathValues,
    pathEnd: '',
    query,
    headers: {},
    form: undefined,
    url: `/things/${path}?${query}`,
    body: Buffer.from(body),
  };
}

function askForTile(z: string, x: string, y: string): FuzzRequest {
  const url = `/datasets/${id}/tiles/${z}/${x}/${y}.png`;
  const pathValues = { id, z, x, y };
  return { ...ask('', '', 'GET'), operation: tileOperation, pathValues, url, body: undefined };
}

const common = {
  'x-content-type-options': 'nosniff',
  'x-request-id': 'x',
  'content-type': 'application/json; charset=utf-8',
};

function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: Buffer.from(body), headers: { ...common, ...headers } };
}

const named = '{"name":""}';
const fine = answer(200, '{}');
const allowed = { allow: 'OPTIONS, PUT' };
const later = { 'retry-after': '1' };
const html = { 'content-type': 'text/html' };
const good = ask('page=1', '{"name":"abc"}');
const problem = '{"error":"no"}';
const onName = '{"errors":{"name":"no"}}';

/** A request, its answer, the situation, and the fault that must be found; none when it is fine. */
type Case = readonly [string, FuzzRequest, Answer, Situation['resource'], RegExp | undefined];
const cases: readonly Case[] = [
  ['as documented', good, answer(200, '{"name":"abc"}'), 'live', undefined],
  ['a server error', good, answer(500, problem), 'live', /a server error/],
  ['no nosniff', good, answer(200, '{}', { 'x-content-type-options': '' }), 'live', /nosniff/],
  ['no request id', good, answer(200, '{}', { 'x-request-id': '' }), 'live', /X-Request-Id/],
  ['an undocumented status', good, answer(201, '{}'), 'live', /201 is not documented/],
  ['an undocumented media type', good, answer(200, '{}', html), 'live', /text\/html/],
  ['a body against its schema', good, answer(200, '{"name":"abcd"}'), 'live', /more than 3 characters/],
  ['a body with more than documented', good, answer(200, '{"secret":1}'), 'live', /secret/],
  ['an error without words', good, answer(404, '{}'), 'absent', /neither/],
  ['a repeated parameter that is taken', ask('page=1&page=1', named), fine, 'live', /400/],
  ['a parameter out of range that is taken', ask('page=0', named), fine, 'live', /400/],
  ['a malformed id that is not found', ask('', named, 'PUT', 'x'), answer(404, problem), 'absent', /400/],
  ['a broken body that is taken', ask('', '{'), fine, 'live', /broken/],
  ['a wrong field that is taken', ask('', '{"name":"abcd"}'), fine, 'live', /wrong are name/],
  ['a wrong field that is refused', ask('', '{"name":"abcd"}'), answer(422, onName), 'live', undefined],
  [
    'a wrong field that is not named',
    ask('', '{}'),
    answer(422, '{"errors":{"x":"no"}}'),
    'live',
    /word on name/,
  ],
  ['a right field that is refused', good, answer(422, onName), 'live', /name, which conforms/],
  ['a resource that is there and not found', good, answer(404, problem), 'live', /as documented/],
  ['a resource that is gone and found', good, fine, 'absent', /no such resource/],
  ['a resource that is just leaving', good, answer(404, problem), 'unsure', undefined],
  ['a path that leads nowhere', { ...good, pathEnd: '/x' }, answer(404, problem), 'none', undefined],
  ['a path that leads too far', { ...good, pathEnd: '/x' }, fine, 'none', /leads nowhere/],
  ['a method that is refused', ask('', '', 'GET'), answer(405, problem, allowed), 'live', undefined],
  ['a method without Allow', ask('', '', 'GET'), answer(405, problem), 'live', /Allow/],
  ['a method that works by accident', ask('', '', 'TRACE'), answer(200, '', allowed), 'live', /TRACE is 200/],
  ['a tile of its zoom', askForTile('1', '1', '0@2x'), fine, 'live', undefined],
  ['a tile that its zoom has not', askForTile('1', '0', '2'), fine, 'live', /no such tile/],
  ['such a tile that is not found', askForTile('1', '2', '0'), answer(404, problem), 'live', undefined],
  ['a tile for later', askForTile('0', '0', '0'), answer(503, problem, later), 'live', undefined],
  ['a tile for nobody knows when', askForTile('0', '0', '0'), answer(503, problem), 'live', /server error/],
];

for (const [claim, request, given, resource, fault] of cases) {
  test(`${claim} ${fault === undefined ? 'is no fault' : 'is a fault'}`, () => {
    const found = faultsOf(request, given, document, { resource }).join('; ');
    if (fault === undefined) assert.equal(found, '');
    else assert.match(found, fault);
  });
}
