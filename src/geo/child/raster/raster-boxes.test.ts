import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import { bboxOf } from './image/georeference.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import type { Affine } from '../../raster-reader.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { sampleOf } from '../../../../test/support/tier.ts';

/** A raster with its box by pyproj; see `boxes.py` beside this file. */
interface Case {
  readonly name: string;
  readonly crs: string;
  readonly affine: Affine;
  readonly width: number;
  readonly height: number;
  readonly bbox: readonly [number, number, number, number];
}

const cases: readonly Case[] = JSON.parse(await readFile(fixture('earth/boxes.json'), 'utf8'));
/** Two steps of the grid of places that pyproj transformed. */
const toleranceDegrees = 0.2;
const engine = await closeAfterTests(openRasterEngineHere());

function writeRaster({ name, crs, affine, width, height }: Omit<Case, 'bbox'>): string {
  const path = join(engine.folder, `${name.replaceAll(/\W/g, '_')}.tif`);
  const dataset = gdal.open(path, 'w', 'GTiff', width, height, 1, gdal.GDT_Byte, {
    COMPRESS: 'DEFLATE',
    TILED: 'YES',
  });
  dataset.srs = gdal.SpatialReference.fromUserInput(crs);
  dataset.geoTransform = [...affine];
  dataset.close();
  return path;
}

function assertBox(actual: readonly number[], expected: readonly number[]): void {
  const far = actual.findIndex((value, i) => {
    const away = Math.abs(value - (expected[i] ?? Number.NaN));
    return !(Math.min(away, i % 2 === 0 ? Math.abs(away - 360) : away) <= toleranceDegrees);
  });
  assert.equal(far, -1, `${actual.join(', ')} is not ${expected.join(', ')}`);
}

describe('the box of a raster holds all of it that lies on the earth:', () => {
  for (const { name, crs, bbox, ...grid } of sampleOf(cases, 2)) {
    test(name, () => {
      const wkt = gdal.SpatialReference.fromUserInput(crs).toWKT();
      assertBox(bboxOf({ ...grid, isPlaced: true, nativeWkt: wkt, wkt }), bbox);
    });
  }
});

describe('rasters that go beyond the earth are converted:', () => {
  const convert = async (raster: Omit<Case, 'bbox'>) =>
    await engine.run((geo, task) => geo.convertRaster(task), writeRaster(raster));

  const beyond = cases.filter(({ name }) => /^(GHSL|MODIS h|Meteosat|all of Robinson)/.test(name));
  for (const { bbox, ...raster } of sampleOf(beyond, 6)) {
    test(raster.name, async () => assertBox((await convert(raster)).bbox, bbox));
  }

  for (const [name, affine, width, height] of [
    ['from 0 to 360', [0, 0.5, 0, 90, 0, -0.5], 720, 360],
    ['half a pixel beyond the edges of the world', [-180.25, 0.5, 0, 90.25, 0, -0.5], 721, 361],
    ['half a pixel of five degrees beyond the poles, from 0 to 360', [-2.5, 5, 0, 92.5, 0, -5], 72, 37],
  ] as const) {
    test(`a global grid ${name}`, async () => {
      assert.deepEqual(
        (await convert({ name, crs: 'EPSG:4326', affine, width, height })).bbox,
        [-180, -90, 180, 90],
      );
    });
  }

  for (const { bbox, ...raster } of sampleOf(
    cases.filter(({ name }) => name.endsWith('Equal Earth')),
    2,
  )) {
    test(`${raster.name}, which GDAL cannot write into a GeoTIFF`, async () => {
      const path = writeRaster({ ...raster, crs: 'EPSG:6933' });
      await replaceShort(path, 6933, 8857);
      const { bbox: box, cogPath } = await engine.run((geo, task) => geo.convertRaster(task), path);
      assertBox(box, bbox);
      assert.deepEqual(await compareRasters(path, cogPath, engine.folder), []);
      const [source, cog] = [gdal.open(path), gdal.open(cogPath)];
      assert.match(cog.srs?.toWKT() ?? '', /Equal Earth/);
      assert.deepEqual(cog.geoTransform, source.geoTransform);
    });
  }
});

/** Replaces the number of a CRS among the keys of a GeoTIFF, as other programs write it. */
async function replaceShort(path: string, from: number, to: number): Promise<void> {
  const bytes = await readFile(path);
  const key = Buffer.from(Uint16Array.of(3072, 0, 1, from).buffer);
  bytes.writeUInt16LE(to, bytes.indexOf(key) + 6);
  await writeFile(path, bytes);
}
