import * as fc from 'fast-check';

/** Texts that have broken services before, and near misses of dates, numbers and uuids. */
const texts = [
  ['', ' ', '\u0000', 'a\u0000b', '\ud800', 'half \udc00 a pair', '\ufeff', '\u2028', '\u202eevil'],
  ['😀'.repeat(256), 'Қ'.repeat(255), 'x'.repeat(256), 'x'.repeat(2001), 'x'.repeat(70_000)],
  ["' or 1=1; --", '%s%n%x', '${7*7}', '\\', '../../etc/passwd', '<script>', '\r\nX-Injected: yes'],
  ['__proto__', 'constructor', 'null', 'true', 'TRUE', 'NaN', 'Infinity'],
  ['1', '0', '-1', '+1', '1.0', '1e3', '0x10', ' 1', '９', '99999999999999999999'],
  ['2024-02-30', '2023-02-29', '0000-01-01', '10000-01-01', '2024-1-1', '2024-01-01T00:00:00Z'],
  ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '0'.repeat(31)],
  ['{00000000-0000-0000-0000-000000000000}', '00000000-0000-0000-0000-00000000000g'],
  ['A-B', 'a--b', '-a', 'a-', 'raster', 'RASTER', 'ready'],
].flat();

/** Text of any kind. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }) },
);

function nested(depth: number, open: unknown): unknown {
  let value = open;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Text for a URL, which may have 16 KiB with all headers: past that no service is reached. */
export const nastyUrlText: fc.Arbitrary<string> = nastyText
  .map((text) => text.toWellFormed())
  .filter((text) => encodeURIComponent(text).length < 3000);

const oddNumbers = [0, -0, 1, -1, 6, 1.5, 1e308, 5e-324, 2 ** 53, 4096.5];

/** JSON of any kind. */
export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 4, arbitrary: fc.constantFrom(...oddNumbers, null, true, false) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>([], {}, [[]], [null], { a: 1 }, [1, 2, 3, 4, 4], [5, 4, 3, 2, 1]),
  },
  { weight: 1, arbitrary: fc.constantFrom(30, 62, 63, 64, 500).map((depth) => nested(depth, 1)) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** Pieces of a query that no encoder writes; what they mean is up to the reader. */
export const strangeQuery = fc.constantFrom(
  '&',
  '&&=',
  '&=x',
  '&x',
  '&a=b=c',
  '&unknown=1&unknown=2',
  '&%70age=2',
  '&q=%F0%9F%98%80',
  '&__proto__=1',
  '&page[]=1',
  '&page[a]=1',
  '?',
  '&q=%00',
  '&%zz=1',
  '&x=%',
  '&q=%C3%28',
  '&q=%ED%A0%80',
  `&${'a=1&'.repeat(500)}`,
);
