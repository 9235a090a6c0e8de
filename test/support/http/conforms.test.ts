import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument, type Schema, violations } from './document.ts';

const uuid = '0190c8f0-0000-0000-0000-00000000000A';

test('references, lengths in code points, dates and uuids are checked', () => {
  const definitions = { Name: { type: 'string', maxLength: 2 } };
  const cases: readonly (readonly [schema: Schema, good: unknown, bad: unknown])[] = [
    [{ $ref: '#/components/schemas/Name' }, '😀😀', 'xyz'],
    [{ type: 'string', format: 'uuid' }, uuid, uuid.replaceAll('-', '')],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2023-02-29'],
    [{ format: 'date-time' }, '2024-02-29T23:59:59.123Z', '2024-02-30T00:00:00Z'],
    [{ type: 'object', required: ['toString'] }, JSON.parse('{"toString":1}'), {}],
  ];
  for (const [schema, good, bad] of cases) {
    assert.deepEqual(violations(schema, good, definitions), []);
    assert.notDeepEqual(violations(schema, bad, definitions), []);
  }
});

test('a violation says where it is', () => {
  const schema = { properties: { a: { items: { type: 'integer' } } } };
  assert.deepEqual(violations(schema, { a: [1, 'x'] }, {}), ['/a/1 must be integer {"type":"integer"}']);
});

test('a description with a keyword that is not checked is refused', () => {
  const paths = {};
  assert.throws(
    () => readDocument({ paths, components: { schemas: { A: { multipleOf: 2 } } } }),
    /multipleOf/,
  );
});
