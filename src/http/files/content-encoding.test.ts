import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseEncoding } from './content-encoding.ts';

describe('Accept-Encoding', () => {
  const cases: readonly (readonly [header: string | undefined, expected: string | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP, deflate', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['zstd', undefined],
    ['gzip;q=nonsense', undefined],
  ];
  for (const [header, expected] of cases) {
    test(`${header} gives ${expected}`, () => assert.equal(chooseEncoding(header), expected));
  }
});
