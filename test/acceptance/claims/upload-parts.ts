import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '../client.ts';
import { checkedElsewhere, claim } from '../claim.ts';
import { makeCategory, makeGroup } from '../support/catalogue.ts';
import {
  countDatasets,
  type Dataset,
  getDataset,
  partsOf,
  sharedCategory,
  upload,
  refuseUpload,
} from '../support/datasets.ts';
import { bytesOf, emptyLayer, smallRaster } from '../support/files.ts';
import { textPart } from '../../support/raw-http.ts';

const small = (): File => smallRaster();

claim(['D3 part order'], 'the file may come first, last or between, and nothing changes', async (client) => {
  const [type = assert.fail(), category = assert.fail(), file = assert.fail()] = await partsOf(
    client,
    small(),
  );
  const name: Part = ['name', 'порядок'];
  for (const parts of [
    [file, type, category, name],
    [type, file, name, category],
    [name, category, type, file],
  ]) {
    assert.equal((await client.read<Dataset>(201, 'POST', '/datasets', { parts })).name, 'порядок');
  }
});

for (const part of ['file', 'file_type', 'category_id'] as const) {
  claim([`4.4 upload ${part}`], `an upload without ${part} is 422 on it alone`, async (client) => {
    const parts = (await partsOf(client, small())).filter(([name]) => name !== part);
    await client.invalid([part], 'POST', '/datasets', { parts });
  });
}

claim(
  ['4.4 upload file', '4.4 upload file_type', '4.4 upload category_id'],
  'an upload of nothing names the three parts that it must have',
  async (client) => {
    const form = { 'nobody-knows': 'me' };
    await client.invalid(['category_id', 'file', 'file_type'], 'POST', '/datasets', { form });
  },
);

for (const part of ['file_type', 'category_id'] as const) {
  claim([`4.4 upload ${part}`], `${part} sent empty is as good as missing`, async (client) => {
    await refuseUpload(client, [part], small(), { [part]: '' });
  });
}

claim(
  ['D3 empty optional', 'D3 empty texts', 'D3 automated'],
  'every optional field sent empty counts as not sent',
  async (client) => {
    const empty = ['name', 'description', 'unit', 'meta', 'automated', 'dg_id', 'start_date', 'end_date'];
    const dataset = await upload(client, small(), Object.fromEntries(empty.map((name) => [name, ''])));
    assert.deepEqual(
      [dataset.name, dataset.description, dataset.unit, dataset.meta, dataset.automated],
      ['relief.tif', null, null, null, false],
    );
    assert.deepEqual([dataset.dg_id, dataset.start_date, dataset.end_date], [null, null, null]);
  },
);

for (const part of [
  'file',
  'file_type',
  'category_id',
  'name',
  'description',
  'unit',
  'meta',
  'automated',
  'dg_id',
  'start_date',
  'end_date',
] as const) {
  claim([`4.4 upload ${part}`], `${part} sent twice is 422 on it`, async (client) => {
    const fields = {
      name: 'n',
      description: 'd',
      unit: 'u',
      meta: '{}',
      automated: 'true',
      dg_id: (await makeGroup(client)).id,
      start_date: '2020-01-01',
      end_date: '2020-01-01',
    };
    const parts = await partsOf(client, small(), fields);
    const again = parts.filter(([name]) => name === part);
    assert.equal(again.length, 1);
    await client.invalid([part], 'POST', '/datasets', { parts: [...parts, ...again] });
  });
}

claim(['D3 part order'], 'parts that nobody knows may repeat, texts and files alike', async (client) => {
  const strange: Part[] = [
    ['x', '1'],
    ['x', '2'],
    ['__proto__', 'x'],
    ['files', new File(['II*\0'], 'a.tif')],
    ['files', new File([''], 'b.tif')],
  ];
  const parts = [...strange, ...(await partsOf(client, small())), ...strange];
  assert.equal((await client.read<Dataset>(201, 'POST', '/datasets', { parts })).filename, 'relief.tif');
});

