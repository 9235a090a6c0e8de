import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrsMember } from './open-geojson.ts';

const named = (name: unknown) =>
  readCrsMember(Buffer.from(JSON.stringify({ type: 'name', properties: { name } })));

test('EPSG numbers are honoured in their short form, as a URN, as an address of the OGC and bare', () => {
  assert.deepEqual(named('EPSG:32632'), { kind: 'epsg', code: 32632 });
  assert.deepEqual(named('urn:ogc:def:crs:EPSG::32632'), { kind: 'epsg', code: 32632 });
  assert.deepEqual(named('urn:ogc:def:crs:EPSG:6.9:2154'), { kind: 'epsg', code: 2154 });
  assert.deepEqual(named('urn:ogc:def:crs:ESRI::102012'), { kind: 'esri', code: 102_012 });
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
