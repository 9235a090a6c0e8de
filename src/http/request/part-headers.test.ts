import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeExtended, decodeStrictly, headerParameters } from './part-headers.ts';

test('parameters are quoted or bare, their names in any case; of two the first counts', () => {
  const header = 'form-data; NAME="a;b"; filename=x y.tif ;name="second"; empty=""';
  assert.deepEqual(Object.fromEntries(headerParameters(header)), {
    name: 'a;b',
    filename: 'x y.tif',
    empty: '',
  });
});

test('a backslash escapes a quote or a backslash, and is itself before all else', () => {
  const filenameOf = (quoted: string) => headerParameters(`form-data; filename="${quoted}"`).get('filename');
  assert.equal(filenameOf(String.raw`a\"b\\c.tif`), String.raw`a"b\c.tif`);
  assert.equal(filenameOf(String.raw`C:\maps\x.tif`), String.raw`C:\maps\x.tif`);
});

test('a bare value keeps its last byte, whatever it is', () => {
  const latin1 = Buffer.from('form-data; filename=à ; x').toString('latin1');
  assert.equal(headerParameters(latin1).get('filename'), Buffer.from('à').toString('latin1'));
});

test('text is decoded whole or not at all', () => {
  assert.equal(decodeStrictly(Buffer.from('\ufeffҚ\ufffd')), '\ufeffҚ\ufffd');
  assert.equal(decodeStrictly(Buffer.from([0xed, 0xa0, 0x80])), undefined); // half a surrogate pair
  assert.equal(decodeStrictly(Buffer.from([0xca]), 'windows-1251'), 'К');
  assert.equal(decodeStrictly(Buffer.from('a'), 'no-such-encoding'), undefined);
});

test('extended values are those of RFC 8187', () => {
  assert.equal(decodeExtended("UTF-8''%D2%9A%20x.tif"), 'Қ x.tif');
  assert.equal(decodeExtended("iso-8859-1'en'%A3"), '£');
  for (const wrong of ['x.tif', "UTF-8''%FF", "''x"]) assert.equal(decodeExtended(wrong), undefined);
});
