import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { makeCategory, newCode, unreadable } from '../../support/catalogue.ts';
import { describedPaths, filledIn } from '../../support/description.ts';
import { assertError } from '../../support/errors.ts';
import { exchange, request } from '../../support/bytes.ts';
import { sharedRaster, sharedTable } from '../../support/shared.ts';
import { notUuids, strangeUuids } from '../../support/values.ts';

const datasetRoutes =
  '4.4 get | 4.4 put | 4.4 patch | 4.4 delete | 4.4 geojson | 4.4 cog | 4.4 status | 4.4 download | ' +
  '4.4 mapping | 4.4 observations | 4.4 GET sld | 4.4 POST sld | D3 report | D3 retry';

/** Two of the items, which change with `turn`: every operation reads its id by the same rule. */
const inTurn = <T>(items: readonly T[], turn: number): readonly T[] =>
  [0, 1].flatMap((more) => items.slice((2 * turn + more) % items.length).slice(0, 1));

claim(
  [
    '4 {id}',
    '4 nosniff',
    'D1 common headers',
    '7 400 uuid',
    'D1 400 path',
    'D1 order path',
    '4.2 GET /categories/{id} 400',
    '4.2 PUT /categories/{id} 400',
    '4.2 DELETE /categories/{id} 400',
    '4.3 GET /dataset-groups/{id} 400',
    '4.3 PUT /dataset-groups/{id} 400',
    '4.3 DELETE /dataset-groups/{id} 400',
    '4.3 GET latest 400',
    '4.3 GET sld 400',
    '4.3 POST sld 400',
    '4.5 GET run 400',
    '4.4 malformed id',
    datasetRoutes,
  ],
  'on every path with an id and for every method, what is not a uuid is 400, whatever the body',
  async (client) => {
    const paths = (await describedPaths(client)).filter(({ path }) => path.includes('{id}'));
    assert.ok(paths.length >= 15);
    let turn = 0;
    for (const { path, methods } of paths) {
      for (const method of methods) {
        const asked = method === 'GET' ? {} : { body: '{' };
        for (const id of inTurn(notUuids, (turn += 1)))
          await client.refused(400, method, filledIn(path, id), asked);
      }
    }
  },
);

claim(
  [
    'D1 uuid',
    '7 404 resource',
    ...['GET', 'PUT', 'DELETE'].map((method) => `4.2 ${method} /categories/{id} 404`),
    ...['GET', 'PUT', 'DELETE'].map((method) => `4.3 ${method} /dataset-groups/{id} 404`),
    '4.3 POST sld 404 | 4.3 GET sld 404 | 4.3 GET latest 404 | 4.5 GET run 404',
    datasetRoutes,
  ],
  'on every path with an id a uuid of any version and variant, in either case, is one: it is 404',
  async (client) => {
    const json = { code: newCode(), name: 'n' };
    let turn = 0;
    for (const { path, methods, query } of await describedPaths(client)) {
      if (!path.includes('{id}')) continue;
      for (const method of methods) {
        const isForm = /\/(?:sld|templates)$/.test(path) && method === 'POST';
        const asked = method === 'GET' ? {} : isForm ? { form: { file: unreadable.raster } } : { json };
        for (const id of inTurn(strangeUuids, (turn += 1)))
          await client.refused(404, method, filledIn(path, id) + (method === 'GET' ? query : ''), asked);
      }
    }
  },
);

claim(['D1 uuid', 'D1 unknown value'], 'such uuids are ones in queries and bodies too', async (client) => {
  const { id: category_id } = await makeCategory(client);
  for (const id of strangeUuids) {
    assert.deepEqual(await client.get(`/categories?parent_id=${id}`), []);
    await client.expect(200, 'GET', `/datasets?dg_id=${id}&category_id=${id}`);
    const json = { code: newCode(), name: 'n', parent_id: id };
    const said = await client.invalid(['parent_id'], 'POST', '/categories', { json });
    assert.match(said['parent_id'] ?? '', /exist/, 'not that it is not a uuid, but that no resource has it');
  }
  for (const id of notUuids) {
    const parent_id = decodeURIComponent(id);
    const json = { code: newCode(), name: 'n', parent_id };
    await client.invalid(['parent_id'], 'POST', '/categories', { json });
    const form = { file_type: 'raster', category_id, dg_id: parent_id, file: unreadable.raster };
    await client.invalid(['dg_id'], 'POST', '/datasets', { form });
  }
});

claim(
  ['4.4 get', '4.4 geojson', '4.4 cog', '4.4 status', '4.4 download', '4.4 observations'],
  'an id means the same in capitals, on every path',
  async (client) => {
    for (const { id, file_type } of [await sharedRaster(client), await sharedTable(client)]) {
      const output = file_type === 'raster' ? '.cog' : '.geojson';
      for (const suffix of ['', output, '/status', '/download', '/observations', '/report']) {
        const [lower, upper] = await Promise.all(
          [id, id.toUpperCase()].map(
            async (each) => await client.expect(200, 'GET', `/datasets/${each}${suffix}`),
          ),
        );
        assert.equal(upper?.headers.get('etag'), lower?.headers.get('etag'));
      }
      assert.ok((await client.expect(200, 'GET', `/datasets/${id.toUpperCase()}/status`)).text.includes(id));
    }
  },
);

claim(
  ['4 {id}', 'D1 400 path', 'D1 404'],
  'paths with broken escapes, dots, slashes or more behind the id never fail the service',
  async ({ baseUrl }) => {
    const id = randomUUID();
    const expected = {
      '/categories/%': 400,
      '/categories/%zz': 400,
      '/categories/%ff': 400,
      '/datasets/%00': 400,
      [`/datasets/${id}.geojson%00.cog`]: 400,
      [`/datasets/${id}.GEOJSON`]: 400,
      [`/datasets/${id};x`]: 400,
      [`/datasets/${id}%20`]: 400,
      '/datasets/..%2f..%2fetc%2fpasswd': 400,
      [`/categories/${'x'.repeat(8000)}`]: 400,
      [`/datasets/${id}/nothing`]: 404,
      [`/datasets/${id}/status/`]: 404,
      '//categories': 404,
      '/categories//': 404,
    };
    for (const [path, status] of Object.entries(expected)) {
      assertError(await exchange(baseUrl, status, [request(baseUrl, `GET ${path}`)]), path);
    }
  },
);
