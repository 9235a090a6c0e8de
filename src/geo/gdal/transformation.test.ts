import assert from 'node:assert/strict';
import { test, describe } from 'node:test';
import gdal from 'gdal-async';
import { openPlane, operationAt } from '../../../common/maps/paper/planes.ts';
import { createTransformationToWgs84, isDatumUnknown } from './transformation.ts';

function close(actual: { x: number; y: number }, expected: readonly [lon: number, lat: number]) {
  assert.ok(
    Math.abs(actual.x - expected[0]) < 1e-6 && Math.abs(actual.y - expected[1]) < 1e-6,
    JSON.stringify(actual),
  );
}

test('EPSG:4326, which puts latitude first, is read and written longitude first', () => {
  close(createTransformationToWgs84({ epsg: 4326 }).transformPoint(71.43, 51.13), [71.43, 51.13]);
  const wkt = gdal.SpatialReference.fromEPSG(4326).toWKT();
  assert.match(wkt, /AXIS\["Latitude",NORTH\],AXIS\["Longitude",EAST\]/);
  close(createTransformationToWgs84({ wkt }).transformPoint(71.43, 51.13), [71.43, 51.13]);
});

test('a projected system gives longitude and latitude, also when its own axes are northing first', () => {
  // Central meridian of zone 42 is 69° E: easting 500 km lies on it.
  const { x, y } = createTransformationToWgs84({ epsg: 32642 }).transformPoint(500_000, 5_664_000);
  assert.ok(Math.abs(x - 69) < 1e-9);
  assert.ok(y > 51 && y < 51.2, String(y));
  // Pulkovo 1942 / Gauss-Krüger zone 12 is northing first; its central meridian is 69° E as well.
  const gauss = createTransformationToWgs84({ epsg: 28412 }).transformPoint(12_500_000, 5_664_000);
  assert.ok(Math.abs(gauss.x - 69) < 0.01 && Math.abs(gauss.y - 51.1) < 0.1, JSON.stringify(gauss));
});

test('an unknown number is an error', () => {
  assert.throws(() => createTransformationToWgs84({ epsg: 999_999 }));
});

test('the data of the library itself are used: Pulkovo 1942 is moved to WGS 84, not just renamed', () => {
  const { x, y } = createTransformationToWgs84({ epsg: 4284 }).transformPoint(71.43, 51.13);
  // 59 m to the west and 47 m to the north, within the few metres by which versions of the EPSG registry differ.
  assert.ok(Math.abs(x - 71.429145) < 5e-5 && Math.abs(y - 51.130425) < 5e-5, `${x}, ${y}`);
});

test('SK-42 goes to WGS 84 as on sheets of the state map, to a millimetre, all over Kazakhstan', () => {
  for (let zone = 8; zone <= 15; zone += 1) {
    const files = createTransformationToWgs84({ epsg: 28_400 + zone });
    for (let lat = 40.7; lat < 56; lat += 1.3) {
      for (const lon of [6 * zone - 5.9, 6 * zone - 3.2, 6 * zone - 0.6]) {
        const operation = operationAt(lon, lat);
        const sheets = openPlane({ kind: 'gauss-krueger', datum: 'sk-42', zone, operation });
        const [x, y] = sheets.ownToPlane(lon, lat);
        const found = files.transformPoint(x, y);
        const expected = sheets.fromPlane(x, y);
        const away = Math.max(Math.abs(found.x - expected[0]), Math.abs(found.y - expected[1]));
        assert.ok(
          away < 1e-8,
          `${lon} ${lat} ${operation}: ${found.x} ${found.y}, not ${expected.join(' ')}`,
        );
      }
    }
  }
});

