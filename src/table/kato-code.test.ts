import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readKatoCode } from './kato-code.ts';

const repaired: readonly string[] = [
  '110000000.0',
  '110000000.',
  '110000000,00',
  "'110000000",
  '’110000000',
  '`110000000`',
  '="110000000"',
  '"110000000"',
  '11 00 00 000',
  '110\u00a0000\u202f000',
  '\u200b110000000',
  '1100\u00ad00000\ufeff',
  '\u200e110000000\u202c',
  '110,000,000',
  '110.000.000,00',
  "110'000'000",
  '１１００００００0',
  '١١٠٠٠٠٠٠٠',
  '۱۱۰۰۰۰۰۰۰',
];
for (const text of repaired) {
  test(`${JSON.stringify(text)} is the code 110000000`, () => {
    assert.deepEqual(readKatoCode(JSON.stringify(text)), { katoCode: '110000000', repairedFrom: text });
  });
}

for (const [text, code] of [
  ['1.1E+8', '110000000'],
  ['1,1E+08', '110000000'],
  ['1.10e8', '110000000'],
  ['110E+6', '110000000'],
  ['4.3e8', '430000000'],
  ['1.13E+08', '113000000'],
  ['1.13220100E+08', '113220100'],
] as const) {
  test(`${text} as a text is the code ${code}, perhaps a shortened one`, () => {
    const read = readKatoCode(JSON.stringify(text));
    assert.deepEqual(read, { katoCode: code, isShortened: true, repairedFrom: text });
  });
}

for (const [cell, code] of [
  ['"110000000"', '110000000'],
  ['" 110000000\\r\\n"', '110000000'],
  ['"\u00a0110000000"', '110000000'],
  ['110000000', '110000000'],
  ['1.1E+8', '110000000'],
  ['110000000.0', '110000000'],
  ['" Итого "', 'Итого'],
  ['"27000000"', '27000000'],
  ['"27000000.0"', '27000000.0'],
  ['"31000000000"', '31000000000'],
  ['"31000000000.0"', '31000000000.0'],
  ['"110000000.5"', '110000000.5'],
  ['"1.1E+7"', '1.1E+7'],
  ['"1.12345678912E+8"', '1.12345678912E+8'],
  ['"-110000000"', '-110000000'],
  ['"110000000/2"', '110000000/2'],
  ['"47,000,0000"', '47,000,0000'],
  ['"11,000,000"', '11,000,000'],
  ['"КАТО 610000000"', 'КАТО 610000000'],
  ['"0110000000"', '0110000000'],
  ['{"code":110000000}', '{"code":110000000}'],
] as const) {
  test(`${cell} stays ${code}, without a repair`, () => {
    assert.deepEqual(readKatoCode(cell), { katoCode: code });
  });
}

test('an empty cell has no code', () => {
  for (const cell of [undefined, 'null', '""', '"  "', '"\u00a0"'])
    assert.equal(readKatoCode(cell), undefined);
});

test('no repair gives a code that the digits of the text do not spell', () => {
  const texts = fc.array(fc.constantFrom(...'0123456789 \u00a0\u200b.,\'"=eE+-'), { maxLength: 16 });
  fc.assert(
    fc.property(texts, (letters) => {
      const read = readKatoCode(JSON.stringify(letters.join('')));
      if (read?.repairedFrom === undefined || read.isShortened === true) return;
      assert.match(read.katoCode, /^\d{9}$/);
      const digits = read.repairedFrom.replaceAll(/\D/g, '');
      assert.ok(digits.startsWith(read.katoCode) && /^0*$/.test(digits.slice(9)), read.repairedFrom);
    }),
  );
});

test('two different codes of nine digits stay different', () => {
  const code = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String);
  fc.assert(
    fc.property(code, code, (one, other) => {
      const [read, readOther] = [readKatoCode(`"'${one}.0"`), readKatoCode(`" ${other} "`)];
      assert.deepEqual([read?.katoCode, readOther?.katoCode], [one, other]);
    }),
  );
});
