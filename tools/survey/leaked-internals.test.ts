import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leakedInternals } from './leaked-internals.ts';

const nothing = () => false;

test('sentences for users have none', () => {
  for (const sentence of [
    'The archive has no .prj file, so nobody knows where its shapes lie. Add it and upload the archive again.',
    'The archive contains several shapefiles: roads/roads.shp, данные/2024/poly.shp. Upload them one by one.',
    'The CRS http://www.opengis.net/def/crs/EPSG/0/4326 is not known and/or wrong: use EPSG:4326.',
    'Export the TIFF again in ESRI or QGIS.',
    'is not well-formed XML: line 6, column 18: undefined entity',
  ]) {
    assert.deepEqual(leakedInternals(sentence, nothing), []);
  }
});

test('what is meant for programmers is named', () => {
  const expectations = [
    ['cannot open /var/lib/steppe/scratch/1/input.tif', /a path: \/var\/lib/],
    ['it failed at read (/srv/a.ts:12:3)', /a place in a program/],
    ['layer undefined', /none: undefined/],
    ['column [object Object]', /none: \[object Object\]/],
    ['TypeError: x is not a function', /an error: TypeError/],
    ['read ECONNRESET', /an error: ECONNRESET/],
    ['TIFFReadDirectory: sanity check failed', /a library: TIFFReadDirectory/],
    ['GDAL could not read it', /a library: GDAL/],
  ] as const;
  for (const [sentence, gossip] of expectations)
    assert.match(leakedInternals(sentence, nothing).join(), gossip);
});

test('what the file says may be quoted', () => {
  const sentence = 'The archive contains "/abs/undefined.shp". Pack it again.';
  assert.equal(leakedInternals(sentence, nothing).length, 2);
  assert.deepEqual(
    leakedInternals(sentence, (words) => 'PK /abs/undefined.shp'.includes(words)),
    [],
  );
});

test('unreadable characters may not even be quoted', () => {
  const gossip = leakedInternals('The layer "a\u202eb\0" is empty.', () => true);
  assert.deepEqual(gossip, [
    'the sentence holds the character U+202E',
    'the sentence holds the character U+0000',
  ]);
});
