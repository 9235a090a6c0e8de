import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, test } from 'node:test';
import { attachment, chooseEncoding } from './content-headers.ts';

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

const cases = [
  ['relief.tif', 'relief.tif', 'relief.tif'],
  ['Карта_ҚР.tif', '________.tif', '%D0%9A%D0%B0%D1%80%D1%82%D0%B0_%D2%9A%D0%A0.tif'],
  ['a"b\\c\r\nd\0e.tif', 'abcde.tif', 'abcde.tif'],
  ['😀.tif', '_.tif', '%F0%9F%98%80.tif'],
  ['\ud800.tif', '_.tif', '%EF%BF%BD.tif'],
  ["it's (1)*;%41.tif", "it's (1)*;%41.tif", 'it%27s%20%281%29%2A%3B%2541.tif'],
  ['a\u2028\u202eb.tif', 'a__b.tif', 'a%E2%80%A8%E2%80%AEb.tif'],
  ['"\\', 'download', 'download'],
  ['', 'download', 'download'],
] as const;
for (const [name, fallback, encoded] of cases) {
  test(`${JSON.stringify(name)} as an attachment`, () => {
    const header = attachment(name);
    assert.equal(header, `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`);
    assert.doesNotThrow(() => validateHeaderValue('content-disposition', header));
  });
}
