import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { Problem } from '../../../lib/errors.ts';
import { readFeatures, surveyDocument } from './document.ts';

const folder = await temporaryFolder();

describe('A GeoJSON file', () => {
  async function read(text: string) {
    const path = join(folder, 'x.geojson');
    await writeFile(path, text);
    const survey = surveyDocument(path, { gatherColumns: true });
    const features = Array.from(readFeatures(path, survey), ({ properties, geometry }) => [
      properties?.toString(),
      geometry?.toString(),
    ]);
    return { survey, features };
  }
  const refused = (text: string, sentence: RegExp) =>
    assert.rejects(
      read(text),
      (error) => error instanceof Problem && error.code === 'invalid' && sentence.test(error.message),
    );

  test('gives the raw text of properties and geometry, members in any order', async () => {
    const { survey, features } = await read(
      '{"features":[{"geometry":{"coordinates":[1.50,2],"type":"Point"},"id":7,"properties":{"n":1.10,"big":12345678901234567890},"type":"Feature"},' +
        '{"type":"Feature"},{"type":"Feature","properties":null,"geometry":null}],"crs":{"x":1},"type":"FeatureCollection"}',
    );
    assert.equal(survey.type, 'FeatureCollection');
    assert.equal(survey.featureCount, 3);
    assert.equal(survey.crs?.toString(), '{"x":1}');
    assert.deepEqual(features, [
      ['{"n":1.10,"big":12345678901234567890}', '{"coordinates":[1.50,2],"type":"Point"}'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('may be a single feature, even with a foreign list of "features"', async () => {
    const { survey, features } = await read(
      '{"features":[1,{}],"type":"Feature","properties":{"a":1},"geometry":null}',
    );
    assert.equal(survey.featureCount, 1);
    assert.deepEqual(features, [['{"a":1}', undefined]]);
    assert.deepEqual(survey.columns, ['a']);
  });

  test('may be a bare geometry, which has no columns', async () => {
    const { survey, features } = await read('{"coordinates":[1,2],"properties":{"a":1},"type":"Point"}');
    assert.deepEqual(survey.columns, []);
    assert.deepEqual(features, [[undefined, '{"coordinates":[1,2],"properties":{"a":1},"type":"Point"}']]);
  });

  test('takes the last of a repeated member', async () => {
    const { features } = await read(
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"properties":{"a":2},"geometry":{},"geometry":null}]}',
    );
    assert.deepEqual(features, [['{"a":2}', undefined]]);
  });

  test('names its columns in the order of first appearance', async () => {
    const { survey } = await read(
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"b":1,"2020":1}},{"type":"Feature","properties":{"a":1,"b":2,"__proto__":3,"constructor":4,"2019":5}}]}',
    );
    assert.deepEqual(survey.columns, ['b', '2020', 'a', '__proto__', 'constructor', '2019']);
  });

  test('is refused with a sentence that names the place', async () => {
    await refused(
      '{"type":"FeatureCollection",\n "features":[\n  {"a":NaN}]}',
      /line 3, column 8 NaN or Infinity occurs/,
    );
    await refused(
      '{"type":"FeatureCollection","features":[]}\n}',
      /line 2, column 1 .*"}" stands where the end of the file/,
    );
    await refused('{"имя":1,}', /line 1, column 10 /);
  });

  test('is refused when it is JSON but not GeoJSON, saying why', async () => {
    const collection = (features: string) => `{"type":"FeatureCollection","features":${features}}`;
    for (const [text, why] of [
      ['', /is empty/],
      ['7', /does not begin with an object/],
      ['{}', /no "type"/],
      ['{"type":"topology","objects":{}}', /"type" is "topology"/],
      ['{"type":"FeatureCollection"}', /"features" are missing/],
      [collection('{}'), /"features" are missing/],
      [collection('[],"features":[]'), /two lists/],
      [collection('[{"type":"Feature"},null]'), /feature 2 is not an object/],
      [collection('[{"type":"feature"}]'), /feature 1 has no "type": "Feature"/],
      [collection('[{"type":"Feature","properties":[]}]'), /feature 1 has "properties"/],
    ] as const)
      await refused(text, why);
    await refused('{"type":"Feature","geometry":"x"}', /its feature has "geometry"/);
  });

  test('has the properties of features alone as columns, whatever else is called so', async () => {
    const feature = '{"type":"Feature","properties":{"a":1}}';
    const pretending = `${feature.slice(0, -1)},"features":[{"type":"Feature","properties":{"b":2}}]}`;
    for (const text of [feature, pretending]) {
      const file = `{"features":[${text}],"properties":{"title":"x"},"type":"FeatureCollection","other":null}`;
      assert.deepEqual((await read(file)).survey.columns, ['a']);
    }
  });

  test('is refused at a depth of 100,000 anywhere', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const inFeature = (member: string) => `{"type":"FeatureCollection","features":[{${member}:${deep}}]}`;
    for (const text of [deep, inFeature('"properties"'), inFeature('"geometry"'), `{"crs":${deep}}`])
      await refused(text, /^The file is too large to be read: .* nested deeper than 100/);
  });

  test('cut anywhere is refused', async () => {
    const whole = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1}}]}';
    for (let cut = 1; cut < 20; cut += 1)
      await refused(
        whole.slice(0, Math.floor((whole.length * cut) / 20)),
        /the file ends|it is empty|is expected/,
      );
    await refused(`{"type":"Feature","properties":{"${'k'.repeat(70_000)}":1}}`, /longer than 65536 letters/);
  });

  test('is refused when it has more columns than a table may have', async () => {
    const properties = Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [`c${i}`, i]));
    await refused(
      JSON.stringify({ type: 'Feature', properties, geometry: null }),
      /more than 50,000 different properties/,
    );
    const long = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${i}`.repeat(60_000).slice(0, 60_000), i]),
    );
    await refused(
      JSON.stringify({ type: 'Feature', properties: long, geometry: null }),
      /names of the columns have more than a million characters together/,
    );
  });
});
