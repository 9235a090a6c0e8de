import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { exchange, fetchBytes, request } from '../../support/bytes.ts';
import { describedPaths, filledIn, readDescription } from '../../support/description.ts';
import { assertError } from '../../support/errors.ts';

const known = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** `Allow` of a path with these methods. */
function allowOf(methods: readonly string[]): string {
  const more = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...methods, ...more].toSorted((a, b) => (a < b ? -1 : 1)).join(', ');
}

claim(
  ['D1 405', '7 Error', '4 nosniff', 'D1 common headers'],
  'every path answers each method that it does not have with 405 and names those that it has',
  async (client) => {
    for (const { path, methods } of await describedPaths(client)) {
      for (const method of [...known, 'PROPFIND', 'QUERY'].filter((each) => !methods.includes(each))) {
        const asked = method === 'GET' ? {} : { body: '{' };
        const answer = await client.expect(405, method, filledIn(path), asked);
        assert.equal(answer.headers.get('allow'), allowOf(methods), path);
        assertError(answer, path);
      }
    }
  },
);

claim(
  ['D1 405'],
  'where nothing can be read HEAD is 405 without a body, and TRACE is 405 everywhere',
  async (client) => {
    const { baseUrl } = client;
    for (const { path, methods } of await describedPaths(client)) {
      const trace = await exchange(baseUrl, 405, [request(baseUrl, `TRACE ${filledIn(path)}`)]);
      assert.equal(trace.headers.get('allow'), allowOf(methods), path);
      if (methods.includes('GET')) continue;
      const head = await client.expect(405, 'HEAD', filledIn(path));
      assert.deepEqual([head.text, head.headers.get('allow')], ['', allowOf(methods)], path);
    }
  },
);

claim(
  ['D1 OPTIONS'],
  'OPTIONS is 204 with Allow on every path, whether the resource exists or not',
  async (client) => {
    for (const { path, methods } of await describedPaths(client)) {
      const { text, headers } = await client.expect(204, 'OPTIONS', filledIn(path));
      assert.deepEqual([text, headers.get('allow')], ['', allowOf(methods)], path);
    }
  },
);

claim(
  ['D1 OPTIONS', 'D1 405', 'D1 HEAD'],
  'the description, its page and the way to it know their methods too',
  async ({ expect, refused }) => {
    for (const path of ['/openapi.json', '/docs', '/']) {
      const { headers } = await expect(204, 'OPTIONS', path);
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS', path);
      await refused(405, 'POST', path, { body: '{' });
    }
    assert.equal((await expect(200, 'HEAD', '/openapi.json')).text, '');
  },
);

claim(
  ['D1 HEAD'],
  'HEAD gives what GET gives on every path that can be read, without the body',
  async (client) => {
    const { id, code } = await makeGroup(client);
    for (const { path, methods } of await describedPaths(client)) {
      if (!methods.includes('GET')) continue;
      const target = filledIn(path, path.startsWith('/dataset-groups/') ? id : undefined);
      // A list of everything may change between two requests; a filter that matches nothing keeps it stable.
      const still = `${target}?code=${code}x&dg_id=${id}&parent_id=${id}&page=1000000`;
      const read = async (method: 'GET' | 'HEAD') => await fetchBytes(client, undefined, still, { method });
      let [get, head, after] = [await read('GET'), await read('HEAD'), await read('GET')];
      // What no filter keeps stable is read again until it has not changed.
      while (!get.bytes.equals(after.bytes))
        [get, head, after] = [after, await read('HEAD'), await read('GET')];
      assert.equal(head.status, get.status, path);
      assert.equal(head.bytes.length, 0, path);
      assert.equal(head.headers['content-type'], get.headers['content-type'], path);
      assert.equal(head.headers['content-length'], get.headers['content-length'], path);
    }
  },
);

claim(
  ['D1 404', '7 404 resource', '7 Error'],
  'a path that there is none of is 404, whatever the method',
  async ({ expect, refused }) => {
    for (const path of ['/nothing', '/Categories', '/datasets.json', '/v1/categories', '/favicon.ico.x']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) await refused(404, method, path);
      assert.equal((await expect(404, 'HEAD', path)).text, '');
    }
  },
);

claim(
  ['D0 described', 'D0 interface wins'],
  'every path and method of the interface is described, each with the statuses that it names',
  async (client) => {
    const { paths } = await readDescription(client);
    const operations = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => [
          `${method.toUpperCase()} ${path}`,
          Object.keys(responses).map(Number),
        ]),
      ),
    );
    for (const [operation, statuses] of Object.entries(interfaceStatuses)) {
      const described = operations.get(operation) ?? [];
      const missing = statuses.filter((status) => !described.includes(status));
      assert.deepEqual(missing, [], operation);
    }
  },
);

/** Statuses of success and of errors of every operation, as docs/interface.md lists them. */
const interfaceStatuses: Readonly<Record<string, readonly number[]>> = {
  'GET /healthz': [200],
  'GET /readyz': [200, 503],
  'GET /categories': [200, 400],
  'POST /categories': [201, 400, 409, 422],
  'GET /categories/{id}': [200, 400, 404],
  'PUT /categories/{id}': [200, 400, 404, 409, 422],
  'DELETE /categories/{id}': [204, 400, 404, 409],
  'GET /dataset-groups': [200, 400],
  'POST /dataset-groups': [201, 400, 409, 422],
  'GET /dataset-groups/{id}': [200, 400, 404],
  'PUT /dataset-groups/{id}': [200, 400, 404, 409, 422],
  'DELETE /dataset-groups/{id}': [204, 400, 404, 409],
  'GET /dataset-groups/{id}/latest': [200, 400, 404],
  'POST /dataset-groups/{id}/sld': [200, 400, 404, 422],
  'GET /dataset-groups/{id}/sld': [200, 400, 404],
  'GET /datasets': [200, 400],
  'POST /datasets': [201, 400, 413, 422],
  'GET /datasets/{id}': [200, 400, 404],
  'PUT /datasets/{id}': [200, 400, 404, 422],
  'PATCH /datasets/{id}': [200, 400, 404, 422],
  'DELETE /datasets/{id}': [204, 400, 404],
  'GET /datasets/{id}.geojson': [200, 400, 404, 409, 422],
  'GET /datasets/{id}.fgb': [200, 400, 404, 409, 422],
  'GET /datasets/{id}.cog': [200, 400, 404, 409, 422],
  'GET /datasets/{id}/status': [200, 400, 404],
  'GET /datasets/{id}/download': [200, 400, 404],
  'POST /datasets/{id}/sld': [200, 400, 404, 422],
  'GET /datasets/{id}/sld': [200, 400, 404],
  'POST /datasets/{id}/mapping': [200, 400, 404, 409, 422],
  'GET /datasets/{id}/observations': [200, 400, 404],
  'GET /landscape/slots': [200, 404],
  'POST /landscape/slots/{code}': [201, 400, 404, 422],
  'GET /landscape/runs': [200, 400],
  'POST /landscape/runs': [202, 400, 422],
  'GET /landscape/runs/{id}': [200, 400, 404],
  'GET /landscape/results': [200, 404],
};
