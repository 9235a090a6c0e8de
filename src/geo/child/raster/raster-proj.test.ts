import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { outlineOf } from './image/bbox.ts';
import { addFittedShift, projStringOf } from './image/proj-string.ts';
import { transformPoint, createTransformationToWgs84 } from '../../gdal/transformation.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';

const folder = await temporaryFolder();
const { convert } = createConversion(folder);

const krasovsky = 'SPHEROID["Krassowsky 1940",6378245,298.3]';
const degrees = 'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]';
const zone12 =
  'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",69],' +
  'PARAMETER["scale_factor",1],PARAMETER["false_easting",12500000],PARAMETER["false_northing",0],UNIT["metre",1]';
const geographic = (datum: string) => `GEOGCS["G",${datum},${degrees}]`;
const gaussKruger = (datum: string) => `PROJCS["Zone 12",${geographic(datum)},${zone12}]`;
const named = `DATUM["Pulkovo_1942",${krasovsky}]`;
const esri = `DATUM["D_Pulkovo_1942",${krasovsky}]`;
const given = `DATUM["Pulkovo_1942",${krasovsky},TOWGS84[23.57,-140.95,-79.8,0,0.35,0.79,-0.22]]`;
const unknown = `DATUM["unknown",${krasovsky}]`;
const ofEpsg = (code: number) => gdal.SpatialReference.fromEPSG(code).toWKT();

/** A raster of 100 × 80 pixels in a CRS, with its upper left corner at a position. */
function rasterAt(wkt: string, [x, y]: readonly [number, number], pixel: number) {
  const affine = [x, pixel, 0, y, 0, -pixel] as const;
  return { width: 100, height: 80, isPlaced: true, affine, nativeWkt: wkt, wkt };
}
type Raster = ReturnType<typeof rasterAt>;

/** Greatest distance in metres between the positions of a raster by its CRS and by a PROJ string. */
function metresApart(raster: Raster, proj: string): number {
  const [byCrs, byProj] = [createTransformationToWgs84(raster), createTransformationToWgs84({ proj })];
  const distances = outlineOf(raster).map(([x, y]) => {
    const [longitude, latitude] = transformPoint(byCrs, x, y);
    const [otherLongitude, otherLatitude] = transformPoint(byProj, x, y);
    const east = (longitude - otherLongitude) * Math.cos((latitude * Math.PI) / 180);
    return Math.hypot(east, latitude - otherLatitude) * 111_195;
  });
  return Math.max(...distances);
}

const withoutShift = (proj: string): string => proj.replace(/ \+towgs84=\S+/, '');

