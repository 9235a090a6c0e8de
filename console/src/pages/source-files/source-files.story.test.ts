import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { hostileZip } from '../../../../test/support/hostile/hostile-zip.ts';
import { netcdfFile } from '../../../../test/support/geo/netcdf-files.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';
import { sourceFiles as en } from './words/en.ts';
import { sourceFiles as kk } from './words/kk.ts';
import { sourceFiles as ru } from './words/ru.ts';

const allWords = { en, ru, kk };
const lat = Array.from({ length: 40 }, (_, index) => 40 + index * 0.4);
const lon = Array.from({ length: 100 }, (_, index) => 46 + index * 0.4);
const climate = netcdfFile({ time: 12, lat: 40, lon: 100 }, [
  { name: 'lat', type: 'float64', dimensions: ['lat'], attributes: { units: 'degrees_north' }, values: lat },
  { name: 'lon', type: 'float64', dimensions: ['lon'], attributes: { units: 'degrees_east' }, values: lon },
  {
    name: 'time',
    type: 'int32',
    dimensions: ['time'],
    attributes: { units: 'days since 2020-01-01', calendar: 'standard' },
    values: [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335],
  },
  {
    name: 't2m',
    type: 'float32',
    dimensions: ['time', 'lat', 'lon'],
    attributes: { units: 'K', long_name: 't2m' },
    values: Array.from({ length: 12 * 4000 }, (_, index) => 250 + (index % 4000) / 100),
  },
]);

const grid = (left: number, size: number): string =>
  `ncols 2\nnrows 2\nxllcorner ${left}\nyllcorner 5400000\ncellsize ${size}\n1 2\n3 4\n`;
const archive = hostileZip([
  { name: 'heights/N47E066.asc', bytes: grid(500_000, 30) },
  { name: 'heights/N47E067.asc', bytes: grid(500_030, 30) },
  { name: 'heights/coarse.asc', bytes: grid(500_090, 90) },
]);

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an analyst makes rasters of a climate file', setting), async () => {
    const service = await clearedService();
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${service.baseUrl}/#/source-files`,
        language,
        width,
        // Chromium logs refusals, and the answer that is lost.
        expected: /status of (?:422|409)|ERR_FAILED/,
        given: [
          'era5',
          'climate',
          'notes',
          'nc',
          'file',
          't2m',
          'NetCDF',
          'GRIB',
          'HDF',
          'Erdas',
          'Imagine',
          'ASCII',
          'standard',
          'EPSG',
          'img',
          'asc',
          'GeoTIFF',
          'ZIP',
          'zip',
          'heights',
          'asc',
          'N47E066',
          'N47E067',
          'coarse',
          'band',
          'Band',
        ],
      }),
    );
    const text = allWords[language];
    before(async () => {
      await clear(service.baseUrl);
      await createClient(service.baseUrl).createCategory('climate');
      await page.goto(`${service.baseUrl}/#/source-files`);
    });

    test('a file of another kind is refused with a sentence', async () => {
      await page.getByText(text.none).waitFor();
      const file = { name: 'notes.nc', mimeType: '', buffer: Buffer.from('no climate') };
      await page.locator('.source-choose input').setInputFiles(file);
      await page.getByRole('alert').filter({ hasText: 'NetCDF' }).waitFor();
      await check('refused');
      await page.getByRole('button', { name: `${words.upload.dismiss}: notes.nc` }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    test('the times of a variable become datasets of a new group', async () => {
      const file = { name: 'era5.nc', mimeType: '', buffer: climate };
      await page.locator('.source-choose input').setInputFiles(file);
      await page.getByRole('button', { name: text.all }).click();
      await page.getByText(text.chosen(12, 12)).waitFor();
      await check('times');
      await takePicture(page, `source-files-times-${language}`);
      // The group is made, but the page does not learn of it.
      let isLost = false;
      await page.route('**/dataset-groups', async (route) => {
        if (isLost || route.request().method() !== 'POST') return await route.fallback();
        isLost = true;
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: text.make(12) }).click();
      await page.getByRole('alert').filter({ hasText: words.failure.uncertain }).waitFor();
      await page.getByRole('button', { name: text.make(12) }).click();
      await page.getByRole('link', { name: 't2m 2020-12' }).waitFor();
      const client = createClient(service.baseUrl);
      const { body: groups } = await client.json<{ data: { name: string }[] }>(
        '/dataset-groups?page_size=100',
      );
      assert.equal(groups.data.filter(({ name }) => name === 't2m').length, 1, 'no second group');
      await page.getByRole('heading', { name: text.ordered, exact: true }).scrollIntoViewIfNeeded();
      await takePicture(page, `source-files-made-${language}`);
      await check('made');
    });

    test('the tiles of an archive become one raster, on the grid that is chosen', async () => {
      await page.goto(`${service.baseUrl}/#/source-files`);
      const file = { name: 'heights.zip', mimeType: '', buffer: archive };
      await page.locator('.source-choose input').setInputFiles(file);
      await page.getByText(text.severalGrids(2)).waitFor();
      await page.getByLabel(text.crs).fill('EPSG:32642');
      await check('tiles');
      await page.getByRole('group', { name: text.tiles }).scrollIntoViewIfNeeded();
      await takePicture(page, `source-files-tiles-${language}`);
      await page.getByLabel(text.seek).fill('N4');
      await page.getByRole('button', { name: text.onlyShown }).click();
      await page.getByText(text.severalGrids(2)).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: text.make(1) }).click();
      await page.getByRole('link', { name: 'heights', exact: true }).waitFor();
      await page.getByText(text.mosaicTiles(2)).waitFor();
      await takePicture(page, `source-files-mosaic-${language}`);
      await check('mosaic');
    });
  });
}
