import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KiB, MiB } from '../../../src/lib/units.ts';
import { startTestApp } from '../../support/app.ts';
import {
  insertCategory,
  type Refusal,
  send,
  sendForm,
  setState,
  tiffBytes,
  upload,
} from '../../support/datasets.ts';
import { type DescribedOperation, describedOperations } from '../../support/http/document.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const category = await insertCategory(app.services.db);
const table = (await upload(app, { category_id: category, file_type: 'vector_with_kato' })).id;
await setState(app.services, table, {
  status: 'awaiting_mapping',
  attribute_columns: '[{"name":"kato"},{"name":"2020"}]',
});
const jsonOperations = (await describedOperations(app)).filter(({ bodyKind }) => bodyKind === 'json');

/** Path of an operation for an existing resource. */
async function pathOf({ path }: DescribedOperation): Promise<string> {
  if (path.startsWith('/categories')) return path.replace('{id}', category);
  if (path.startsWith('/datasets')) return path.replace('{id}', table);
  const { db } = app.services;
  const group = await db.selectFrom('dataset_groups').select('id').executeTakeFirstOrThrow();
  return path.replace('{id}', group.id);
}

/** Answers of every operation that takes JSON to this body. */
async function answersTo(body: string) {
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

/** Limits of operations that are smaller than the default, in bytes. */
const smallerLimits: Readonly<Record<string, number>> = {
  'POST /form-templates/{id}/forms': MiB,
  'POST /source-files/{id}/rasters': 256 * KiB,
  'POST /landscape/runs/{id}/areas': 5 * MiB,
  'POST /stac/search': MiB,
};

describe('a body is 400 on every operation that takes JSON when it', () => {
  const cases: Readonly<Record<string, string>> = {
    'is a million deep in lists': nested(1_000_000, '[', ']'),
    'is a million deep in objects': nested(1_000_000, '{"a":', '}'),
    'opens a million lists': '['.repeat(1_000_000),
    'has eight million quotes that never close': `{"${String.raw`\"`.repeat(4 * MiB)}`,
  };
  for (const [what, body] of Object.entries(cases)) {
    test(what, async () => {
      for (const { name, status, body: answer } of await answersTo(body)) {
        const isTooMuch = body.length > (smallerLimits[name] ?? Infinity);
        assert.equal(status, isTooMuch ? 413 : 400, name);
        assert.equal(typeof answer.error, 'string', name);
      }
    });
  }
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
    'millions of unknown keys': ['PATCH', '/datasets/{id}', () => `{${keys()}}`],
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

describe('meta that is large and malformed is refused by name:', () => {
  for (const meta of ['['.repeat(1_000_000), `{"a":"${String.raw`\"`.repeat(MiB / 2 - 10)}`]) {
    test(meta.slice(0, 20), async () => {
      const { status, body } = await sendForm<Refusal>(app, '/datasets', [
        ...Object.entries({ file_type: 'raster', category_id: category, meta }),
        ['file', new File([tiffBytes], 'x.tif')],
      ]);
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['meta']]);
    });
  }
});
