import { formatShare } from '../../../../common/formats/shares.ts';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const table = await readFile(join(projectRoot, 'examples/population-by-region.geojson'));

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a GIS officer keeps categories and groups', setting), async () => {
    const service = await clearedService();
    const client = createClient(service.baseUrl);
    let full = '';
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${service.baseUrl}/#/catalogue`,
        language,
        width,
        // Chromium logs the refusal to delete a category that is not empty.
        expected: /status of 409/,
      }),
    );
    const { catalogue, dataset } = words;
    const dialog = page.getByRole('dialog');
    before(async () => {
      await clear(service.baseUrl);
      full = await client.createCategory('relief');
      await client.upload(full, 'vector_with_kato', new File([table], 'population.geojson'));
      await page.reload();
    });

    test('a new category gets a code of its name', async () => {
      await page.getByRole('heading', { level: 1, name: catalogue.title }).waitFor();
      await check('catalogue');
      await page.getByRole('button', { name: catalogue.newCategory }).click();
      await dialog.getByLabel(dataset.name, { exact: true }).fill('Засоление почв');
      await check('new category');
      await dialog.getByRole('button', { name: dataset.save }).click();
      await page.getByRole('link', { name: 'Засоление почв' }).waitFor();
      await page.getByText('zasolenie-pochv', { exact: true }).waitFor();
    });

    test('it moves below another one, and gets another name', async () => {
      await page.getByRole('button', { name: `${dataset.edit}: Засоление почв` }).click();
      await dialog.getByLabel(dataset.name, { exact: true }).fill('Солонцы');
      await dialog.getByLabel(catalogue.parent).selectOption(full);
      await dialog.getByRole('button', { name: dataset.save }).click();
      await page.locator('.entries .entries').getByRole('link', { name: 'Солонцы' }).waitFor();
      const answer = await fetch(`${service.baseUrl}/categories?parent_id=${full}`);
      const found: readonly { code: string; name: string }[] = JSON.parse(await answer.text());
      assert.deepEqual(
        found.map(({ code, name }) => [code, name]),
        [['zasolenie-pochv', 'Солонцы']],
      );
    });

    test('what is not empty stays, with the reason', async () => {
      await page.getByRole('button', { name: `${dataset.remove}: relief` }).click();
      await dialog.getByRole('button', { name: dataset.remove }).click();
      await dialog
        .getByRole('alert')
        .filter({ hasText: words.selection.unchanged(1) })
        .waitFor();
      await check('refused');
      await dialog.getByRole('button', { name: words.shell.cancel }).click();
      await page.getByRole('button', { name: `${dataset.remove}: Солонцы` }).click();
      await dialog.getByRole('button', { name: dataset.remove }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Солонцы' }).waitFor({ state: 'detached' });
    });

    test('a group has a cadence or none, and leads to its datasets', async () => {
      await page.getByRole('button', { name: catalogue.newGroup }).click();
      await dialog.getByLabel(dataset.name, { exact: true }).fill('Индекс растительности');
      await dialog.getByRole('button', { name: dataset.save }).click();
      await page.getByRole('button', { name: `${catalogue.cadence.edit}: Индекс растительности` }).click();
      await dialog.getByLabel(catalogue.cadence.every, { exact: true }).fill('3');
      await dialog.locator('select[name=every_unit]').selectOption('M');
      await check('cadence');
      await dialog.getByRole('button', { name: dataset.save }).click();
      await page.getByText(catalogue.cadence.empty).waitFor();
      await check('a group without data');
      const { cadence } = catalogue;
      await page.getByRole('button', { name: `${cadence.edit}: Индекс растительности` }).click();
      assert.equal(await dialog.getByLabel(cadence.every, { exact: true }).inputValue(), '3');
      await dialog.getByRole('button', { name: cadence.remove }).click();
      await page.getByText(cadence.empty).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Индекс растительности' }).click();
      await page.getByText(words.datasets.none).waitFor();
      assert.match(page.url(), /[?&]group=/);
    });

    test('a group has a table by district, which is switched on, changed and off', async () => {
      const { series: text } = allWords[language];
      await page.getByRole('button', { name: words.datasets.overTime }).click();
      await page.getByText(text.states.off, { exact: true }).waitFor();
      assert.match(page.url(), /[?&]series=1/);
      await check('over time, off');
      await page.getByRole('button', { name: text.switchOn }).click();
      await dialog.getByLabel(text.shown).selectOption('p90');
      await dialog.getByLabel(text.minimum).fill('75');
      await check('what the table holds');
      const sum = dialog.getByRole('checkbox', { name: text.stats.sum });
      await sum.check();
      assert.notEqual(await dialog.getByLabel(text.count).getAttribute('required'), null);
      await sum.uncheck();
      await dialog.getByRole('button', { name: text.switchOn }).click();
      await page.getByText(text.states.up_to_date, { exact: true }).waitFor();
      await page.getByText(text.atLeast(formatShare(0.75, language))).waitFor();
      // As for a group whose rasters are being counted.
      const left_out = ['waiting', 'failed'].map((state, i) => ({
        dataset_id: full,
        name: `Растр ${i}`,
        start_date: null,
        end_date: null,
        state,
        message: '…',
      }));
      await page.route('**/zonal', async (route) => {
        if (route.request().method() !== 'GET') return await route.fallback();
        const answer = await (await route.fetch()).json();
        const shown = { state: 'failed', dataset_id: full, districts_version: 2, left_out };
        await route.fulfill({ json: { ...answer, ...shown } });
      });
      await page.reload();
      await page.getByText(text.states.failed, { exact: true }).waitFor();
      await page.getByText('Растр 1').waitFor();
      assert.match(
        (await page.getByRole('link', { name: text.onMap }).getAttribute('href')) ?? '',
        new RegExp(full),
      );
      await check('over time, not complete');
      await page.unroute('**/zonal');
      await page.reload();
      await page.getByRole('button', { name: text.switchOff }).click();
      await dialog.getByRole('button', { name: text.switchOff }).click();
      await page.getByText(text.states.off, { exact: true }).waitFor();
    });
  });
}
