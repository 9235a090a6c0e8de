import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Problem } from '../../src/lib/errors.ts';
import { readFeatures, surveyDocument } from '../../src/geo/formats/geojson/document.ts';
import { temporaryFolder } from '../support/for-tests.ts';

const folder = await temporaryFolder();

const feature = (properties: string, geometry = 'null') =>
  `{"type":"Feature","properties":${properties},"geometry":${geometry}}`;
const collection = (features: string, more = '') =>
  `{"type":"FeatureCollection","features":[${features}]${more}}`;

/** The columns and the number of features of a text. */
function read(text: string | Uint8Array): { columns: readonly string[]; features: number } {
  const path = join(folder, 'x.geojson');
  writeFileSync(path, text);
  const survey = surveyDocument(path, { gatherColumns: true });
  return { columns: survey.columns, features: [...readFeatures(path, survey)].length };
}
const refused = (text: string | Uint8Array, sentence: RegExp) =>
  assert.throws(
    () => read(text),
    (error) => error instanceof Problem && error.code === 'invalid' && sentence.test(error.message),
  );

test('depth of 100,000 anywhere is refused as what it is', () => {
  const nest = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
  const deep = nest('[', ']');
  const collections = nest('{"type":"GeometryCollection","geometries":[', ']}');
  const texts = [
    deep,
    collection(feature(`{"a":${deep}}`)),
    collection(feature('{}', `{"type":"Point","coordinates":${deep}}`)),
    collection(feature('{}', collections)),
    collection('', `,"crs":${deep}`),
    collection('', `,"other":${deep}`),
  ];
  for (const text of texts) refused(text, /^The file is more than can be read: .* nested deeper than 100/);
});

test('only the properties of features are columns, whatever else is called so', () => {
  const titled = collection(feature('{"a":1}'), ',"properties":{"title":"x"}');
  assert.deepEqual(read(titled), { columns: ['a'], features: 1 });
  const pretending = `${feature('{"a":1}').slice(0, -1)},"features":[${feature('{"b":2}')}]}`;
  assert.deepEqual(read(pretending), { columns: ['a'], features: 1 });
});

test('a second list of features is refused, one that is not a list is passed over', () => {
  refused(collection('', ',"features":[]'), /two lists of "features"/);
  assert.equal(read(collection(feature('{}'), ',"features":null')).features, 1);
  assert.equal(read(`{"features":[${feature('{}')}],"type":"FeatureCollection"}`).features, 1);
});

test('what is not JSON or not UTF-8 says where', () => {
  refused(collection(feature('{"a":NaN}')), /NaN or Infinity, which JSON does not have/);
  refused(Buffer.from(`\ufeff${collection('')}`, 'utf16le'), /line 1, column 1 the text is not UTF-8/);
  refused(`${collection('')}x`, /"x" where the end of the file is expected/);
  refused(' '.repeat(1_000_000), /it is empty/);
  const whole = collection(feature('{"a":1}'));
  for (let cut = 1; cut < 20; cut += 1)
    refused(whole.slice(0, Math.floor((whole.length * cut) / 20)), /the file ends|it is empty|is expected/);
});

test('names of columns are kept, whatever they mean elsewhere, up to a length', () => {
  const names = ['__proto__', 'constructor', '', '😀', 'a"b', 'A', 'a', 'toString', 'n'.repeat(10_000)];
  const members = names.map((name, index) => `${JSON.stringify(name)}:${index}`);
  assert.deepEqual(read(collection(feature(`{${members.join()}}`))).columns, names);
  refused(collection(feature(`{"${'k'.repeat(70_000)}":1}`)), /name is longer than 65536 letters/);
});
