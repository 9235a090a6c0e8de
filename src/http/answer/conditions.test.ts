import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isListed, matches, requestedRange } from './conditions.ts';

const etag = '"abc"';

describe('If-None-Match', () => {
  const cases: readonly (readonly [header: string | undefined, listed: boolean])[] = [
    [undefined, false],
    ['*', true],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"a,b","abc"', true],
    ['abc', false],
    ['"abcd"', false],
  ];
  for (const [header, listed] of cases) {
    test(`${header} ${listed ? 'lists' : 'does not list'} ${etag}`, () => {
      assert.equal(isListed(header, etag), listed);
    });
  }
});

describe('If-Match', () => {
  const cases: readonly (readonly [header: string | undefined, holds: boolean])[] = [
    [undefined, true],
    ['*', true],
    ['"abc"', true],
    ['"x", "abc"', true],
    ['W/"abc"', false],
    ['"abcd"', false],
    ['abc', false],
    ['', false],
  ];
  for (const [header, holds] of cases) {
    test(`${header} ${holds ? 'holds' : 'does not hold'} for ${etag}`, () => {
      assert.equal(matches(header, etag), holds);
    });
  }
});

describe('Range of 100 bytes', () => {
  const cases: readonly (readonly [range: string, expected: ReturnType<typeof requestedRange>])[] = [
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=0-999999999999999999999', { start: 0, end: 99 }],
    ['BYTES=0-0', { start: 0, end: 0 }],
    ['bytes=100-', 'unsatisfiable'],
    [`bytes=${'9'.repeat(40)}-`, 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=a-b', undefined],
    ['items=0-1', undefined],
  ];
  for (const [range, expected] of cases) {
    test(`${range.slice(0, 40)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(requestedRange({ range }, 100, etag), expected);
    });
  }

  test('counts only when If-Range is the very ETag', () => {
    const expected = { start: 0, end: 9 };
    assert.deepEqual(requestedRange({ range: 'bytes=0-9', 'if-range': etag }, 100, etag), expected);
    for (const ifRange of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 18:14:24 GMT']) {
      assert.equal(requestedRange({ range: 'bytes=0-9', 'if-range': ifRange }, 100, etag), undefined);
    }
  });

  test('of an empty file cannot be satisfied', () => {
    assert.equal(requestedRange({ range: 'bytes=0-' }, 0, etag), 'unsatisfiable');
    assert.equal(requestedRange({ range: 'bytes=-5' }, 0, etag), 'unsatisfiable');
  });
});
