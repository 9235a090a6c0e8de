import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrors } from '../../validation/parse-body.ts';
import { UploadFields } from './upload-fields.ts';

const required = { file_type: 'raster', category_id: '00000000-0000-0000-0000-000000000000' };

function errorsOf(fields: Record<string, string>): string[] {
  return Object.keys(fieldErrors(UploadFields.safeParse({ ...required, ...fields }).error));
}

test('the two required parts are enough', () => {
  assert.deepEqual(UploadFields.parse(required), { ...required, automated: false });
});

test('a uuid in upper case is the same uuid', () => {
  const parsed = UploadFields.parse({ ...required, dg_id: 'ABCDEF00-0000-0000-0000-00000000000F' });
  assert.equal(parsed.dg_id, 'abcdef00-0000-0000-0000-00000000000f');
});

test('a name of 255 characters is accepted, code points counted', () => {
  assert.deepEqual(errorsOf({ name: '😀'.repeat(255) }), []);
});

const wrong: readonly (readonly [field: string, value: string])[] = [
  ['file_type', 'RASTER'],
  ['category_id', '{00000000-0000-0000-0000-000000000000}'],
  ['dg_id', '1'],
  ['name', ' \t\u00a0'],
  ['name', '😀'.repeat(256)],
  ['name', 'a\u0000b'],
  ['description', '\ud800'],
  ['unit', '\u0000'],
  ['meta', 'null'],
  ['meta', '[]'],
  ['meta', '"text"'],
  ['meta', '{'],
  ['meta', '{"a":"\\u0000"}'],
  ['meta', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`],
  ['automated', 'TRUE'],
  ['automated', '1'],
  ['start_date', '2024-02-30'],
  ['start_date', '0000-01-01'],
  ['start_date', '2024-1-1'],
  ['end_date', '2024-01-01T00:00:00Z'],
  ['end_date', '10000-01-01'],
  ['end_date', 'infinity'],
];
for (const [field, value] of wrong) {
  test(`${field} ${JSON.stringify(value.slice(0, 40))} is refused`, () => {
    assert.deepEqual(errorsOf({ [field]: value }), [field]);
  });
}

test('meta nested 64 deep is kept as text', () => {
  const meta = ` ${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`;
  assert.equal(UploadFields.parse({ ...required, meta }).meta, meta);
});
