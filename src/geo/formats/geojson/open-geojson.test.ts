import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrsMember, openGeoJson } from './open-geojson.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { Problem } from '../../../lib/errors.ts';
import { maxTableColumns } from '../../engine.ts';
import { createFindings } from '../../findings.ts';

const named = (name: unknown) =>
  readCrsMember(Buffer.from(JSON.stringify({ type: 'name', properties: { name } })));

test('EPSG numbers are honoured in their short form, as a URN, as an address of the OGC and bare', () => {
  assert.deepEqual(named('EPSG:32632'), { kind: 'epsg', code: 32632 });
  assert.deepEqual(named('urn:ogc:def:crs:EPSG::32632'), { kind: 'epsg', code: 32632 });
  assert.deepEqual(named('urn:ogc:def:crs:EPSG:6.9:2154'), { kind: 'epsg', code: 2154 });
  assert.deepEqual(named('http://www.opengis.net/def/crs/EPSG/0/3857'), { kind: 'epsg', code: 3857 });
  assert.deepEqual(named('https://www.opengis.net/def/crs/EPSG/9.9.1/3857'), { kind: 'epsg', code: 3857 });
  for (const code of [3857, '3857']) {
    const text = JSON.stringify({ type: 'EPSG', properties: { code } });
    assert.deepEqual(readCrsMember(Buffer.from(text)), { kind: 'epsg', code: 3857 });
  }
});

test('WGS 84 needs no transformation under any of its names, nor when no system is named', () => {
  for (const name of [
    'EPSG:4326',
    'urn:ogc:def:crs:EPSG::4326',
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'OGC:CRS84',
    'CRS84',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    'https://www.opengis.net/def/crs/EPSG/0/4326',
  ]) {
    assert.deepEqual(named(name), { kind: 'wgs84', isNamed: true });
  }
  assert.deepEqual(readCrsMember(undefined), { kind: 'wgs84', isNamed: false });
  assert.deepEqual(readCrsMember(Buffer.from('null')), { kind: 'wgs84', isNamed: false });
});

test('links, URLs and unknown names give nothing but unknown', () => {
  const link = { type: 'link', properties: { href: 'http://127.0.0.1:9/crs', type: 'proj4' } };
  assert.deepEqual(readCrsMember(Buffer.from(JSON.stringify(link))), { kind: 'unknown-member' });
  for (const name of [
    'http://127.0.0.1:9/crs',
    'http://www.opengis.net/def/crs/EPSG/0/3857/..',
    'http://www.opengis.net.example/def/crs/EPSG/0/3857',
    'EPSG:3857 ',
    'EPSG:12345678',
    'ESRI:102100',
    '/etc/passwd',
    7,
    null,
  ]) {
    assert.deepEqual(named(name), { kind: 'unknown-member' });
  }
  for (const text of [
    '"EPSG:3857"',
    '[]',
    '{"type":"EPSG","properties":{"code":-1}}',
    '{"type":"EPSG"}',
    '3857',
  ]) {
    assert.deepEqual(readCrsMember(Buffer.from(text)), { kind: 'unknown-member' });
  }
});

const folder = await temporaryFolder();

async function read(text: string) {
  const path = join(folder, 'x.geojson');
  await writeFile(path, text);
  const findings = createFindings();
  const { columns, features } = openGeoJson(path, { gatherColumns: true, findings });
  const properties = Array.from(features({ geometry: false }), (feature) => feature.properties?.toString());
  return { columns, properties, warnings: findings.gathered().warnings.map(({ code }) => code) };
}

/** Features of which each has the given members beside its type. */
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

test('an "id" that is no text and no number is no id, and is named in a warning', async () => {
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
