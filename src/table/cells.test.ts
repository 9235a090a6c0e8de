import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EngineDied } from '../geo/engine.ts';
import { cellText, readCell, splitCells } from './cells.ts';
import { readKatoCode } from './kato-code.ts';

const katoCode = (cell: string | undefined) => readKatoCode(cell)?.katoCode;

const readings: readonly (readonly [cell: string | undefined, reading: ReturnType<typeof readCell>])[] = [
  ['12.50', 12.5],
  ['-0', 0],
  ['1E+3', 1000],
  ['1e400', '1e400'],
  ['12345678901234567890', Number('12345678901234567890')],
  ['"1 234,5"', 1234.5],
  ['"\\u22125"', -5],
  ['null', null],
  [undefined, null],
  ['""', null],
  ['" \\t\\u00a0"', null],
  ['true', 'true'],
  ['false', 'false'],
  ['"true"', 'true'],
  ['"NaN"', 'NaN'],
  ['"-"', '-'],
  ['"н/д"', 'н/д'],
  ['" н/д "', ' н/д '],
  ['"5."', '5.'],
  ['{ "a": [1.0, "x  \\" y"], "b" : null }', '{"a":[1.0,"x  \\" y"],"b":null}'],
  ['[ ]', '[]'],
  ['[5]', '[5]'],
  ['"a\\u0000b"', 'a\ufffdb'],
  ['"a\\ud800b"', 'a\ufffdb'],
  ['"😀"', '😀'],
];

for (const [cell, reading] of readings) {
  test(`the cell ${cell ?? 'that is missing'} reads as ${JSON.stringify(reading)}`, () => {
    assert.deepEqual(readCell(cell, undefined), reading);
  });
}

const codes: readonly (readonly [cell: string | undefined, code: string | undefined])[] = [
  ['"110000000"', '110000000'],
  ['" 110000000\\u00a0"', '110000000'],
  ['"1.10e8"', '110000000'],
  ['"01"', '01'],
  ['110000000', '110000000'],
  ['110000000.0', '110000000'],
  ['1.1E+8', '110000000'],
  ['1e20', '100000000000000000000'],
  ['12345678901234567890', '12345678901234567890'],
  ['123456789012345678901.0', '123456789012345678901'],
  ['-5', '-5'],
  ['-0.0', '0'],
  ['10.50', '10.5'],
  ['0.0000001', '1e-7'],
  ['0.1000000000000000055', '0.1000000000000000055'],
  ['-12345678901234567.25', '-12345678901234567.25'],
  ['0.01234567890123456789', '0.01234567890123456789'],
  ['1e999', '1e999'],
  ['true', 'true'],
  ['[1, 2]', '[1,2]'],
  ['"  "', undefined],
  ['null', undefined],
  [undefined, undefined],
];

for (const [cell, code] of codes) {
  test(`the cell ${cell ?? 'that is missing'} gives ${code === undefined ? 'no code' : `the code ${code}`}`, () => {
    assert.equal(katoCode(cell), code);
  });
}

test('every integer that a double holds is its own code', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (code) => {
      assert.equal(katoCode(JSON.stringify(code)), code === 0 ? '0' : String(code));
      assert.equal(katoCode(`${code}.00`), code === 0 ? '0' : String(code));
    }),
  );
});

test('every other finite double is written in its shortest form', () => {
  const fraction = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value));
  fc.assert(
    fc.property(fraction, (value) => {
      assert.equal(katoCode(JSON.stringify(value)), String(value));
    }),
  );
});

test('a row is cut into the texts of its items, white space around them aside', () => {
  assert.deepEqual(splitCells('[]'), []);
  assert.deepEqual(splitCells(' [ ] '), []);
  assert.deepEqual(splitCells('[1.50, "a,]\\"[", {"b":[1,2]} , null]'), [
    '1.50',
    '"a,]\\"["',
    '{"b":[1,2]}',
    'null',
  ]);
  assert.deepEqual(splitCells('["\\\\",2]'), ['"\\\\"', '2']);
  assert.deepEqual(splitCells('[""]'), ['""']);
  assert.deepEqual(splitCells('["\u2028",1]'), ['"\u2028"', '1']);
});

test('a caller that expects a number of items gets at most one more', () => {
  assert.deepEqual(splitCells('[1,2,3,4]', 2), ['1', '2', '3']);
  assert.deepEqual(splitCells('[1,2,3]', 2), ['1', '2', '3']);
  assert.deepEqual(splitCells('[1,2]', 2), ['1', '2']);
});

test('a text that does not end is none, one inside of an array goes on to its end', () => {
  assert.throws(() => cellText('"a'), EngineDied);
  assert.throws(() => cellText('"a" "b"'), EngineDied);
  assert.equal(cellText('[ "a b'), '["a b');
});

test('any JSON array is cut into its items, compact or spaced out', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 })),
      fc.constantFrom(undefined, 1, '\t'),
      (items, space) => {
        const cells = splitCells(JSON.stringify(items, null, space));
        assert.deepEqual(
          cells.map((cell) => JSON.stringify(JSON.parse(cell))),
          items.map((item) => JSON.stringify(item)),
        );
      },
    ),
  );
});

test('objects and arrays are shown as compact JSON', () => {
  const composite = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(composite, (value) => {
      assert.equal(cellText(JSON.stringify(value, null, 2)), JSON.stringify(value).toWellFormed());
    }),
  );
});

test('an array nested a hundred thousand deep is text like any other', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.deepEqual(splitCells(`[${deep},1]`), [deep, '1']);
  assert.deepEqual(readCell(deep, undefined), deep);
});

test('a million digits cost no more than a million steps', () => {
  const digits = `1${'0'.repeat(1_000_000)}1`;
  assert.deepEqual(readCell(digits, undefined), digits);
  assert.equal(katoCode(digits), digits);
  const spaced = `${' 000'.repeat(250_000)}x`;
  assert.equal(readCell(`"${spaced}"`, undefined), spaced);
});
