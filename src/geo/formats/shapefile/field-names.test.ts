import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsetNamed, utf8 } from './charset/charset.ts';
import { createRenaming, readableNames, readFieldNames } from './field-names.ts';

const names = (raw: readonly (string | Uint8Array)[], full: readonly string[] = []) =>
  readableNames(
    raw.map((name) => Buffer.from(name)),
    utf8,
    full,
  );

test('a name that was cut inside a letter loses the half of it', () => {
  assert.deepEqual(names([Buffer.from('область').subarray(0, 9), 'ok']), {
    names: ['обла', 'ok'],
    truncated: ['обла'],
  });
});

test('the one full name that a cut name begins takes its place', () => {
  assert.deepEqual(names(['Population', 'SubBasinNa'], ['SubBasinName', 'Population', 'Shape']), {
    names: ['Population', 'SubBasinName'],
    truncated: ['SubBasinName'],
  });
  assert.deepEqual(names([Buffer.from('насел').subarray(0, 9)], ['население']).truncated, ['насе']);
  assert.deepEqual(names([Buffer.from('население').subarray(0, 10)], ['население']).names, ['население']);
});

test('a name stays as it is when it is short, or the beginning of several', () => {
  assert.deepEqual(names(['Pop'], ['Population']).names, ['Pop']);
  const twice = names(['Population'], ['Population2000', 'Population2010']);
  assert.deepEqual(twice, { names: ['Population'], truncated: [] });
});

test('names are read in the charset of the table, and all different', () => {
  const raw = [Uint8Array.from([0xca, 0xc0, 0xd2, 0xce]), Uint8Array.from([0xca, 0xc0, 0xd2, 0xce])];
  const charset = charsetNamed('windows-1251');
  assert.ok(charset !== undefined);
  assert.deepEqual(readableNames([...raw, new Uint8Array()], charset, []).names, [
    'КАТО',
    'КАТО_2',
    'field_3',
  ]);
});

test('metadata tells the names of fields, unless it is no XML or declares a document type', () => {
  const field = '<attr><attrlabl Sync="TRUE">Население &amp; год</attrlabl><attrdef>x</attrdef></attr>';
  const xml = `<?xml version="1.0"?><metadata><eainfo><detailed>${field}</detailed></eainfo></metadata>`;
  assert.deepEqual(readFieldNames(xml), ['Население & год']);
  assert.deepEqual(readFieldNames(`<!DOCTYPE x []>${xml.slice(21)}`), []);
  assert.deepEqual(readFieldNames(`${xml}<oops`), []);
  assert.deepEqual(readFieldNames(''), []);
});

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
