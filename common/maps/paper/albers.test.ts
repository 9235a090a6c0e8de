import assert from 'node:assert/strict';
import { test } from 'node:test';
import proj4 from 'proj4';
import {
  albersOfKazakhstan,
  convergenceAt,
  extentOfBox,
  fromAlbers,
  projectRing,
  toAlbers,
} from './albers.ts';

const { lat0, lat1, lat2, lon0 } = albersOfKazakhstan;
const there = proj4(
  'EPSG:4326',
  `+proj=aea +lat_0=${lat0} +lon_0=${lon0} +lat_1=${lat1} +lat_2=${lat2} +x_0=0 +y_0=0 +datum=WGS84 +units=m`,
);

test('places of and around Kazakhstan are where PROJ has them, and come back to where they were', () => {
  for (let lon = 40; lon <= 95; lon += 2.5) {
    for (let lat = 33; lat <= 62; lat += 1.5) {
      const [x, y] = toAlbers(lon, lat);
      const [expectedX = 0, expectedY = 0] = there.forward([lon, lat]);
      assert.ok(Math.hypot(x - expectedX, y - expectedY) < 1e-3, `${lon} ${lat}: ${x} ${y}`);
      const [backLon, backLat] = fromAlbers(x, y);
      assert.ok(Math.abs(backLon - lon) < 2e-8 && Math.abs(backLat - lat) < 2e-8, `${backLon} ${backLat}`);
    }
  }
});

test('beyond the pole of the cone there is no place', () => {
  assert.ok(fromAlbers(0, 2e7).some(Number.isNaN));
});

test('a length on the map is that on the ground to half a percent, in every direction, all over the country', () => {
  const step = 1e-4;
  const metresOfDegree = (lat: number) => {
    const [e2, sine] = [0.00669437999014, Math.sin((lat * Math.PI) / 180)];
    const across = 6_378_137 / Math.sqrt(1 - e2 * sine * sine);
    const along = (across * (1 - e2)) / (1 - e2 * sine * sine);
    return [(across * Math.cos((lat * Math.PI) / 180) * Math.PI) / 180, (along * Math.PI) / 180] as const;
  };
  for (let lat = 40.6; lat <= 55.4; lat += 0.2) {
    const [x, y] = toAlbers(70, lat);
    const [eastX, eastY] = toAlbers(70 + step, lat);
    const [northX, northY] = toAlbers(70, lat + step);
    const [east, north] = metresOfDegree(lat);
    const [k, h] = [
      Math.hypot(eastX - x, eastY - y) / step / east,
      Math.hypot(northX - x, northY - y) / step / north,
    ];
    assert.ok(Math.abs(k - 1) < 0.005 && Math.abs(h - 1) < 0.005, `${lat}: ${k} ${h}`);
    assert.ok(Math.abs(k * h - 1) < 1e-4, 'areas are right');
  }
});

test('north leans towards the central meridian', () => {
  const [x, y] = toAlbers(80, 50);
  const [northX, northY] = toAlbers(80, 50.001);
  const turned = (Math.atan2(northX - x, northY - y) * 180) / Math.PI;
  assert.ok(Math.abs(turned - convergenceAt(80)) < 1e-3, `${turned} ${convergenceAt(80)}`);
});

test('a line along a parallel gets corners, and a box has the extent of its bent sides', () => {
  const line = projectRing([
    [60, 50],
    [70, 50],
  ]);
  assert.equal(line.length, 41);
  const { bottom } = extentOfBox([57, 50, 77, 52]) ?? { bottom: 0 };
  assert.ok(Math.abs(bottom - toAlbers(67, 50)[1]) < 1, 'the middle of its lower side is the lowest');
  assert.equal(extentOfBox([]), undefined);
});
