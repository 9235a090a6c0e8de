import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { type CategoryBody, makeCategory, makeGroup, newCode, unreadable } from '../../support/catalogue.ts';
import { once, upload } from '../../support/datasets.ts';
import { assertError } from '../../support/errors.ts';
import { chunk, exchange, request } from '../../support/bytes.ts';

const MiB = 1024 * 1024;
const json = (): string => JSON.stringify({ code: newCode(), name: 'n' });
const nested = (depth: number): string =>
  `{"code":"${newCode()}","name":"n","x":${'['.repeat(depth - 1)}"]]"${']'.repeat(depth - 1)}}`;

/** Every route that reads JSON, for existing resources. */
const jsonRoutes = once(async (client): Promise<readonly (readonly [string, string])[]> => {
  const [category, group] = [await makeCategory(client), await makeGroup(client)];
  const dataset = await upload(client, unreadable.raster);
  return [
    ['POST', '/categories'],
    ['PUT', `/categories/${category.id}`],
    ['POST', '/dataset-groups'],
    ['PUT', `/dataset-groups/${group.id}`],
    ['PUT', `/datasets/${dataset.id}`],
    ['PATCH', `/datasets/${dataset.id}`],
    ['POST', `/datasets/${dataset.id}/mapping`],
    ['POST', '/landscape/runs?dry_run=true'],
  ];
});

claim(
  [
    'D1 400 JSON',
    '7 400 JSON',
    '4.2 POST /categories 400',
    '4.2 PUT /categories/{id} 400',
    '4.3 POST /dataset-groups 400',
    '4.3 PUT /dataset-groups/{id} 400',
    '4.4 put',
    '4.4 patch',
    '4.4 mapping',
    '4.5 POST runs 400',
    'L8.1 malformed',
  ],
  'on every route that takes JSON, what is not JSON, or is not an object, is 400',
  async (client) => {
    const notUtf8 = [
      [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d], // half a surrogate pair
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], // UTF-16
    ].map((bytes) => new Uint8Array(bytes));
    const wrong = ['{', '{"a":1,}', "{'a':1}", '{"a":1}{', '{"a":"\u0001"}', '{"a":NaN}'];
    for (const [method, path] of await jsonRoutes(client)) {
      for (const body of [...wrong, '[{}]', 'null', '"{}"', ...notUtf8])
        await client.refused(400, method, path, { body });
    }
  },
);

claim(
  ['D1 400 JSON', '7 400 missing body'],
  'a body that is missing is 400, but an empty one is a run with all defaults',
  async (client) => {
    for (const [method, path] of await jsonRoutes(client)) {
      for (const asked of [{}, { body: '', headers: { 'content-type': 'application/json' } }]) {
        const answer = await client.ask(method, path, asked);
        assert.equal(answer.status, path.startsWith('/landscape') ? 200 : 400, `${method} ${path}`);
        if (answer.status === 400) assertError(answer);
      }
    }
  },
);

claim(
  ['D1 media type', '4.5 POST runs'],
  'JSON is read as JSON whatever its media type, and without one',
  async (client) => {
    const types = [
      'application/json; charset=windows-1251',
      'application/x-www-form-urlencoded',
      'text/plain;charset=UTF-16',
      'multipart/form-data; boundary=x',
      ';;;',
    ];
    for (const type of types) {
      const name = 'Жер 😀';
      const body = JSON.stringify({ code: newCode(), name });
      const asked = { body, headers: { 'content-type': type } };
      assert.equal((await client.read<CategoryBody>(201, 'POST', '/categories', asked)).name, name, type);
    }
    const { baseUrl } = client;
    const body = json();
    const head = request(baseUrl, 'POST /categories', [`content-length: ${body.length}`]);
    await exchange(baseUrl, 201, [head, body]);
  },
);

claim(
  ['D1 media type'],
  'JSON may begin with a byte-order mark, stand between blanks, and come in chunks',
  async (client) => {
    await client.expect(201, 'POST', '/categories', { body: ` \r\n\t${json()}\n ` });
    await client.expect(201, 'POST', '/categories', { body: `\ufeff${json()}` });
    const { baseUrl } = client;
    const [start, end] = [json().slice(0, 9), json().slice(9)];
    const head = request(baseUrl, 'POST /categories', ['transfer-encoding: chunked']);
    await exchange(baseUrl, 201, [head, chunk(start), chunk(end), chunk('')]);
  },
);

claim(['D1 JSON depth'], 'JSON may be nested 64 deep, not 65, however deep it goes on', async (client) => {
  await client.expect(201, 'POST', '/categories', { body: nested(64) });
  // Brackets within a text do not nest.
  const text = { code: newCode(), name: `${'[{'.repeat(60)}\\"[` };
  await client.expect(201, 'POST', '/categories', { json: text });
  for (const depth of [65, 100_000]) {
    await client.refused(400, 'POST', '/categories', { body: nested(depth) });
  }
  const objects = (depth: number): string => `${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`;
  await client.invalid(['code', 'name'], 'POST', '/categories', { body: objects(64) });
  await client.refused(400, 'POST', '/categories', { body: objects(65) });
  await client.refused(400, 'POST', '/categories', { body: '['.repeat(100_000) });
});

claim(
  ['D1 unknown fields'],
  'of a field that is sent twice the last counts; __proto__ and its like are unknown fields',
  async ({ read }) => {
    const code = newCode();
    const body = `{"code":"NO","name":1,"__proto__":{"description":"p"},"constructor":{"prototype":{"x":1}},"toString":1,"name":"last","code":"${code}"}`;
    const made = await read<CategoryBody>(201, 'POST', '/categories', { body });
    assert.deepEqual([made.code, made.name, made.description], [code, 'last', '']);
  },
);

claim(
  ['D1 16 MiB', 'D1 not cut'],
  'JSON may have 16 MiB, not a byte more, with a length and without',
  async (client) => {
    const { baseUrl } = client;
    const ofSize = (bytes: number): string => {
      const start = `{"code":"${newCode()}","name":"n","x":"`;
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    await client.expect(201, 'POST', '/categories', { body: ofSize(16 * MiB) });
    await client.refused(413, 'POST', '/categories', { body: ofSize(16 * MiB + 1) });
    const head = request(baseUrl, 'POST /categories', ['transfer-encoding: chunked']);
    await exchange(baseUrl, 201, [head, chunk(ofSize(16 * MiB)), chunk('')]);
    assertError(await exchange(baseUrl, 413, [head, chunk(ofSize(16 * MiB + 1)), chunk('')]));
  },
);

claim(
  ['D1 16 MiB', 'D1 413 early', 'D1 order resource'],
  'JSON over the limit is 413 by its Content-Length on every route, before it is sent',
  async (client) => {
    const { baseUrl } = client;
    for (const [method, path] of await jsonRoutes(client)) {
      const head = request(baseUrl, `${method} ${path}`, [`content-length: ${16 * MiB + 1}`]);
      assertError(await exchange(baseUrl, 413, [head]), path);
    }
  },
);

claim(['D1 media type'], 'a body where none is expected does not matter', async (client) => {
  for (const path of [`/categories/${randomUUID()}`, `/datasets/${randomUUID()}/retry`]) {
    for (const headers of [{}, { 'content-type': 'garbage' }]) {
      const method = path.endsWith('retry') ? 'POST' : 'DELETE';
      await client.refused(404, method, path, { body: '{', headers });
    }
  }
  const { id } = await makeCategory(client);
  await client.expect(204, 'DELETE', `/categories/${id}`, {
    body: '[',
    headers: { 'content-type': 'application/json' },
  });
});
