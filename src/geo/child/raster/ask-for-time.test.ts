import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { freeRasterValues, maxRasterValues } from '../../child-program.ts';
import { askForTime } from './ask-for-time.ts';
import { NeedsTime } from '../../gdal/progress.ts';

const folder = await temporaryFolder();

/** A raster without a stored pixel. */
async function sparse(side: number, bands = 1): Promise<string> {
  const path = join(folder, `${side}-${bands}.tif`);
  const options = ['SPARSE_OK=TRUE', 'TILED=YES', 'BLOCKXSIZE=8192', 'BLOCKYSIZE=8192', 'BIGTIFF=YES'];
  const raster = await gdal.openAsync(path, 'w', 'GTiff', side, side, bands, gdal.GDT_Byte, options);
  raster.close();
  return path;
}

test('a raster of more values than there is time for asks for the time, before GDAL opens it', async () => {
  const [small, large] = [await sparse(30_000), await sparse(20_000, 3)];
  await askForTime([small], freeRasterValues);
  const needs = (values: number) => (error: unknown) => error instanceof NeedsTime && error.values === values;
  await assert.rejects(askForTime([large], freeRasterValues), needs(1.2e9));
  await assert.rejects(askForTime([small, small], freeRasterValues), needs(1.8e9));
  await askForTime([small, large], 2.1e9);
});

test('what will be refused asks for nothing', async () => {
  const path = join(folder, 'no.tif');
  await writeFile(path, 'II*\0 no TIFF');
  await askForTime([path, await sparse(300_000)], 0);
  assert.ok(300_000 ** 2 > maxRasterValues);
});
