import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { Problem } from '../../../lib/errors.ts';
import { maxTableColumns } from '../../engine.ts';
import { createFindings } from '../../gather-findings.ts';
import { openGeoJson } from './open-geojson.ts';

const folder = await temporaryFolder();

async function read(text: string) {
  const path = join(folder, 'x.geojson');
  await writeFile(path, text);
  const findings = createFindings();
  const { columns, features } = openGeoJson(path, { gatherColumns: true, findings });
  const properties = Array.from(features({ geometry: false }), (feature) => feature.properties?.toString());
  return { columns, properties, warnings: findings.gathered().warnings.map(({ code }) => code) };
}

/** Features with the given members besides their type. */
const collection = (...members: readonly string[]) =>
  `{"type":"FeatureCollection","features":[${members.map((each) => `{${each},"type":"Feature"}`).join(',')}]}`;

test('ids are the first column, digit by digit, and stay missing where a feature has none', async () => {
  const text = collection(
    '"id":"110000000","properties":{"name":"a"}',
    '"properties":{ },"id":12345678901234567890',
    '"id":1.50,"properties":null',
    '"id":null,"properties":{"name":"b"}',
    '"properties":{"name":"c"}',
    '"id":"","properties":{\n"name":"d"}',
  );
  assert.deepEqual(await read(text), {
    columns: ['id', 'name'],
    properties: [
      '{"id":"110000000","name":"a"}',
      '{"id":12345678901234567890 }',
      '{"id":1.50}',
      '{"name":"b"}',
      '{"name":"c"}',
      '{"id":"",\n"name":"d"}',
    ],
    warnings: [],
  });
});

test('the id of a file that is one feature is a column too', async () => {
  const { columns, properties } = await read('{"id":"a","properties":{"x":1},"type":"Feature"}');
  assert.deepEqual([columns, properties], [['id', 'x'], ['{"id":"a","x":1}']]);
});

test('beside a property of that name ids are left out with a warning, in whichever feature it is', async () => {
  const text = collection('"id":"a","properties":{"x":1}', '"properties":{"id":"b"}');
  assert.deepEqual(await read(text), {
    columns: ['x', 'id'],
    properties: ['{"x":1}', '{"id":"b"}'],
    warnings: ['ids_left_out'],
  });
  const escaped = collection(String.raw`"id":"a","properties":{"\u0069d":"b"}`);
  assert.deepEqual((await read(escaped)).warnings, ['ids_left_out']);
});

test('ids that repeat the property need no warning', async () => {
  const text = collection('"id":"5","properties":{"id":5}', '"id":6,"properties":{"id":6}');
  assert.deepEqual(await read(text), {
    columns: ['id'],
    properties: ['{"id":5}', '{"id":6}'],
    warnings: [],
  });
});

test('an "id" that is neither text nor a number is not an id, and is named in a warning', async () => {
  const text = collection('"id":{"a":1},"properties":{"x":1}', '"id":true,"properties":{"x":2}');
  assert.deepEqual(await read(text), {
    columns: ['x'],
    properties: ['{"x":1}', '{"x":2}'],
    warnings: ['ids_left_out'],
  });
});

test('members of the collection and of properties of properties are no ids', async () => {
  const text = `{"id":"c","type":"FeatureCollection","features":[{"type":"Feature","properties":{"x":{"id":1}}}]}`;
  assert.deepEqual(await read(text), {
    columns: ['x'],
    properties: ['{"x":{"id":1}}'],
    warnings: [],
  });
});

test('ids count among the columns that a table may have', async () => {
  const properties = Array.from({ length: maxTableColumns }, (_, index) => `"c${index}":1`).join(',');
  await assert.rejects(
    read(collection(`"id":1,"properties":{${properties}}`)),
    (error) => error instanceof Problem && /more than .* different properties/.test(error.message),
  );
});
