import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { createTileEncoder } from '../../geo/child/raster/part-file.ts';
import { createGdalRasterReader } from '../../geo/child/raster/raster-reader.ts';
import { computeBatch } from './compute-batch.ts';
import { inspectSources } from './sources.ts';
import { LandscapeParams } from '../model/params.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { readPart } from '../../../test/support/landscape/landscape-engine.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';

const folder = await temporaryFolder();

test('the slope of a real surface is that of gdaldem, away from the edge', async () => {
  const path = fixture('raster/dsm_2m.tif');
  const sources = [{ key: 'dem', path }];
  const reader = createGdalRasterReader();
  const { grid } = await inspectSources(reader, { sources });
  assert.ok(grid !== undefined);
  const { width, height } = grid;
  const windows = [{ x: 0, y: 0, width, height }];
  const params = LandscapeParams.parse({});
  const { parts } = await computeBatch(
    { reader, createEncoder: createTileEncoder },
    { grid, sources, params, nodes: ['01'], windows, folder },
  );
  const [part] = readPart(parts[0]?.paths[0] ?? '', windows);
  const slope = new Float32Array(new Uint8Array(part?.pixels ?? []).buffer);
  // gdaldem writes into the folder of its input.
  const copy = join(folder, 'dsm.tif');
  await copyFile(path, copy);
  const reference = gdal.dem(join(folder, 'slope.tif'), gdal.open(copy), 'slope', ['-p']);
  const theirs = reference.bands.get(1).pixels.read(0, 0, width, height);
  let [compared, steepest, worst] = [0, 0, 0];
  for (let row = 1; row < height - 1; row += 1) {
    for (let column = 1; column < width - 1; column += 1) {
      const at = row * width + column;
      const wanted = theirs[at] ?? 0;
      compared += 1;
      steepest = Math.max(steepest, wanted);
      worst = Math.max(worst, Math.abs((slope[at] ?? 0) - wanted));
    }
  }
  assert.equal(compared, (283 - 2) * (259 - 2));
  assert.ok(steepest > 500, `${steepest}`);
  assert.ok(worst < 0.001, `${worst}`);
});
