import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsetNamed, utf8 } from '../../../../common/charset/charset.ts';
import { readableNames, readFieldNames } from './dbf.ts';

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

test('metadata tells the names of fields, unless it is not XML or declares a document type', () => {
  const field = '<attr><attrlabl Sync="TRUE">Население &amp; год</attrlabl><attrdef>x</attrdef></attr>';
  const xml = `<?xml version="1.0"?><metadata><eainfo><detailed>${field}</detailed></eainfo></metadata>`;
  assert.deepEqual(readFieldNames(xml), ['Население & год']);
  assert.deepEqual(readFieldNames(`<!DOCTYPE x []>${xml.slice(21)}`), []);
  assert.deepEqual(readFieldNames(`${xml}<oops`), []);
  assert.deepEqual(readFieldNames(''), []);
});