claim(
  ['4.4 upload file', '4.4 upload name'],
  'a file sent as text, and a text sent as a file, are 422 on that part',
  async (client) => {
    const category = textPart('category_id', await sharedCategory(client));
    const file = {
      headers: ['Content-Disposition: form-data; name="file"; filename="a.tif"'],
      content: await bytesOf(small()),
    };
    const text = [textPart('file_type', 'raster'), category, textPart('file', 'II*\0 text')];
    await client.invalid(['file'], 'POST', '/datasets', { raw: text });
    const named = {
      headers: ['Content-Disposition: form-data; name="name"; filename="n.txt"'],
      content: 'n',
    };
    const parts = [textPart('file_type', 'raster'), category, named, file];
    await client.invalid(['name'], 'POST', '/datasets', { raw: parts });
  },
);

claim(
  ['4.4 upload'],
  'all that is wrong with an upload is named at once, wherever its parts stand',
  async (client) => {
    const form = {
      end_date: '2020-01-01',
      start_date: '2020-01-02',
      file: new File(['PK'], 'a.tif'),
      name: ' \t',
      meta: '[]',
      automated: 'yes',
      file_type: 'raster',
      dg_id: randomUUID(),
      category_id: randomUUID(),
    };
    const wrong = ['automated', 'category_id', 'dg_id', 'end_date', 'file', 'meta', 'name'];
    await client.invalid(wrong, 'POST', '/datasets', { form });
  },
);

for (const [field, values] of [
  ['file_type', ['tiff', 'RASTER', 'raster ', 'vector-with-kato']],
  ['category_id', ['1', '{9d1b4c3a-0000-0000-0000-000000000000}', randomUUID()]],
  ['dg_id', ['null', 'zzzzzzzz-0000-0000-0000-000000000000', randomUUID()]],
  ['name', [' ', 'n'.repeat(256), 'a\u0000b']],
  ['description', ['\u0000']],
  ['unit', ['m\u0000']],
  ['meta', ['null', '[]', '1', '"{}"', 'true', '{', "{'a':1}", '{"a":1} {}', '{"a":NaN}']],
  ['automated', ['1', 'yes', 'TRUE', 'null', ' true']],
  ['start_date', ['2021-02-29', '0000-12-31', '10000-01-01', '2021-1-1', '2021-01-01T00:00:00Z', 'null']],
  ['end_date', ['2021-13-01', '01.01.2021', '20210101', ' 2021-01-01']],
] as const) {
  claim([`4.4 upload ${field}`], `${field} that is not what it must be is 422 on it`, async (client) => {
    for (const value of values) {
      const parts = await partsOf(client, small(), { [field]: value });
      await client.invalid([field], 'POST', '/datasets', { parts });
    }
  });
}

claim(
  ['4.4 upload name', 'D3 name'],
  'a name may have 255 code points, whatever they are',
  async (client) => {
    const name = '𐰴'.repeat(255);
    assert.equal((await upload(client, small(), { name })).name, name);
    const parts = await partsOf(client, small(), { name: `${name}x` });
    await client.invalid(['name'], 'POST', '/datasets', { parts });
  },
);

claim(
  ['4.4 upload start_date', '4.4 upload end_date'],
  'one end of a period may be there alone, and both may be the edges of the calendar',
  async (client) => {
    const started = await upload(client, small(), { start_date: '9999-12-31' });
    assert.deepEqual([started.start_date, started.end_date], ['9999-12-31', null]);
    const ended = await upload(client, small(), { end_date: '0001-01-01' });
    assert.deepEqual([ended.start_date, ended.end_date], [null, '0001-01-01']);
    const backwards = await partsOf(client, small(), { start_date: '2020-01-02', end_date: '2020-01-01' });
    await client.invalid(['end_date'], 'POST', '/datasets', { parts: backwards });
  },
);

claim(['4.4 upload'], 'what is no multipart body, has no boundary or is cut short is 400', async (client) => {
  const json = { 'content-type': 'application/json' };
  await client.refused(400, 'POST', '/datasets', { body: '{}', headers: json });
  await client.refused(400, 'POST', '/datasets');
  const bare = { 'content-type': 'multipart/form-data' };
  await client.refused(400, 'POST', '/datasets', { body: '--x--\r\n', headers: bare });
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\nII*\0';
  for (const body of ['', '--x', '--x\r\nnonsense\r\n\r\n', head, `${head}\r\n--x`, `${head}\r\n--x\r\n`]) {
    await client.refused(400, 'POST', '/datasets', { body, headers: type });
  }
});

