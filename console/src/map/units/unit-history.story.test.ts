import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { en } from '../words/en.ts';
import { kk } from '../words/kk.ts';
import { ru } from '../words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const mapWords = { en, ru, kk };

/** Values of 2019, 2021, 2023 and 2024 by code: codes valid before 2022, after 2022, and of a district that was split. */
const table: Readonly<Record<string, readonly (number | null)[]>> = {
  '193200000': [36, 37, null, null],
  '333200000': [null, null, 39, 40],
  '193400000': [70, 71, null, null],
  '333400000': [null, null, 73, 74],
  '635800000': [38, 37, 14, 13],
  '103400000': [null, null, 21, 20],
  '635000000': [32, 31, null, null],
  '104400000': [null, null, 18, 17],
  '634600000': [37, null, 36, 35],
  '634000000': [61, 61, 60, 59],
};
const years = [2019, 2021, 2023, 2024];

async function uploadTable(): Promise<string> {
  const client = createClient(baseUrl);
  const features = Object.entries(table).map(([kato, values]) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, ...Object.fromEntries(years.map((year, at) => [`y${year}`, values[at]])) },
  }));
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  const category = await client.createCategory(`units-${randomUUID()}`);
  const file = new File([text], 'units.geojson');
  const id = await client.upload(category, 'vector_with_kato', file);
  const become = async (wanted: string) =>
    await eventually(wanted, async () => ((await client.status(id)).status === wanted ? id : undefined));
  await become('awaiting_mapping');
  const columns = years.map((year) => ({
    column: `y${year}`,
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  }));
  await client.map(id, { kato_column: 'kato', year_columns: columns });
  return await become('ready');
}

const id = await uploadTable();
const tarbagatai = 'at=47.1894,83.7621,7';
const aksuat = 'at=47.6524,82.5038,7';

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  const words = mapWords[language].unitTime;
  describe(titleOf('units that were others are told apart', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, { baseUrl: `${baseUrl}/#/map?l=${id}&${tarbagatai}&date=2021-01-01`, language, width }),
    );
    const legend = page.locator('.map-legend');
    const card = page.locator('.map-card');

    test('the legend has three signs for three reasons, and says what was carried over', async () => {
      const colours = await drawn(page);
      for (const reason of ['empty', 'absent', 'outside'] as const)
        await legend.locator('.no-data').filter({ hasText: words[reason] }).waitFor();
      assert.ok(colours.has('#b9b9b2'), 'the ink of stripes and dots');
      if (width > 360) assert.ok(colours.has('#f4f4f0'), 'the paper of what is not in the table');
      await legend.getByText(words.broken(1)).waitFor();
      await legend.getByText(words.older(2)).waitFor();
      await legend.getByText(/635000000/).waitFor();
      await check('legend of units through time');
    });

    test('the card of a district that was split marks the break, and tells its history', async () => {
      await page.getByRole('application').press('Enter');
      await card.locator('.map-chart line.break').waitFor({ state: 'attached' });
      await card.locator('summary', { hasText: words.title }).click();
      await card.getByRole('link', { name: words.decree('886') }).waitFor();
      await takePicture(page, `unit-history-${language}-${width}`);
      await check('history of a unit');
    });

    test('the table marks the break, and says where there was no such unit', async () => {
      await card.getByRole('button', { name: mapWords[language].table }).click();
      const mark = page.locator('.map-table .break');
      await mark.waitFor();
      assert.equal(await mark.count(), 1);
      const row = page.locator('.map-table tr', { hasText: '103400000' });
      assert.equal(await row.getByText(words.absent).count(), 2);
      const carried = page.locator('.map-table tr', { hasText: '333200000' });
      assert.deepEqual((await carried.locator('td').allTextContents()).slice(1), ['36', '37', '39', '40']);
      await check('table of units through time');
    });

    test('a unit that was not there yet says so', async () => {
      await page.goto(`${baseUrl}/#/map?l=${id}&${aksuat}&date=2021-01-01`);
      await page.reload();
      await drawn(page);
      await page.getByRole('application').press('Enter');
      await card.locator('strong', { hasText: words.absent }).waitFor();
      await check('a unit of later');
    });
  });
}
