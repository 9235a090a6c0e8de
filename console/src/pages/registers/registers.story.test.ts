import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registers as en } from './words/en.ts';
import { registers as kk } from './words/kk.ts';
import { registers as ru } from './words/ru.ts';
import type { DatasetAreas } from '../../../../src/areas/areas-schema.ts';
import type { RegisterComparison } from '../../../../src/registers/schema.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedMaps, sharedService } from '../../../../test/console/shared.ts';

const wordsOf = { en, ru, kk };
const { baseUrl } = await sharedService();
const { raster } = await sharedMaps();
const client = createClient(baseUrl);

/** Hectares of the raster, which the service may have to count first. */
const areas = await eventually('the areas', async () => {
  const { status, body } = await client.json<DatasetAreas>(`/datasets/${raster}/areas?wait=20`);
  return status === 200 && body;
});
const inside = areas.rows.filter(({ classes }) => (classes['2'] ?? 0) > 1000);
const tableName = 'Земельный баланс';

/** A balance of the districts of the raster in thousand hectares, one of them with a text and another one missing. */
async function uploadBalance(): Promise<string> {
  const [text, missing, ...others] = inside;
  assert.ok(text !== undefined && missing !== undefined && others.length > 3);
  const values = [
    [text.kato, 'н/д'],
    ['630000000', 12.5],
    ...others.map(({ kato, classes }, index) => [
      kato,
      Math.round(((classes['2'] ?? 0) * (0.7 + 0.05 * (index % 13))) / 100) / 10,
    ]),
  ];
  const features = values.map(([kato, value]) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, '2022': value, '2023': value },
  }));
  const category = await client.createCategory('registers');
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features })], 'balance.geojson');
  const id = await client.upload(category, 'vector_with_kato', file, { name: tableName, unit: 'тыс. га' });
  const until = async (wanted: string) =>
    await eventually(wanted, async () => (await client.status(id)).status === wanted);
  await until('awaiting_mapping');
  await client.map(id, {
    kato_column: 'kato',
    year_columns: ['2022', '2023'].map((column) => ({ column, start_date: `${column}-11-01` })),
  });
  await until('ready');
  return id;
}
const balance = await uploadBalance();

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner lays two registers side by side', setting), async () => {
    const text = wordsOf[language];
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#/datasets/${balance}`,
        language,
        width,
        expected: /status of 422/,
        given: [tableName, 'classes', 'S1', 'S2', 'S3', 'S4', 'S5'],
      }),
    );
    const rows = page.locator('.register-table tbody tr');
    const plain = (written: string) => written.replaceAll('\u00a0', ' ');

    test('from the page of a table, another register is chosen, and a unit of measurement is not converted by itself', async () => {
      await page.getByRole('link', { name: words.dataset.compareRegisters }).click();
      await page.waitForURL(`**/#/registers/${balance}`);
      await page.getByText(text.choose).waitFor();
      await check('one register');
      const second = page.getByRole('group', { name: text.side.b });
      await second.getByLabel(text.dataset).selectOption(raster);
      await page.waitForURL(`**/#/registers/${balance}/${raster}`);
      await page.getByText(text.failed).waitFor();
      await page
        .getByText(/тыс\. га/)
        .first()
        .waitFor();
      await check('a refusal');
      const factor = page.getByRole('group', { name: text.side.a }).getByLabel(text.factor);
      await factor.fill('тысяча');
      await factor.press('Tab');
      await page.getByText(text.wrongFactor).waitFor();
      await factor.fill('1000');
      await factor.press('Tab');
      await page.waitForURL(/a_factor=1000/);
      await rows.first().waitFor();
    });

    test('the classes that count are chosen, and the table begins with the largest difference', async () => {
      const second = page.getByRole('group', { name: text.side.b });
      for (const name of ['S1', 'S3', 'S4', 'S5']) {
        await second.getByLabel(name).click();
        await page.waitForURL(name === 'S1' ? /b_class=2%2C3%2C4%2C5/ : /b_class=/);
        await eventually(`${name} is off`, async () => !(await second.getByLabel(name).isChecked()));
      }
      await page.waitForURL(/b_class=2(?:&|$)/);
      const { body } = await client.json<RegisterComparison>(
        `/datasets/${balance}/compare/${raster}?a_factor=1000&b_class=2&lang=${language}`,
      );
      const [largest] = body.rows;
      assert.ok(largest !== undefined && body.total.units > 3 && body.by === 'district');
      await eventually('the largest difference first', async () =>
        plain(await rows.first().textContent().then(String)).includes(largest.kato),
      );
      const factor = body.reasons.find(({ code }) => code === 'factor');
      await page.getByText(factor?.text ?? assert.fail()).waitFor();
      await drawn(page);
      await check('a comparison');
      await page.evaluate('scrollTo(0, 0)');
      await takePicture(page, `registers-${language}`);
    });

    test('a unit is shown on the map, and a unit of the map leads to its row', async () => {
      const button = rows.first().getByRole('button');
      await button.click();
      await page.waitForURL(/unit=\d{9}/);
      await rows.first().and(page.locator('.is-chosen')).waitFor();
      await drawn(page);
      await page.getByRole('heading', { name: text.map }).scrollIntoViewIfNeeded();
      await takePicture(page, `registers-map-${language}`);
      await check('a chosen unit');
      await button.click();
      await page.getByRole('button', { name: text.levels.region }).click();
      await page.waitForURL(/by=region/);
      await rows.first().waitFor();
      await page.getByRole('button', { name: text.levels.district }).click();
    });

    test('files, sheet and report are those of the comparison, and the registers can be swapped', async () => {
      for (const [label, type] of [
        [text.csv, /^text\/csv/],
        [text.xlsx, /spreadsheetml/],
        [text.sheet, /^application\/pdf/],
        [text.report, /^text\/html/],
      ] as const) {
        const href = await page.getByRole('link', { name: label }).getAttribute('href');
        const answer = await fetch(new URL(href ?? '', baseUrl));
        assert.equal(answer.status, 200, href ?? '');
        assert.match(answer.headers.get('content-type') ?? '', type);
        assert.ok((await answer.bytes()).length > 1000);
      }
      await page.getByRole('button', { name: text.swap }).click();
      await page.waitForURL(new RegExp(`registers/${raster}/${balance}\\?.*b_factor=1000`));
      await rows.first().waitFor();
      await check('swapped');
    });

    test('the areas of a raster lead to the same page', async () => {
      await page.goto(`${baseUrl}/#/datasets/${raster}?areas=district`);
      await page.getByRole('link', { name: words.dataset.compareRegisters }).click();
      await page.waitForURL(new RegExp(`registers/${raster}`));
      await page.getByText(text.choose).waitFor();
    });
  });
}
