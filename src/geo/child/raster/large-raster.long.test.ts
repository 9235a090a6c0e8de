import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { openTestEngine } from '../../../../test/support/geo/engine.ts';

const deadlineSeconds = 3;
const folder = await temporaryFolder();

/** A raster without stored pixels: a file of kilobytes, of which every pixel is still read. */
async function sparse(width: number, height: number): Promise<string> {
  const path = join(folder, `${width}-${height}.tif`);
  const options = ['SPARSE_OK=TRUE', 'TILED=YES', 'BLOCKXSIZE=512', 'BLOCKYSIZE=512', 'COMPRESS=DEFLATE'];
  const raster = await gdal.openAsync(path, 'w', 'GTiff', width, height, 1, gdal.GDT_Byte, options);
  raster.srs = gdal.SpatialReference.fromEPSG(32_642);
  raster.geoTransform = [300_000, 10, 0, 5_500_000, 0, -10];
  raster.close();
  return path;
}

test('a raster of over a billion values has time for them beyond that of every file, and tells its progress', async () => {
  const engine = await openTestEngine({ deadlineSeconds });
  const path = await sparse(32_768, 31_000);
  assert.ok((await stat(path)).size < 100_000);
  const told: number[] = [];
  const begun = performance.now();
  const onProgress = (share: number): void => void told.push(share);
  const { findings } = await engine.run(
    async (geo, task) => await geo.convertRaster({ ...task, onProgress }),
    path,
  );
  assert.equal(findings.raster?.width, 32_768);
  assert.ok(performance.now() - begun > deadlineSeconds * 1000);
  assert.ok(told.length >= 3 && told.every((share) => share > 0 && share <= 1), told.join(' '));
  assert.deepEqual(
    told,
    told.toSorted((one, other) => one - other),
  );
  await engine.close();
});

test('a raster of fewer values has not', async () => {
  const engine = await openTestEngine({ deadlineSeconds });
  const converting = engine.run((geo, task) => geo.convertRaster(task), await sparse(32_768, 30_000));
  await assert.rejects(converting, /minute/);
  await engine.close();
});
