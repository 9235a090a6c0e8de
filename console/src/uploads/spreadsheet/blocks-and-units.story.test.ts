import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { en as columnsEn } from '../../pages/columns/words/en.ts';
import { kk as columnsKk } from '../../pages/columns/words/kk.ts';
import { ru as columnsRu } from '../../pages/columns/words/ru.ts';
import { statusNames } from '../../words/statuses.ts';
import { en } from './words/en.ts';
import { kk } from './words/kk.ts';
import { ru } from './words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { workbook } from '../../../../test/support/tables/workbooks.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';

const tableWords = { en, ru, kk };
const columnsWords = { en: columnsEn, ru: columnsRu, kk: columnsKk };

/** Crops below regions, the unit in the years, signs and their meanings below the table. */
const sown = workbook([
  {
    name: '1',
    rows: [
      ['Посевные площади сельскохозяйственных культур'],
      ['КАТО', 'Область', '2021, га', '2022, тыс. га', '2023, тыс. га'],
      ['110000000', 'Акмолинская', 4903200, 4951.7, '4 998,2*'],
      [null, 'из них: пшеница', 3500100, 3510.4, '3 600,5*'],
      ['390000000', 'Костанайская', 5120400, '5 133,8 р.', 'х'],
      [null, 'из них: пшеница', 4100000, '…', '-'],
      ['* Предварительные данные.'],
      ['«х» – данные конфиденциальны.'],
    ],
  },
]);

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a statistician sends a table with crops below regions', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { baseUrl } = await clearedService();
    const { page, check } = await closeAfterTests(visit(browser, { baseUrl, language, width }));
    before(async () => {
      await clear(baseUrl);
      await page.reload();
    });
    const text = tableWords[language];
    const columns = columnsWords[language];
    const dialog = page.getByRole('dialog');

    test('crops become columns, and signs become remarks', async () => {
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'Посевы.xlsx',
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(sown),
        });
      await dialog.getByLabel(text.columnRole('пшеница 2022, тыс. га'), { exact: true }).waitFor();
      await dialog.getByText(text.unitsDiffer(['га', 'тыс. га'])).waitFor();
      assert.equal(await dialog.getByLabel(text.unit).inputValue(), '');
      await dialog.locator('summary').first().click();
      await dialog.getByText(statusNames[language].confidential, { exact: false }).first().waitFor();
      await check('crops below regions');
    });

    test('units are converted when a person says so, and the map says what the table says', async () => {
      await dialog.getByRole('button', { name: text.send }).click();
      await page.waitForURL(/#\/datasets\/[\da-f-]{36}\/columns/);
      const id = /datasets\/([\da-f-]{36})/.exec(page.url())?.[1] ?? assert.fail(page.url());
      // Columns of one unit are suggested; a person adds the year that was counted in another.
      await page.getByLabel(columns.role('2021, га'), { exact: true }).selectOption('value');
      await page.getByText(columns.unitsDiffer(['га', 'тыс. га'])).waitFor();
      await page.getByLabel(columns.convertTo('тыс. га')).check();
      await page
        .getByText(columns.converted('га', language === 'en' ? '0.001' : '0,001', 'тыс. га'))
        .waitFor();
      await check('units that differ');
      await page.getByRole('button', { name: columns.extract('2', '4').split(/\d/)[0] ?? '' }).click();
      const read = async (path: string) =>
        Object(await (await fetch(`${baseUrl}/datasets/${id}${path}`)).json());
      await eventually('the dataset is ready', async () => (await read('')).status === 'ready');
      const { data } = await read('/observations?remarks=1&kato_code=390000000');
      const found = data.map((each: Record<string, unknown>) => [
        each['value'],
        each['unit'],
        each['status'],
      ]);
      assert.deepEqual(found, [
        [5120.4, 'тыс. га', null],
        [5133.8, 'тыс. га', 'revised'],
        [null, 'тыс. га', 'confidential'],
      ]);
      assert.equal((await read('')).unit, 'тыс. га');
      await page.goto(`${baseUrl}/#/map?l=${id}&unit=390000000`);
      await page.locator('.map-legend li').first().waitFor();
      const said = page.locator('.map-card').getByText(statusNames[language].confidential);
      // Until the map has moved to the region, its middle is in another one.
      await eventually('the card of the region', async () => {
        await page.getByRole('application').press('Enter');
        return await said.isVisible();
      });
      await check('the map of a table with remarks');
    });
  });
}