claim(['D3 nothing left'], 'refused and broken uploads leave no dataset', async (client) => {
  const category_id = (await makeCategory(client)).id;
  const fields = { category_id };
  const refused = new File(['not a tiff'], 'a.tif');
  await refuseUpload(client, ['file'], refused, fields);
  const wrong = await partsOf(client, small(), { ...fields, meta: '[]' });
  await client.invalid(['meta'], 'POST', '/datasets', { parts: wrong });
  const broken = [
    '--x\r\nContent-Disposition: form-data; name="category_id"\r\n\r\n',
    category_id,
    '\r\n--x\r\nContent-Disposition: form-data; name="file_type"\r\n\r\nraster\r\n--x\r\n',
    'Content-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\nII*\0 and then',
  ].join('');
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  await client.refused(400, 'POST', '/datasets', { body: broken, headers });
  assert.equal(await countDatasets(client, category_id), 0);
});

claim(['D3 meta', '4.4 upload meta'], 'meta comes back digit by digit and key by key', async (client) => {
  const meta = '{"z":12345678901234567890.10,"a":1e400,"б":{"c":[0.1,1.0,-0]},"2":null,"1":"\\u00e9"}';
  const made = await upload(client, small(), { meta });
  const { text } = await client.expect(200, 'GET', `/datasets/${made.id}`);
  for (const digits of ['12345678901234567890.10', '1e400', '0.1', '1.0', '-0']) {
    assert.ok(text.includes(digits), `${digits} in ${text}`);
  }
  const places = ['"z"', '"a"', '"б"', '"2"', '"1"'].map((key) => text.indexOf(key, text.indexOf('"meta"')));
  assert.ok(!places.includes(-1));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});

claim(['4.4 upload meta', 'D3 meta'], 'meta may be nested 64 deep and no deeper', async (client) => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  const { id } = await upload(client, small(), { meta: nested(64) });
  assert.equal(JSON.stringify((await getDataset(client, id)).meta), nested(64));
  const deeper = await partsOf(client, small(), { meta: nested(65) });
  await client.invalid(['meta'], 'POST', '/datasets', { parts: deeper });
});

claim(['4.4 upload meta'], 'keys such as __proto__ are keys of meta like any other', async (client) => {
  const { id } = await upload(client, small(), { meta: '{"__proto__":{"admin":true},"constructor":1}' });
  const { text } = await client.expect(200, 'GET', `/datasets/${id}`);
  assert.ok(/"__proto__":\s*\{\s*"admin":\s*true\s*\}/.test(text), text);
});

claim(['4.4 upload'], 'a form of 64 parts is read, one of more is 422 on file', async (client) => {
  const known = await partsOf(client, small());
  const filler = (count: number): Part[] => Array.from({ length: count }, () => ['x', 'y']);
  await client.expect(201, 'POST', '/datasets', { parts: [...filler(61), ...known] });
  await client.invalid(['file'], 'POST', '/datasets', { parts: [...known, ...filler(62)] });
});

claim(['4.4 upload'], 'a form field may have 1 MiB and no more', async (client) => {
  const description = 'ж'.repeat(512 * 1024);
  assert.equal((await upload(client, small(), { description })).description, description);
  const parts = await partsOf(client, small(), { description: `${description}.` });
  await client.invalid(['description'], 'POST', '/datasets', { parts });
});

claim(
  ['2.3 FileType', 'D3 statuses vector, raster', '4.4 upload file_type'],
  'one file may be a vector or a table, as the client says',
  async (client) => {
    for (const file_type of ['vector', 'vector_with_kato']) {
      const made = await upload(client, emptyLayer(), { file_type });
      assert.deepEqual([made.file_type, made.status], [file_type, 'pending']);
    }
  },
);

checkedElsewhere('test/http/edge-limits.test.ts', {
  'answers 413 by its Content-Length, before it is sent and without leave to send it': ['4.4 upload 413'],
  'leaves nothing when the client goes away at any moment': ['D3 nothing left'],
});
