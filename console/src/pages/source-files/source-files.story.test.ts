import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
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

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an analyst makes rasters of a climate file', setting), async () => {
    const service = await clearedService();
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${service.baseUrl}/#/source-files`,
        language,
        width,
        // Chromium logs the refusal of a file of another kind.
        expected: /status of 422/,
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
    });

    test('the times of a variable become datasets of a new group', async () => {
      const file = { name: 'era5.nc', mimeType: '', buffer: climate };
      await page.locator('.source-choose input').setInputFiles(file);
      await page.getByRole('button', { name: text.all }).click();
      await page.getByText(text.chosen(12, 12)).waitFor();
      await check('times');
      await takePicture(page, `source-files-times-${language}`);
      await page.getByRole('button', { name: text.make(12) }).click();
      await page.getByRole('link', { name: 't2m 2020-12' }).waitFor();
      await page.getByRole('heading', { name: text.ordered, exact: true }).scrollIntoViewIfNeeded();
      await takePicture(page, `source-files-made-${language}`);
      await check('made');
    });
  });
}
