import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { ru } from '../map/words/ru.ts';
import { visit } from '../../../test/support/browser/browser.ts';
import { createClient } from '../../../test/support/client.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { addStyle, classColours, classes } from '../../../test/console/map-data.ts';
import { drawn, placesOf } from '../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedService } from '../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const browser = await sharedBrowser();
const folder = await temporaryFolder();
const client = createClient(baseUrl);
const category = await client.createCategory('codecs');
/** Like the classes of the other maps, but with fractions, and across the edges of tiles. */
const values = [1.25, 2.25, 3.25, 4.25, 5.25];
const width = 1200;
const columnsOfClass = width / values.length;
const [x0, dx, dxRow, y0, dyColumn, dy] = classes.affine;
/** A third of the columns and rows, so that the raster covers the same area as the other maps. */
const affine = [x0, dx / 3, dxRow, y0, dyColumn, dy / 3] as const;

/** Writes a COG with GDAL's own driver; returns its path. */
function makeCog(codec: string): string {
  const plain = join(folder, `${codec}.plain.tif`);
  writeRaster(plain, {
    width,
    height: 900,
    affine,
    epsg: classes.epsg,
    noData: -9999,
    value: (column, row) =>
      column < 60 && row < 60 ? -9999 : (values[Math.floor(column / columnsOfClass)] ?? Number.NaN),
  });
  const source = gdal.open(plain);
  const path = join(folder, `${codec}.tif`);
  gdal.drivers.get('COG').createCopy(path, source, { COMPRESS: codec, MAX_Z_ERROR: '0' }).close();
  source.close();
  return path;
}

async function upload(codec: string): Promise<string> {
  const file = new File([await readFile(makeCog(codec))], `${codec}.tif`);
  const id = await client.upload(category, 'raster', file);
  await eventually('ready', async () => ((await client.status(id)).status === 'ready' ? id : undefined));
  await addStyle(baseUrl, id, values);
  return id;
}

async function cogOf(id: string): Promise<unknown> {
  const report: { raster: { cog: { passed_through: boolean; compression: string } } } = JSON.parse(
    await (await fetch(`${baseUrl}/datasets/${id}/report`)).text(),
  );
  const { passed_through: isKept, compression } = report.raster.cog;
  return { isKept, compression };
}

describe('a raster whose codec runs in WebAssembly', () => {
  for (const codec of ['ZSTD', 'LERC', 'LERC_DEFLATE', 'LERC_ZSTD']) {
    test(`${codec} is kept, and drawn under the policy of the worker`, async () => {
      const id = await upload(codec);
      assert.deepEqual(await cogOf(id), { isKept: true, compression: codec });
      const workers: string[] = [];
      const { page, checkFaults, close } = await visit(browser, {
        baseUrl: `${baseUrl}/#/map?l=${id}`,
        language: 'ru',
        before: (opened) => {
          opened.on('response', (response) => {
            const { 'content-security-policy': policy = '' } = response.headers();
            if (/\/assets\/worker-[^/]*\.js$/.test(response.url())) workers.push(policy);
          });
        },
      });
      assert.deepEqual([...(await drawn(page)).keys()].toSorted(), classColours.toSorted());
      // Only scripts of the service, WebAssembly, and the blob URLs of its workers.
      assert.deepEqual(workers, [
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' data:",
      ]);
      const [first = '', , middle = '', , last = ''] = classColours;
      const { left } = await placesOf(page, first);
      for (const [[x, y], said] of [
        [(await placesOf(page, middle)).middle, 'S3 (3,25)'],
        [(await placesOf(page, last)).middle, 'S5 (5,25)'],
        // No data lies above the first class, whose meridians lean to the west.
        [[left[0] + 20, left[1] - 20], ru.noData],
      ] as const) {
        await page.mouse.move(x, y);
        await page.locator('.map-readings').getByText(`${codec}.tif: ${said}`).waitFor();
      }
      checkFaults(codec);
      await close();
    });
  }
});