describe('the PROJ string of a raster', () => {
  for (const [title, raster, atMost] of [
    ['Pulkovo 1942 by its name', rasterAt(gaussKruger(named), [12_400_000, 5_700_000], 1000), 0.5],
    ['Pulkovo 1942 as ESRI writes it', rasterAt(gaussKruger(esri), [12_400_000, 5_700_000], 1000), 0.5],
    ['Pulkovo 1942 of one field', rasterAt(gaussKruger(esri), [12_400_000, 5_700_000], 0.5), 0.1],
    ['Pulkovo 1942 of the whole country', rasterAt(geographic(esri), [46, 55.5], 0.18), 6],
    ['EPSG:2505, of one zone', rasterAt(ofEpsg(2505), [450_000, 5_500_000], 1000), 0.5],
    ['OSGB 1936', rasterAt(ofEpsg(27_700), [100_000, 600_000], 4500), 5],
    ['GRS 67 in Hungary', rasterAt(ofEpsg(23_700), [500_000, 300_000], 2000), 1],
  ] as const) {
    test(`has a shift of the datum that PROJ has no words for: ${title}`, () => {
      const proj = projStringOf(raster) ?? assert.fail('there is none');
      assert.match(proj, /^\+proj=\S+ .*\+towgs84=-?[\d.]+,-?[\d.]+,-?[\d.]+ .*\+no_defs$/);
      assert.ok(metresApart(raster, withoutShift(proj)) > 30);
      const apart = metresApart(raster, proj);
      assert.ok(apart < atMost, `${apart} m with ${proj}`);
    });
  }

  for (const [title, raster, words] of [
    [
      'of the file',
      rasterAt(gaussKruger(given), [12_400_000, 5_700_000], 1000),
      '+towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22',
    ],
    [
      'of the EPSG',
      rasterAt(ofEpsg(28_412), [12_400_000, 5_700_000], 1000),
      '+towgs84=25,-141,-78.5,0,0.35,0.736,0',
    ],
    [
      'of the EPSG, geographic',
      rasterAt(ofEpsg(4284), [69, 51], 0.001),
      '+towgs84=25,-141,-78.5,0,0.35,0.736,0',
    ],
  ] as const) {
    test(`has the shift of the datum ${title}`, () => {
      const proj = projStringOf(raster) ?? assert.fail('there is none');
      assert.ok(proj.includes(` ${words} `), proj);
      assert.ok(metresApart(raster, proj) < 10);
    });
  }

  test('has no shift where there is none', () => {
    for (const [wkt, x, y, pixel, expected] of [
      [ofEpsg(4326), 60, 50, 0.01, '+proj=longlat +datum=WGS84 +no_defs'],
      [ofEpsg(32_642), 500_000, 5_600_000, 10, '+proj=utm +zone=42 +datum=WGS84 +units=m +no_defs'],
      [ofEpsg(25_832), 500_000, 5_600_000, 10, '+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs'],
      [
        gaussKruger(unknown),
        12_400_000,
        5_700_000,
        1000,
        '+proj=tmerc +lat_0=0 +lon_0=69 +k=1 +x_0=12500000 +y_0=0 +ellps=krass +units=m +no_defs',
      ],
    ] as const) {
      const proj = projStringOf(rasterAt(wkt, [x, y], pixel)) ?? '';
      assert.equal(proj.replace(' +towgs84=0,0,0,0,0,0,0', ''), expected);
    }
    assert.match(
      projStringOf(rasterAt(ofEpsg(3857), [7_000_000, 6_000_000], 10)) ?? '',
      /^\+proj=merc \+a=6378137 .*\+nadgrids=@null/,
    );
  });

  test('is of the plane of a CRS with heights', () => {
    const heights = 'VERT_CS["h",VERT_DATUM["d",2005],UNIT["metre",1]]';
    const compound = `COMPD_CS["C",${ofEpsg(32_642)},${heights}]`;
    const proj = projStringOf(rasterAt(compound, [500_000, 5_600_000], 10));
    assert.equal(proj, '+proj=utm +zone=42 +datum=WGS84 +units=m +no_defs');
  });

  test('is null where a raster does not lie on the earth, and whatever its numbers are', () => {
    const raster = rasterAt(gaussKruger(esri), [12_400_000, 5_700_000], 1000);
    assert.equal(projStringOf({ ...raster, wkt: undefined }), null);
    for (const number of [1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
      const lost = rasterAt(gaussKruger(esri), [number, 5_700_000], 1000);
      assert.match(projStringOf(lost) ?? '', /^\+proj=tmerc .*\+ellps=krass/);
    }
  });

  test('is null where PROJ has no words for a CRS, and where its words are of another place', () => {
    assert.equal(projStringOf(rasterAt(ofEpsg(5516), [-6_000_000, -6_000_000], 100)), null);
    const raster = rasterAt(gaussKruger(esri), [12_400_000, 5_700_000], 1000);
    const zone13 =
      '+proj=tmerc +lat_0=0 +lon_0=75 +k=0.99 +x_0=12500000 +y_0=0 +ellps=krass +units=m +no_defs';
    assert.equal(addFittedShift(raster, raster, zone13), null);
  });

  test('is in the report of an import', async () => {
    const path = join(folder, 'source.tif');
    const source = gdal.drivers.get('GTiff').create(path, 100, 80, 1, 'Byte');
    source.srs = gdal.SpatialReference.fromWKT(gaussKruger(esri));
    source.geoTransform = [12_400_000, 1000, 0, 5_700_000, 0, -1000];
    source.close();
    const { raster } = (await convert(path)).findings;
    assert.match(raster?.proj ?? '', /^\+proj=tmerc .*\+towgs84=-?[\d.]+,-?[\d.]+,/);
    const bare = gdal.drivers.get('GTiff').create(path, 10, 10, 1, 'Byte');
    bare.close();
    assert.equal((await convert(path)).findings.raster?.proj, null);
  });
});
