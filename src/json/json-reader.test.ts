import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { bytesFrom } from '../geo/formats/geojson/geojson-file.ts';
import { JsonFault } from './json-fault.ts';
import { JsonReader, maxDepth, type ByteSource } from './json-reader.ts';
import { repetitions } from '../../test/support/tier.ts';

/** Returns at most `size` bytes at a time, so that every token is split at some size. */
function inChunks(source: ByteSource, size: number): ByteSource {
  return (target) => source(target.subarray(0, size));
}

function captureAll(text: string | Uint8Array, chunk = 1 << 20): string {
  const reader = new JsonReader(inChunks(bytesFrom(Buffer.from(text)), chunk));
  const value = reader.capture().toString();
  reader.finish();
  return value;
}

const valid = [
  'null',
  ' true ',
  'false',
  '0',
  '-0',
  '-0.0e+00',
  '1E400',
  '123456789012345678901234567890',
  '1.5e-7',
  '""',
  '"\\u0000"',
  '"\\uD834\\uDd1e"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '[]',
  '[[],[[]]]',
  '[1,2 , 3]',
  '{}',
  '{"a":{"b":[]}, "a":1}',
  '{"":0}',
  '\t\n\r [ ]\n',
  '"\u2028"',
  '"\u007f"',
  '"ҚР 🌍"',
  '["\ufeff"]',
];

const invalid: readonly (readonly [text: string, offset: number])[] = [
  ['', 0],
  [' ', 1],
  ['[', 1],
  ['[1', 2],
  ['[1,', 3],
  ['[1,]', 3],
  ['[,1]', 1],
  ['[1 2]', 3],
  ['[1]]', 3],
  ['{', 1],
  ['{"a"', 4],
  ['{"a":', 5],
  ['{"a":1', 6],
  ['{"a":1,}', 7],
  ['{a:1}', 1],
  ["{'a':1}", 1],
  ['{"a" 1}', 5],
  ['{1:1}', 1],
  ['{"a":1}x', 7],
  ['01', 1],
  ['-', 1],
  ['-a', 1],
  ['+1', 0],
  ['.5', 0],
  ['5.', 2],
  ['1e', 2],
  ['1e+', 3],
  ['0x10', 1],
  ['NaN', 0],
  ['Infinity', 0],
  ['-Infinity', 1],
  ['nul', 3],
  ['True', 0],
  ['"', 1],
  ['"a', 2],
  ['"\n"', 1],
  ['"\\x"', 2],
  ['"\\u12G4"', 5],
  ['"\\u12', 5],
  ['// c\n1', 0],
  ['\u00a01', 0],
  ['\f1', 0],
  ['[1}', 2],
  ['{"a":1]', 6],
  ['"a"b', 3],
];

describe('A JSON text', () => {
  for (const text of valid) {
    test(`is accepted whatever the chunks: ${JSON.stringify(text)}`, () => {
      for (const chunk of [1, 2, 3, 7, 1 << 20]) assert.equal(captureAll(text, chunk), text.trim());
    });
  }

  for (const [text, offset] of invalid) {
    test(`is refused at byte ${offset}: ${JSON.stringify(text)}`, () => {
      for (const chunk of [1, 3, 1 << 20]) {
        assert.throws(
          () => captureAll(text, chunk),
          (error) => error instanceof JsonFault && error.offset === offset,
        );
      }
    });
  }

  test('is accepted and refused as JSON.parse does, whatever text it is', () => {
    const scraps = fc.constantFrom(...'{ } [ ] , : "a" 1 - . e 0 null tru \\ " é'.split(' '), ' ');
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), (pieces, chunk) => {
        const text = pieces.join('');
        assert.equal(
          accepts(() => captureAll(text, chunk)),
          accepts(() => JSON.parse(text)),
          text,
        );
      }),
      { numRuns: repetitions('JSON_TEXTS', 400, 1500) },
    );
  });

  test('comes back byte by byte, with its white space', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(3),
        (json, chunk, indent) => {
          const text = JSON.stringify(JSON.parse(json), undefined, indent);
          assert.equal(captureAll(text, chunk), text);
        },
      ),
    );
  });

  test('may begin with a byte-order mark', () => {
    for (const chunk of [1, 2, 100]) assert.equal(captureAll('\ufeff[1]', chunk), '[1]');
  });

  test('may be nested to a limit and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    assert.equal(captureAll(nested(maxDepth)), nested(maxDepth));
    assert.throws(() => captureAll(nested(maxDepth + 1)), /nested deeper than 100/);
    assert.throws(() => captureAll('{"a":'.repeat(100_000)), /nested deeper than 100/);
  });

  test('is refused at the first byte that is not UTF-8', () => {
    const wrong = [
      [[0x22, 0xc0, 0x80, 0x22], 1],
      [[0x22, 0x61, 0xff, 0x22], 2],
      [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
      [[0x22, 0xd0, 0x9a, 0xd0, 0x22], 3],
      [[0x22, 0xf0, 0x9f, 0x8c], 1],
      [[0xff, 0xfe, 0x7b, 0x00], 0],
    ] as const;
    for (const [bytes, offset] of wrong) {
      for (const chunk of [1, 2, 100]) {
        assert.throws(
          () => captureAll(Uint8Array.from(bytes), chunk),
          (error) => error instanceof JsonFault && /not UTF-8/.test(error.message) && error.offset === offset,
        );
      }
    }
  });

  test('is walked member by member and element by element', () => {
    const reader = new JsonReader(
      bytesFrom(Buffer.from('{"a\\u0062": [1, {"x":2}], "__proto__": "y", "a b":3}')),
    );
    const seen: unknown[] = [];
    for (const key of reader.members()) {
      if (key === 'ab') for (const _ of reader.elements()) seen.push(reader.capture().toString());
      else seen.push([key, reader.capture().toString()]);
    }
    reader.finish();
    assert.deepEqual(seen, ['1', '{"x":2}', ['__proto__', '"y"'], ['a b', '3']]);
  });
});

describe('A large value', () => {
  test('is captured across many chunks', () => {
    const text = `"${'Ж'.repeat(600_000)}"`;
    assert.equal(captureAll(text), text);
  });

  test('is passed across many chunks', () => {
    const text = `"${'Ж'.repeat(600_000)}"`;
    const reader = new JsonReader(bytesFrom(Buffer.from(text)));
    reader.skip();
    reader.finish();
    assert.equal(reader.offset, Buffer.byteLength(text));
  });
});

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    assert.ok(error instanceof JsonFault || error instanceof SyntaxError);
    return false;
  }
}
