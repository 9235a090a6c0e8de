import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf } from './downloads.ts';

test('a file that is made of a dataset is called after it', () => {
  assert.equal(fileNameOf('Рельеф Жабая', 'tif'), 'Рельеф Жабая.tif');
  assert.equal(fileNameOf('dem.TIFF', 'tif'), 'dem.tif');
  assert.equal(fileNameOf('a/b\\c:d*?', 'geojson'), 'a-b-c-d-.geojson');
  assert.equal(fileNameOf(' .. ', 'sld'), 'dataset.sld');
  assert.ok(fileNameOf('ж'.repeat(400), 'tif').length < 130);
});
