import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findExtensionFault } from './upload.ts';

describe('a file that cannot be taken', () => {
  const vectors = /^must have one of the extensions \.geojson, \.gpkg, \.zip: /;
  for (const [filename, hint] of [
    ['roads.shp', /\.shp together with its \.shx, \.dbf and \.prj into one \.zip/],
    ['ROADS.DBF', /into one \.zip/],
    ['population.csv', /QGIS .* "No Geometry"$/],
    ['население.xlsx', /as GeoJSON with geometry type/],
    ['track.gpx', /export it as GeoJSON or GeoPackage/],
    ['places.kml', /export it as GeoJSON or GeoPackage/],
    ['places.json', /extension \.geojson/],
    ['roads.rar', /pack it as \.zip/],
    ['dem.tif', /file_type raster/],
  ] as const) {
    test(`as vector comes with advice: ${filename}`, () => {
      for (const fileType of ['vector', 'vector_with_kato'] as const) {
        const fault = String(findExtensionFault(filename, fileType));
        assert.match(fault, vectors);
        assert.match(fault, hint);
      }
    });
  }

  test('as raster comes with the advice that rasters need', () => {
    assert.match(
      String(findExtensionFault('dem.asc', 'raster')),
      /^must .* \.tif, \.tiff: convert it to GeoTIFF/,
    );
    assert.match(String(findExtensionFault('dem.zip', 'raster')), /\.tif, \.tiff: unpack it/);
    assert.equal(
      String(findExtensionFault('a.shp', 'raster')),
      'must have one of the extensions .tif, .tiff',
    );
  });

  test('and is of no known kind is told the extensions alone', () => {
    const all = 'must have one of the extensions .geojson, .gpkg, .zip, .tif, .tiff';
    assert.equal(String(findExtensionFault('a.exe', undefined)), all);
    assert.equal(String(findExtensionFault('a', 'raster')), 'must have one of the extensions .tif, .tiff');
    assert.match(String(findExtensionFault('a.shp', undefined)), /\.tiff: put the \.shp/);
  });
});

test('the extensions of a file type are no fault, in any case', () => {
  assert.equal(findExtensionFault('A.GPKG', 'vector'), undefined);
  assert.equal(findExtensionFault('a.tiff', 'raster'), undefined);
  assert.equal(findExtensionFault('a.tif', undefined), undefined);
});
