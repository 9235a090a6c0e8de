import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { insertPendingDatasets } from '../../../../test/support/geo/rasters.ts';
import { connectTo } from '../../../../test/support/service-database.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';

const service = await clearedService();
const client = createClient(service.baseUrl);

/** Lists 60 tables in one category and a raster in another. */
async function fillList(): Promise<void> {
  await clear(service.baseUrl);
  const soils = await client.createCategory('soils');
  const relief = await client.createCategory('relief');
  const database = await connectTo(service);
  const ids = await insertPendingDatasets(database, 61);
  await database.query(
    `update datasets set category_id = case made.place when 61 then $2::uuid else $3::uuid end,
       name = 'salinity-' || lpad(made.place::text, 2, '0'),
       file_type = case made.place when 61 then 'raster' else 'vector_with_kato' end
     from unnest($1::uuid[]) with ordinality as made (id, place) where datasets.id = made.id`,
    [ids, relief, soils],
  );
  await database.end();
}

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('keeping order among many datasets', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, { baseUrl: service.baseUrl, language, width }),
    );
    const rows = page.locator('tbody').getByRole('row');
    before(async () => {
      await fillList();
      await page.reload();
    });
    /** Opens a section that narrow windows fold. */
    const unfold = async (label: string) => {
      const summary = page.locator('summary').filter({ hasText: label });
      if ((await summary.count()) > 0) await summary.click();
    };

    test('a list has pages, and the address says which one is shown', async () => {
      await page.getByText(words.datasets.count(61)).waitFor();
      assert.equal(await rows.count(), 50);
      await check('first page');
      await page.getByRole('link', { name: words.datasets.next }).click();
      await page.getByText(words.datasets.page(2, 2)).waitFor();
      assert.match(page.url(), /[?&]page=2/);
      assert.equal(await rows.count(), 11);
      await page.goBack();
      await page.getByText(words.datasets.page(1, 2)).waitFor();
    });

    test('filters stand in the address, so that the list can be shared as a link', async () => {
      await unfold(words.datasets.categories);
      await unfold(words.datasets.filters);
      await page.getByRole('link', { name: 'relief' }).click();
      await page.getByText(words.datasets.count(1)).waitFor();
      await page.getByRole('link', { name: words.datasets.all }).click();
      await page.getByLabel(words.datasets.search).fill('salinity-07');
      // A search begins after a short pause in typing.
      await page.waitForURL(/q=salinity-07/);
      await page.getByText(words.datasets.count(1)).waitFor();
      await page.getByLabel(words.datasets.type).selectOption('vector_with_kato');
      const address = page.url();
      const other = await visit(browser, { baseUrl: address, language, width });
      await other.page.getByRole('link', { name: 'salinity-07' }).waitFor();
      assert.equal(await other.page.getByLabel(words.datasets.search).inputValue(), 'salinity-07');
      await other.check('a list that was sent');
      await other.close();
    });

    test('a period is a filter, too', async () => {
      await page.goto(`${service.baseUrl}/#/datasets?from=2026-01-01&to=2026-12-31`);
      await page.getByText(words.datasets.none).waitFor();
      assert.equal(await page.getByLabel(words.datasets.from).inputValue(), '2026-01-01');
      await page.goto(`${service.baseUrl}/#/datasets?from=yesterday`);
      await page.getByText(words.datasets.count(61)).waitFor();
    });

    test('filters that match nothing are named as the reason, and are removed with one click', async () => {
      await page.getByLabel(words.datasets.search).fill('нет такого');
      await page.getByText(words.datasets.none).waitFor();
      await check('nothing fits');
      await page.getByRole('link', { name: words.datasets.clear }).click();
      await page.getByText(words.datasets.count(61)).waitFor();
    });

    test('the refusal of a file is shown at its link, and the page stays', async () => {
      await page.goto(`${service.baseUrl}/#/datasets?q=salinity-07`);
      await page.getByRole('link', { name: 'salinity-07' }).click();
      const link = page.getByRole('link', { name: words.dataset.original });
      const refused = { status: 429, json: { error: 'слишком много файлов' } };
      await page.route('**/download', async (route) => await route.fulfill(refused));
      await link.click();
      await page.getByRole('alert').filter({ hasText: refused.json.error }).waitFor();
      assert.match(page.url(), /#\/datasets\/[0-9a-f-]{36}$/);
      await page.unroute('**/download');
      await page.route('**/download', async (route) => await route.fulfill({ body: 'original' }));
      const saved = page.waitForEvent('download');
      await link.click();
      assert.equal((await saved).suggestedFilename(), 'raster.tif');
      assert.match(page.url(), /#\/datasets\/[0-9a-f-]{36}$/);
      await page.unroute('**/download');
      await page.goto(`${service.baseUrl}/#/datasets`);
    });

    test('everything can be reached by keyboard alone, beginning with the content', async () => {
      await page.reload();
      await page.getByText(words.datasets.count(61)).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate<string>('document.activeElement.textContent'), words.shell.skip);
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate<string>('document.activeElement.id'), 'main');
    });
  });
}
