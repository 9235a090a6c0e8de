import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlace } from '../../map/place/coordinates.ts';

test('degrees are read as people write them', () => {
  for (const [latitude, longitude] of [
    ['51.1694', '71.4491'],
    [' 51,1694°', '+71,4491 '],
  ] as const)
    assert.deepEqual(readPlace(latitude, longitude), { lat: 51.1694, lon: 71.4491 });
  assert.deepEqual(readPlace('−90', '-180'), { lat: -90, lon: -180 });
});

test('all else is not taken for a place', () => {
  for (const [latitude, longitude] of [
    ['', ''],
    ['91', '10'],
    ['51', '180.5'],
    ['51.1.2', '71'],
    ['51°10′', '71'],
    ['Infinity', '1e2'],
  ] as const)
    assert.equal(readPlace(latitude, longitude), undefined, `${latitude} ${longitude}`);
});
