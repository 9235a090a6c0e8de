import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { bboxOf } from '../image/georeference.ts';
import { viewMeshOf } from './view-mesh.ts';
import type { Affine } from '../../../raster-reader.ts';
import { decodeMesh, meshPointAt } from '../../../../../common/maps/raster/mesh.ts';
import { halfWorld } from '../../../../../common/maps/raster/web-mercator.ts';
import { fixture } from '../../../../../test/support/geo/engine.ts';
import { sampleOf } from '../../../../../test/support/tier.ts';

type Place = readonly [lon: number, lat: number, column: number, row: number];

/** A raster with positions of places by pyproj; see `pixels.py` beside this file. */
interface Case {
  readonly name: string;
  readonly crs: string;
  readonly affine: Affine;
  readonly width: number;
  readonly height: number;
  readonly places: readonly Place[];
  readonly beside: readonly Place[];
}

const cases: readonly Case[] = JSON.parse(await readFile(fixture('earth/pixels.json'), 'utf8'));
const tolerancePixels = 0.5;

interface Grid extends Pick<Case, 'affine' | 'width' | 'height'> {
  readonly crs: string | undefined;
}

function meshOf({ crs, ...grid }: Grid): Uint8Array | undefined {
  const wkt = crs === undefined ? undefined : gdal.SpatialReference.fromUserInput(crs).toWKT();
  const georeference = { ...grid, isPlaced: true, nativeWkt: wkt, wkt };
  return viewMeshOf(georeference, bboxOf(georeference));
}

/** Error of a mesh at a place, in pixels; NaN where it has no image. */
function errorAt(mesh: ReturnType<typeof decodeMesh>, [lon, lat, column, row]: Place): number {
  const x = (lon / 180) * halfWorld;
  const y = (halfWorld / Math.PI) * Math.asinh(Math.tan((lat * Math.PI) / 180));
  const [u, v] = meshPointAt(mesh, x, y);
  return Math.hypot(u - column, v - row);
}

describe('a view mesh places a raster as PROJ does:', () => {
  for (const { name, places, beside, ...raster } of sampleOf(cases, 3))
    test(name, () => {
      const bytes = meshOf(raster);
      assert.ok(bytes);
      const mesh = decodeMesh(bytes);
      assert.deepEqual([mesh.width, mesh.height], [raster.width, raster.height]);
      // An interrupted projection loses the strips along its seams, which are two cells wide.
      const maxLost = beside.length === 0 ? 0 : 1;
      const errors = places.map((place) => errorAt(mesh, place));
      assert.equal(errors.length, 60);
      assert.ok(errors.filter(Number.isNaN).length <= maxLost, 'too much is lost');
      const wrong = places.filter((_, i) => (errors[i] ?? 0) > tolerancePixels);
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        beside.filter((place) => errorAt(mesh, place) > tolerancePixels),
        [],
      );
    });
});

describe('a view mesh', () => {
  const utm = { crs: 'EPSG:32642', affine: [500_000, 10, 0, 5_000_000, 0, -10] } as const;

  test('of a small raster is small, and there is more of it where the projection bends more', () => {
    const bytes = ([side]: readonly [number]) => meshOf({ ...utm, width: side, height: side })?.length;
    assert.deepEqual(([[1], [1000], [30_000]] as const).map(bytes), [2372, 2372, 8772]);
  });

  test('is missing where there is no CRS, and beyond the latitudes of Web Mercator', () => {
    assert.equal(meshOf({ ...utm, crs: undefined, width: 100, height: 100 }), undefined);
    const pole = { crs: 'EPSG:3413', affine: [-300_000, 1000, 0, 300_000, 0, -1000] } as const;
    assert.equal(meshOf({ ...pole, width: 600, height: 600 }), undefined);
  });

  test('ends where the earth does, and continues the image there by one cell', () => {
    const crs = '+proj=ortho +lat_0=0 +lon_0=0 +R=6371007 +units=m';
    const bytes = meshOf({
      crs,
      affine: [-6_400_000, 12_800, 0, 6_400_000, 0, -12_800],
      width: 1000,
      height: 1000,
    });
    assert.ok(bytes);
    const mesh = decodeMesh(bytes);
    const columns = [89, 91, 100, 180].map((lon) => meshPointAt(mesh, (lon / 180) * halfWorld, 0)[0]);
    assert.deepEqual(columns.map(Math.round), [998, 998, Number.NaN, Number.NaN]);
  });
});
