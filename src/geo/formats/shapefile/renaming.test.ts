import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsetNamed, utf8 } from './charset/charset.ts';
import { createRenaming } from './renaming.ts';

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('texts get their letters and fields their names; numbers stay digit by digit', () => {
  const charset = charsetNamed('windows-1251');
  assert.ok(charset !== undefined);
  const rename = createRenaming(['имя', 'a"b', '__proto__'], charset);
  const given = `{ "#~0": "${latin(Uint8Array.from([0xd1, 0xe5, 0xec, 0xe5, 0xe9]))} \\"x\\" \\\\", "#~1": 1.10, "#~2": null }`;
  assert.equal(
    rename(Buffer.from(given)).toString(),
    '{ "имя": "Семей \\"x\\" \\\\", "a\\"b": 1.10, "__proto__": null }',
  );
});

test('a text in UTF-8 that was cut inside a letter loses the half of it', () => {
  const cut = latin(Buffer.from('Семей').subarray(0, 9));
  const rename = createRenaming(['n'], utf8);
  assert.equal(rename(Buffer.from(`{"#~0":"${cut}"}`)).toString(), '{"n":"Семе"}');
});

test('bytes of charsets with two for a letter are not mistaken for quotes or backslashes', () => {
  // In Big5 the second byte of this letter is that of a backslash.
  const big5 = charsetNamed('BIG5');
  assert.ok(big5 !== undefined);
  const text = JSON.stringify(latin(Uint8Array.from([0xa5, 0x5c])));
  assert.equal(createRenaming(['n'], big5)(Buffer.from(`{"#~0":${text}}`)).toString(), '{"n":"功"}');
});
