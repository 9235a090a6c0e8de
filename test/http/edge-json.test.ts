import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, sendForm, setState, tiffBytes, upload } from '../support/datasets.ts';
import { describedOperations, type Operation } from '../support/operations.ts';

interface Refusal {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
let category = '';
let table = '';
let jsonOperations: readonly Operation[] = [];
before(async () => {
  app = await startTestApp({ landscape: true });
  category = await insertCategory(app.services.db);
  table = (await upload(app, { category_id: category, file_type: 'vector_with_kato' })).id;
  await setState(app.services, table, {
    status: 'awaiting_mapping',
    attribute_columns: '[{"name":"kato"},{"name":"2020"}]',
  });
  jsonOperations = (await describedOperations(app)).filter(({ bodyKind }) => bodyKind === 'json');
});
after(async () => await app.close());

/** The path of an operation on something that is there. */
async function pathOf({ path }: Operation): Promise<string> {
  if (path.startsWith('/categories')) return path.replace('{id}', category);
  if (path.startsWith('/datasets')) return path.replace('{id}', table);
  const { db } = app.services;
  const group = await db.selectFrom('dataset_groups').select('id').executeTakeFirstOrThrow();
  return path.replace('{id}', group.id);
}

/** What every operation that takes JSON answers to this body. */
async function answersTo(body: string | Buffer<ArrayBuffer>) {
  const answers: { readonly name: string; readonly status: number; readonly body: Refusal }[] = [];
  for (const operation of jsonOperations) {
    const { method, path } = operation;
    const answer = await send<Refusal>(app, await pathOf(operation), { method, body });
    answers.push({ name: `${method} ${path}`, status: answer.status, body: answer.body });
  }
  assert.ok(answers.length >= 8);
  return answers;
}

const nested = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

describe('a body is 400 on every operation that takes JSON when it', () => {
  const cases: Readonly<Record<string, string | Buffer<ArrayBuffer>>> = {
    'is a list': '[]',
    'is null': 'null',
    'is a text': '""',
    'is a number': '1',
    'is words': 'name=a&code=b',
    'has a trailing comma': '{"name":"a",}',
    'has a comment': '{/**/}',
    'has single quotes': "{'name':'a'}",
    'says NaN': '{"a":NaN}',
    'is two objects': '{}{}',
    'has a raw control character': '{"name":"a\nb"}',
    'is cut short': '{"name":"a"',
    'is not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'is overlong UTF-8': Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
    'is UTF-8 of half a surrogate pair': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    'is UTF-16': Buffer.from('\ufeff{}', 'utf16le'),
    'is blank': ' \n ',
    'is 65 deep': `{"x":${nested(64, '[', ']')}}`,
    'is a thousand deep': `{"x":${nested(999, '[', ']')}}`,
    'is a million deep in lists': nested(1_000_000, '[', ']'),
    'is a million deep in objects': nested(1_000_000, '{"a":', '}'),
    'opens a million lists': '['.repeat(1_000_000),
    'has eight million quotes that never close': `{"${String.raw`\"`.repeat(4 * MiB)}`,
  };
  for (const [what, body] of Object.entries(cases)) {
    test(what, async () => {
      for (const { name, status, body: answer } of await answersTo(body)) {
        assert.equal(status, 400, name);
        assert.equal(typeof answer.error, 'string', name);
      }
    });
  }
});

test('a body that is absent is 400, but starts a run', async () => {
  for (const { name, status } of await answersTo('')) {
    assert.equal(status, name === 'POST /landscape/runs' ? 202 : name.endsWith('/retry') ? 409 : 400, name);
  }
});

describe('a body is read when it', () => {
  const post = async (body: string, type?: string) =>
    await send(app, '/categories', {
      method: 'POST',
      body,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  const code = (): string => `c-${randomUUID()}`;

  test('begins with a byte-order mark', async () => {
    assert.equal((await post(`\ufeff{"code":"${code()}","name":"n"}`)).status, 201);
  });

  test('is 64 deep', async () => {
    assert.equal((await post(`{"code":"${code()}","name":"n","x":${nested(63, '[', ']')}}`)).status, 201);
  });

  test('says a key twice: the last counts', async () => {
    const { status, body } = await post(`{"code":"${code()}","name":"first","name":"last"}`);
    assert.deepEqual([status, body.name], [201, 'last']);
  });

  test('says that it is something else', async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data', 'nonsense;;;']) {
      assert.equal((await post(`{"code":"${code()}","name":"n"}`, type)).status, 201, type);
    }
  });
});

describe('a body of 16 MiB costs little more than reading it:', () => {
  const long = 16 * MiB - 100;
  const keys = (): string =>
    Array.from({ length: 1_200_000 }, (_, key) => `"${key.toString(36)}":1`).join(',');
  const cases: Readonly<Record<string, readonly [method: string, path: string, body: () => string]>> = {
    'one long text': ['POST', '/categories', () => `{"name":"${'x'.repeat(long)}"}`],
    'one long text of escapes': [
      'POST',
      '/categories',
      () => `{"name":"${String.raw`\"`.repeat(long / 2)}"}`,
    ],
    'a code of dashes': ['POST', '/categories', () => `{"code":"${'a-'.repeat(long / 2)}!","name":"n"}`],
    'a code of letters': ['POST', '/dataset-groups', () => `{"code":"${'a'.repeat(long)}!","name":"n"}`],
    'a name of blanks': ['PATCH', '/datasets/{id}', () => `{"name":"${' '.repeat(long)}"}`],
    'a description of emoji': [
      'POST',
      '/categories',
      () => `{"code":"a","name":"n","description":"${'😀'.repeat(long / 4 - 20)}"}`,
    ],
    'a date of digits': ['PATCH', '/datasets/{id}', () => `{"start_date":"${'2'.repeat(long)}"}`],
    'a uuid of digits': ['PATCH', '/datasets/{id}', () => `{"category_id":"${'2'.repeat(long)}"}`],
    'millions of year columns': [
      'POST',
      '/datasets/{id}/mapping',
      () => `{"kato_column":"kato","year_columns":[${'{},'.repeat(long / 3 - 20)}{}]}`,
    ],
    'millions of sectors': [
      'POST',
      '/landscape/runs',
      () => `{"params":{"tie_priority":[${'1,'.repeat(long / 2 - 20)}1]}}`,
    ],
    'millions of keys that nobody knows': ['PATCH', '/datasets/{id}', () => `{${keys()}}`],
    'millions of overrides': ['POST', '/landscape/runs', () => `{"overrides":{${keys()}}}`],
  };
  for (const [what, [method, path, body]] of Object.entries(cases)) {
    test(what, async () => {
      const { status, text } = await send(app, path.replace('{id}', table), { method, body: body() });
      assert.equal(status, 422, text.slice(0, 200));
      assert.ok(text.length < 2 * MiB);
    });
  }
});

describe('names that objects inherit', () => {
  const inherited =
    '"__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}},"toString":1,"hasOwnProperty":1';

  test('do no harm in any body, and change no answer after', async () => {
    for (const { name, status } of await answersTo(`{${inherited}}`)) {
      assert.ok([202, 409, 422].includes(status), `${name} ${status}`);
    }
    const before = await send(app, `/categories/${category}`);
    await answersTo(`{"params":{${inherited}},"overrides":{${inherited}},"year_columns":[{${inherited}}]}`);
    assert.equal((await send(app, `/categories/${category}`)).text, before.text);
    assert.equal('admin' in {}, false);
  });

  test('are overrides like any other: 422 by name', async () => {
    const body = '{"overrides":{"__proto__":"x","constructor":"x"}}';
    const { status, text } = await send(app, '/landscape/runs', { method: 'POST', body });
    assert.equal(status, 422);
    assert.match(text, /"overrides\.__proto__":.*"overrides\.constructor":/);
  });

  test('are fields of a form that nobody knows, or file names', async () => {
    const { status, body } = await sendForm(app, '/datasets', [
      ['__proto__', 'x'],
      ['constructor', 'x'],
      ['file_type', 'raster'],
      ['category_id', category],
      ['file', new File([tiffBytes], '__proto__.tif')],
    ]);
    assert.deepEqual([status, body['filename']], [201, '__proto__.tif']);
  });
});

describe('meta', () => {
  const uploadMeta = async (meta: string) =>
    await sendForm<Refusal & { readonly id: string }>(app, '/datasets', [
      ['file_type', 'raster'],
      ['category_id', category],
      ['meta', meta],
      ['file', new File([tiffBytes], 'x.tif')],
    ]);

  const kept = [
    '{"a":1e400,"b":12345678901234567890,"c":-0,"d":0.1000000000000000055,"e":1E+2,"f":1.0}',
    '{"__proto__":{"x":1},"constructor":{"prototype":{}},"a":1,"a":2}',
    '{"\\u04a0":"\\ud83d\\ude00","\ufdd0\uffff":"é e\u0301 😀"}',
    nested(64, '{"a":', '}'),
  ];
  for (const meta of kept) {
    test(`comes back byte by byte: ${meta.slice(0, 50)}`, async () => {
      const { status, body, text } = await uploadMeta(meta);
      assert.equal(status, 201, text);
      assert.ok((await send(app, `/datasets/${body.id}`)).text.includes(`"meta":${meta}`));
    });
  }

  const refused = [
    '[]',
    'null',
    '1',
    '"x"',
    '{',
    '{"a":NaN}',
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    nested(65, '{"a":', '}'),
    `{"x":${nested(100_000, '[', ']')}}`,
    '['.repeat(1_000_000),
    `{"a":"${String.raw`\"`.repeat(MiB / 2 - 10)}`,
  ];
  for (const meta of refused) {
    test(`is refused by name: ${meta.slice(0, 20)}`, async () => {
      const { status, body } = await uploadMeta(meta);
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['meta']]);
    });
  }
});

describe('lengths', () => {
  test('count code points, composed or not, and text comes back as it was sent', async () => {
    const make = async (name: string) =>
      await send(app, '/categories', {
        method: 'POST',
        body: JSON.stringify({ code: `c-${randomUUID()}`, name }),
      });
    for (const character of ['Қ', '😀', '\ufdd0', '\u202e', '\u200b']) {
      const longest = await make(character.repeat(255));
      assert.deepEqual([longest.status, longest.body.name], [201, character.repeat(255)]);
      assert.equal((await make(character.repeat(256))).status, 422);
    }
    const decomposed = await make('e\u0301'.repeat(127));
    assert.equal(decomposed.body.name, 'e\u0301'.repeat(127));
    assert.equal((await make('e\u0301'.repeat(128))).status, 422);
  });
});
