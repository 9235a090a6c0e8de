import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsetNamed, charsetNameOf, charsetNameOfLanguage } from './charset.ts';

test('a .cpg names its charset in many ways', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'UTF-8': ['UTF-8', 'utf8', '65001', '\ufeffUTF-8\r\n'],
    'windows-1251': ['1251', 'CP1251', 'cp-1251', 'windows-1251', 'ANSI 1251', 'WIN1251', 'LDID/201'],
    CP866: ['866', 'OEM 866', 'IBM866', 'cp866', 'LDID/101'],
    'ISO-8859-5': ['ISO-8859-5', '88595', 'ISO88595', '8859_5', '28595'],
    'KZ-1048': ['KZ-1048', 'KZ1048', 'STRK1048-2002', 'rk1048'],
    'KOI8-R': ['KOI8-R', 'koi8r', '20866'],
    CP850: ['850', 'CP850'],
    GBK: ['GBK', '936'],
  };
  for (const [name, labels] of Object.entries(names)) {
    for (const label of labels) assert.equal(charsetNameOf(label), name, label);
    assert.equal(charsetNamed(name)?.name, name);
  }
});

test('a text that names nothing known is none', () => {
  for (const text of ['', 'SYSTEM', 'http://127.0.0.1/', '__proto__', 'constructor', '12', 'LDID/87']) {
    assert.equal(charsetNameOf(text), undefined, text);
  }
});

test('every language byte that is known names a charset that can be read', () => {
  assert.equal(charsetNameOfLanguage(0xc9), 'windows-1251');
  assert.equal(charsetNameOfLanguage(0x57), undefined);
  for (let byte = 0; byte < 256; byte += 1) {
    const name = charsetNameOfLanguage(byte);
    if (name !== undefined) assert.equal(charsetNamed(name)?.decode(Uint8Array.of(0x41)), 'A', name);
  }
});

test('KZ-1048 has the Kazakh letters', () => {
  const bytes = Buffer.from('8d9da1a2a3a5aaafb2b3b4babcbdbebf8e9e', 'hex');
  assert.equal(charsetNamed('KZ-1048')?.decode(bytes), 'ҚқҰұӘӨҒҮІіөғәҢңүҺһ');
});
