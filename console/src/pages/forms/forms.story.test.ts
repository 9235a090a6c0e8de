import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const table = await readFile(join(projectRoot, 'examples/population-by-region.geojson'));
const template = join(projectRoot, 'examples/forms/land-balance.xlsx');

/** The texts of the template: headers, sheets and units. */
async function givenNames(): Promise<readonly string[]> {
  const program = await readFile(join(projectRoot, 'examples/forms/make.py'), 'utf8');
  const names = [...program.matchAll(/\p{Script=Cyrillic}[\p{L} ,-]*/gu)].map(([name]) => name);
  return ['land-balance', ...names];
}

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an analyst fills the form of another office', setting), async () => {
    const service = await clearedService();
    const client = createClient(service.baseUrl);
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${service.baseUrl}/#/datasets`,
        language,
        width,
        // Chromium logs the refusal of a workbook that is none.
        expected: /status of 422/,
        given: await givenNames(),
      }),
    );
    const { forms: text } = allWords[language];
    before(async () => {
      await clear(service.baseUrl);
      const category = await client.createCategory('registers');
      const { body: group } = await client.json<{ id: string }>('/dataset-groups', {
        method: 'POST',
        body: JSON.stringify({ code: 'registers', name: 'Регистры' }),
      });
      const id = await client.upload(category, 'vector_with_kato', new File([table], 'population.geojson'), {
        dg_id: group.id,
        name: 'Население',
      });
      const status = async (wanted: string) =>
        await eventually(wanted, async () => (await client.status(id)).status === wanted || undefined);
      await status('awaiting_mapping');
      const years = ['2022', '2023'].map((year) => ({ column: year, start_date: `${year}-01-01` }));
      await client.map(id, { kato_column: 'kato', year_columns: years });
      await status('ready');
      await page.goto(`${service.baseUrl}/#/datasets?group=${group.id}`);
    });

    test('a file that is not a workbook is refused with a sentence', async () => {
      await page.getByRole('button', { name: words.datasets.forms }).click();
      await page.getByText(text.none).waitFor();
      const file = { name: 'notes.xlsx', mimeType: '', buffer: Buffer.from('no workbook') };
      await page.locator('.form-file input').setInputFiles(file);
      await page.getByRole('alert').filter({ hasText: '.xlsx' }).waitFor();
      await check('no workbook');
    });

    test('a template shows its fields, and is filled', async () => {
      await page.locator('.form-file input').setInputFiles(template);
      await page.getByRole('button', { name: `${text.fill}: land-balance.xlsx` }).click();
      const field = 'Пашня';
      await page.getByLabel(`${text.source}: ${field}`).selectOption({ label: 'Население' });
      await page.getByLabel(`${text.values}: ${field}`).selectOption({ label: '2023' });
      await check('fields');
      await page.locator('.form-fields').scrollIntoViewIfNeeded();
      await takePicture(page, `forms-fields-${language}`);
      await page.getByRole('button', { name: text.make }).click();
      const made = page.locator('.forms .notice');
      await made.getByText(text.filled(20)).waitFor();
      await made.scrollIntoViewIfNeeded();
      await takePicture(page, `forms-filled-${language}`);
      await check('filled');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        made.getByRole('link', { name: text.download }).click(),
      ]);
      assert.match(download.suggestedFilename(), /^land-balance \d{4}-\d{2}-\d{2}\.xlsx$/);
    });

    test('a template is deleted', async () => {
      await page.getByRole('button', { name: `${text.remove}: land-balance.xlsx` }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.remove }).click();
      await page.getByText(text.none).waitFor();
    });
  });
}
