import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createPixelAreas, exactPixels } from './pixel-areas.ts';
import { earthOf } from '../child/raster/image/georeference.ts';
import type { Affine } from '../raster-reader.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { sampleOf } from '../../../test/support/tier.ts';

type Block = readonly [column: number, row: number, columns: number, rows: number, squareMetres: number];

/** A raster with areas of blocks of its pixels by pyproj; see `areas.py` beside this file. */
interface Case {
  readonly name: string;
  readonly crs: string;
  readonly affine: Affine;
  readonly width: number;
  readonly height: number;
  readonly blocks: readonly Block[];
}

const cases: readonly Case[] = JSON.parse(await readFile(fixture('earth/areas.json'), 'utf8'));

function areasOf({ crs, ...grid }: Omit<Case, 'name' | 'blocks'>) {
  return createPixelAreas(grid, earthOf(gdal.SpatialReference.fromUserInput(crs).toWKT()));
}

function rowOf(areas: ReturnType<typeof areasOf>, row: number, column: number, length: number) {
  const target = new Float64Array(length);
  areas.fillRow(row, column, target);
  return target;
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

function blockArea(areas: ReturnType<typeof areasOf>, [column, row, columns, rows]: Block): number {
  const target = new Float64Array(columns);
  let sum = 0;
  for (let i = 0; i < rows; i += 1) {
    areas.fillRow(row + i, column, target);
    sum += sumOf(target);
  }
  return sum;
}

const tolerance = 1e-6;

describe('Pixels have the areas of geodesic polygons around them, to a millionth:', () => {
  for (const { blocks, name, ...raster } of sampleOf(cases, 3))
    test(name, () => {
      const areas = areasOf(raster);
      assert.equal(blocks.length, 8);
      const wrong = blocks.filter(
        (block) => !(Math.abs(blockArea(areas, block) / block[4] - 1) <= tolerance),
      );
      assert.deepEqual(wrong, []);
    });
});

/** Surface of the WGS 84 ellipsoid in square metres (NIMA TR8350.2, table 3.3). */
const wholeEarth = 510_065_621_724_000;

function wholeArea(raster: Omit<Case, 'name' | 'blocks'>): number {
  return blockArea(areasOf(raster), [0, 0, raster.width, raster.height, 0]);
}

describe('What a raster has of the earth counts once', () => {
  const world = { crs: 'EPSG:4326', affine: [-180, 0.5, 0, 90, 0, -0.5], width: 720, height: 360 } as const;

  test('all of it', () => {
    assert.ok(Math.abs(wholeArea(world) / wholeEarth - 1) < 1e-8);
  });

  test('half of the pixels that reach beyond a pole by half', () => {
    const raster = { ...world, affine: [-180, 0.5, 0, 90.25, 0, -0.5], height: 361 } as const;
    assert.ok(Math.abs(wholeArea(raster) / wholeEarth - 1) < 1e-8);
  });

  test('nothing of what lies beyond the pole, or beside the disk that a satellite sees', () => {
    const beyond = areasOf({ ...world, affine: [-180, 0.5, 0, 100, 0, -0.5] });
    assert.equal(sumOf(rowOf(beyond, 5, 0, 720)), 0);
    const crs = '+proj=geos +lon_0=0 +h=35785831 +a=6378169 +b=6356583.8 +units=m +no_defs';
    const affine = [-5_568_748, 24_003.2, 0, 5_568_748, 0, -24_003.2] as const;
    const disk = areasOf({ crs, affine, width: 464, height: 464 });
    assert.equal(sumOf(rowOf(disk, 0, 0, 200)), 0);
    const [middle = 0] = rowOf(disk, 232, 232, 1);
    assert.ok(Math.abs(middle / 24_003.2 ** 2 - 1) < 1e-3);
  });
});

describe('An area does not depend on what it is asked with', () => {
  const raster = {
    crs: 'EPSG:32642',
    affine: [-1_100_000, 250, 0, 6_200_000, 0, -250],
    width: 12_400,
    height: 7200,
  } as const;
  const row = rowOf(areasOf(raster), 4321, 0, raster.width);

  test('pieces of a row are the row', () => {
    const areas = areasOf(raster);
    const pieces = Array.from({ length: 124 }, (_, i) => rowOf(areas, 4321, 100 * i, 100));
    areas.fillRow(4320, 0, new Float64Array(10));
    const single = Array.from({ length: 200 }, (_, i) => rowOf(areas, 4321, 61 * i, 1)[0]);
    assert.deepEqual(
      pieces.flatMap((piece) => [...piece]),
      [...row],
    );
    assert.deepEqual(
      single,
      Array.from({ length: 200 }, (_, i) => row[61 * i]),
    );
  });

  test('sums have the same bits in any order', () => {
    const { quantum } = areasOf(raster);
    assert.ok(
      row.every((area) => Number.isInteger(area / quantum) && (area / quantum) * exactPixels < 2 ** 53),
    );
    assert.equal(sumOf(row), sumOf(row.toReversed()));
    assert.equal(sumOf(row), sumOf(row.toSorted()));
  });
});