const krassowsky = 'SPHEROID["Krasovsky_1940",6378245.0,298.3]';
const wgs84 = 'SPHEROID["WGS_1984",6378137.0,298.257223563]';
const geographic = (datum: string, spheroid = krassowsky, rest = '') =>
  `GEOGCS["GCS",DATUM["${datum}",${spheroid}${rest}],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;
const gaussKruger = (base: string) =>
  `PROJCS["GK",${base},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",12500000],PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",69],PARAMETER["Scale_Factor",1],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]]`;
const ofWkt = (wkt: string) => gdal.SpatialReference.fromWKT(wkt).toWKT();
const ofEpsg = (epsg: number) => gdal.SpatialReference.fromEPSG(epsg).toWKT();
const ofProj = (words: string) => gdal.SpatialReference.fromProj4(words).toWKT();

describe('A datum with no way to WGS 84 better than ballpark is unknown', () => {
  const unknown: Readonly<Record<string, string>> = {
    'of an ellipsoid alone': ofWkt(gaussKruger(geographic('D_Not_specified_based_on_Krassowsky_1940'))),
    'called unknown': ofWkt(geographic('unknown')),
    'called D_Unknown': ofWkt(geographic('D_Unknown')),
    'of a city': ofWkt(gaussKruger(geographic('D_Local_Shymkent'))),
    'of a city, on the ellipsoid of WGS 84': ofWkt(geographic('D_Local_Shymkent', wgs84)),
    'with an abridged name': ofWkt(geographic('SK-42')),
    'of another ellipsoid': ofWkt(geographic('unknown', 'SPHEROID["Clarke 1866",6378206.4,294.9786982]')),
    'EPSG:4024': ofEpsg(4024),
    '+ellps=krass': ofProj('+proj=longlat +ellps=krass +no_defs'),
    '+proj=utm +ellps=intl': ofProj('+proj=utm +zone=42 +ellps=intl'),
  };
  for (const [name, wkt] of Object.entries(unknown))
    test(name, () => assert.equal(isDatumUnknown(wkt, [[69, 51]]), true));
});

describe('A datum that PROJ knows, or that needs no shift, is not', () => {
  const known: Readonly<Record<string, string>> = {
    'Pulkovo 1942': ofWkt(gaussKruger(geographic('D_Pulkovo_1942'))),
    'Pulkovo 1995': ofWkt(geographic('D_Pulkovo_1995')),
    'a shift in the file': ofWkt(geographic('D_Unknown', krassowsky, ',TOWGS84[24,-123,-94,0,0,0,0]')),
    'no shift in the file': ofWkt(geographic('D_Unknown', wgs84, ',TOWGS84[0,0,0]')),
    'CGCS2000, by its name': ofWkt(geographic('D_China_2000', 'SPHEROID["CGCS2000",6378137,298.257222101]')),
    'GSK-2011, by its name': ofWkt(geographic('GSK-2011', 'SPHEROID["GSK-2011",6378136.5,298.2564151]')),
    'QazTRF-23': ofWkt(geographic('QazTRF-23', 'SPHEROID["GRS 1980",6378137,298.257222101]')),
    'the ellipsoid of WGS 84 alone': ofProj('+proj=longlat +ellps=WGS84 +no_defs'),
    'the sphere of MODIS': ofProj('+proj=sinu +R=6371007.181 +units=m +no_defs'),
  };
  for (const [name, wkt] of Object.entries(known))
    test(name, () => assert.equal(isDatumUnknown(wkt, [[69, 51]]), false));
  // WGS 84, WGS 72, ETRS89, NAD83, NAD27, GDA94, SIRGAS, CGCS2000, JGD2000, Korea 2000, ITRF2014, Luxembourg, Swiss, Paris, …
  const numbers = [
    4326, 4322, 4258, 4269, 4267, 4284, 4200, 7683, 4740, 28_412, 32_642, 4283, 4674, 4490, 4612, 4737, 7789,
    4181, 4149, 4807, 4313, 4314, 4277, 4289, 4167, 4757, 9057, 4052,
  ];
  for (const epsg of numbers)
    test(`EPSG:${epsg}`, () => assert.equal(isDatumUnknown(ofEpsg(epsg), [[69, 51]]), false));
});
