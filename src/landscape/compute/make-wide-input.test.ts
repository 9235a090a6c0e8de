import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createGdalEngine } from '../../geo/parent/gdal-engine.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { openTestChildren, withFolder } from '../../../test/support/geo/engine.ts';
import { readBand } from '../../../test/support/geo/read-band.ts';
import { createLandscapeEngine } from './driver.ts';
import type { InputRecipe } from './input-work.ts';

/** Wider than the windows, and higher than the strips, in which an input is made. */
const [width, height] = [4300, 600];
/** Degrees of a pixel, and the corner of the grid. */
const [pixel, left, top] = [0.001, 60, 50];
/** A polygon over the edge between two windows and between two strips, in columns and rows of the grid. */
const box = { west: 4000.25, east: 4200.75, north: 10, south: 580.25 };

const folder = await temporaryFolder();
const gridPath = join(folder, 'grid.tif');
const drawn = gdal.drivers.get('GTiff').create(gridPath, width, height, 1, 'Byte', { SPARSE_OK: 'TRUE' });
drawn.srs = gdal.SpatialReference.fromEPSG(4326);
drawn.geoTransform = [left, pixel, 0, top, 0, -pixel];
drawn.close();

const children = await openTestChildren();
const geo = await withFolder(createGdalEngine(children));
after(geo.close);
const landscape = createLandscapeEngine(children);
const featuresPath = await writeFeatures();

async function writeFeatures(): Promise<string> {
  const place = (column: number, row: number) => [left + pixel * column, top - pixel * row];
  const { west, east, north, south } = box;
  const ring = [
    place(west, north),
    place(west, south),
    place(east, south),
    place(east, north),
    place(west, north),
  ];
  const feature = {
    type: 'Feature',
    properties: { number: 7 },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
  const path = join(folder, 'box.geojson');
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  const { features } = await geo.run(async (engine, task) => await engine.writeFeatures(task), path);
  assert.ok(features !== undefined);
  return features.path;
}

async function make(name: string, recipe: InputRecipe, classes: readonly number[] | null) {
  const [made, scratch] = [join(folder, name), join(folder, `${name}-scratch`)];
  for (const each of [made, scratch]) await mkdir(each);
  const sources = [
    { role: 'grid', key: 'grid', path: gridPath },
    { role: 'features', key: 'features', path: featuresPath },
  ] as const;
  const work = { recipe, sources: [...sources], classes: classes && [...classes], folder: made };
  const { signal } = new AbortController();
  return await landscape.makeInput({ work, scratch, signal });
}

const attribute = { method: 'rasterize', attribute: 'number', table: null, unmapped: 'refuse' } as const;

/** Counts the pixels with a value, and finds their range. */
function extentOf(path: string) {
  const { pixels } = readBand(path);
  const found = { count: 0, west: Infinity, east: -Infinity, north: Infinity, south: -Infinity };
  for (const [i, value] of pixels.entries()) {
    if (Number.isNaN(value)) continue;
    assert.equal(value, 7);
    const [column, row] = [i % width, Math.floor(i / width)];
    found.count += 1;
    found.west = Math.min(found.west, column);
    found.east = Math.max(found.east, column);
    found.north = Math.min(found.north, row);
    found.south = Math.max(found.south, row);
  }
  return found;
}

describe('An input of several windows', () => {
  test('has every pixel whose centre a polygon covers, as a COG with overviews', async () => {
    const { path, figures } = await make('centre', { ...attribute, rule: 'centre', minCoverage: 0.5 }, [7]);
    const expected = { count: 201 * 570, west: 4000, east: 4200, north: 10, south: 579 };
    assert.deepEqual(extentOf(path), expected);
    assert.equal(figures.valid, expected.count);
    const made = gdal.open(path, 'r');
    assert.equal(made.bands.get(1).overviews.count(), 4);
    assert.equal(made.getMetadata('IMAGE_STRUCTURE')['COMPRESSION'], 'DEFLATE');
    made.close();
  });

  test('has the exact shares of a polygon on both sides of an edge', async () => {
    const { path } = await make('majority', { ...attribute, rule: 'majority', minCoverage: 0.5 }, [7]);
    assert.deepEqual(extentOf(path), { count: 201 * 570, west: 4000, east: 4200, north: 10, south: 579 });
    const mean = await make('mean', { ...attribute, rule: 'mean', minCoverage: 0 }, null);
    assert.deepEqual(extentOf(mean.path), {
      count: 201 * 571,
      west: 4000,
      east: 4200,
      north: 10,
      south: 580,
    });
  });

  test('has distances to features of other windows', async () => {
    const recipe = {
      method: 'distance',
      measure: 'geodesic',
      limitMetres: null,
      beyond: 'no_data',
      where: null,
    } as const;
    const { path } = await make('distance', recipe, null);
    const { pixels } = readBand(path);
    const row = 300;
    const at = (column: number) => pixels[row * width + column] ?? NaN;
    // Of a degree of longitude on WGS 84, along the parallel; the way along the surface is shorter by less than a tenth of a percent.
    const latitude = ((top - pixel * (row + 0.5)) * Math.PI) / 180;
    const radius = 6378137 / Math.sqrt(1 - 0.00669437999014 * Math.sin(latitude) ** 2);
    const metresPerColumn = ((pixel * Math.PI) / 180) * radius * Math.cos(latitude);
    assert.equal(at(4100), 0);
    for (const column of [3000, 3999]) {
      const expected = (box.west - column - 0.5) * metresPerColumn;
      assert.ok(
        Math.abs(at(column) - expected) < 1e-3 * expected,
        `${column}: ${at(column)}, not ${expected}`,
      );
    }
    const expected = (4299.5 - box.east) * metresPerColumn;
    assert.ok(Math.abs(at(4299) - expected) < 1e-3 * expected, `${at(4299)}, not ${expected}`);
  });
});
