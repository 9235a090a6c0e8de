import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { violations } from './conforms.ts';
import { readDocument, type Schema } from './document.ts';

const definitions = { Name: { type: 'string', minLength: 1, maxLength: 2 } };
const uuid = '0190c8f0-0000-0000-0000-00000000000A';

/** A schema, what conforms to it, what does not. */
const cases: readonly (readonly [Schema, readonly unknown[], readonly unknown[]])[] = [
  [{ type: 'integer', minimum: 1, maximum: 3 }, [1, 3, 2], [0, 4, 1.5, '1', null, Infinity]],
  [{ type: ['number', 'null'] }, [0.5, null], ['', NaN, {}]],
  [{ $ref: '#/components/schemas/Name' }, ['😀😀', 'x'], ['', 'xyz', 1]],
  [{ pattern: '^[a-z]+$' }, ['abc', 1], ['', 'A']],
  [{ type: 'string', format: 'uuid' }, [uuid, uuid.toLowerCase()], [`${uuid}0`, uuid.replaceAll('-', '')]],
  [
    { type: 'string', format: 'date' },
    ['2024-02-29', '0001-01-01'],
    ['2023-02-29', '2024-2-9', '2024-13-01'],
  ],
  [{ format: 'date-time' }, ['2024-02-29T23:59:59.123Z'], ['2024-02-29', '2024-02-30T00:00:00Z']],
  [{ enum: ['a', 'b'] }, ['a'], ['c', null]],
  [{ const: 'a' }, ['a'], ['b', undefined]],
  [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, [null, ''], [0]],
  [
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
    [[1]],
    [[], [1, 2, 3], ['a'], {}],
  ],
  [{ prefixItems: [{ type: 'integer' }], items: false }, [[1], []], [['a'], [1, 2]]],
  [{ type: 'array', uniqueItems: true }, [[1, 2]], [[1, 1]]],
  [{ type: 'object', required: ['toString'] }, [JSON.parse('{"toString":1}')], [{}, []]],
  [
    { properties: { a: { type: 'null' } }, additionalProperties: false },
    [{}, { a: null }],
    [{ a: 1 }, { b: 1 }],
  ],
  [
    { additionalProperties: { type: 'integer' }, propertyNames: { enum: ['x'] } },
    [{ x: 1 }],
    [{ x: '' }, { y: 1 }],
  ],
  [{ type: 'object', minProperties: 1 }, [{ a: 1 }], [{}]],
];

for (const [schema, good, bad] of cases) {
  test(`${JSON.stringify(schema)} tells good from bad`, () => {
    for (const value of good) assert.deepEqual(violations(schema, value, definitions), [], inspect(value));
    for (const value of bad) assert.notDeepEqual(violations(schema, value, definitions), [], inspect(value));
  });
}

test('a violation says where it is', () => {
  const schema = { properties: { a: { items: { type: 'integer' } } } };
  assert.deepEqual(violations(schema, { a: [1, 'x'] }, {}), ['/a/1 must be integer {"type":"integer"}']);
});

test('a description with a keyword that nobody checks is refused', () => {
  const paths = {};
  assert.throws(
    () => readDocument({ paths, components: { schemas: { A: { multipleOf: 2 } } } }),
    /multipleOf/,
  );
});
