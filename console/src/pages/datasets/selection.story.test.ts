import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const service = await sharedService();
const client = createClient(service.baseUrl);
const table = await readFile(join(projectRoot, 'examples/population-by-region.geojson'));
const archive = await client.createCategory('archive');

async function countIn(category: string): Promise<number> {
  const answer = await fetch(`${service.baseUrl}/datasets?category_id=${category}`);
  const { total }: { total: number } = Object(await answer.json());
  return total;
}

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('several datasets are moved and deleted at once', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const category = await client.createCategory(`drafts-${language}`);
    const names = ['one', 'two', 'three'].map((name) => `${name}-${language}`);
    for (const name of names)
      await client.upload(category, 'vector_with_kato', new File([table], `${name}.geojson`));
    const { page, words, check } = await closeAfterTests(
      visit(browser, { baseUrl: `${service.baseUrl}/#/datasets?category=${category}`, language, width }),
    );
    const { datasets, selection, shell } = words;
    const dialog = page.getByRole('dialog');

    test('nothing is offered before a row is selected', async () => {
      await page.getByText(datasets.count(3)).waitFor();
      assert.equal(await page.getByRole('button', { name: selection.remove }).count(), 0);
    });

    test('one row is moved to another category', async () => {
      const before = await countIn(archive);
      await page.getByLabel(`${selection.select}: ${names[0]}`).check();
      await page.getByText(selection.selected(1), { exact: true }).waitFor();
      await check('selection');
      await page.getByRole('button', { name: selection.move }).click();
      await dialog.getByLabel(selection.moveTo).selectOption({ label: 'archive' });
      await check('move dialog');
      await dialog.getByRole('button', { name: selection.move }).click();
      await page.getByText(datasets.count(2)).waitFor();
      assert.equal(await countIn(archive), before + 1);
    });

    test('all rows are selected, and stay when their deletion is cancelled', async () => {
      if (width > 860) await page.getByLabel(selection.selectAll).check();
      else for (const name of names.slice(1)) await page.getByLabel(`${selection.select}: ${name}`).check();
      await page.getByRole('button', { name: selection.remove }).click();
      await dialog.getByRole('heading', { name: selection.removeTitle(2) }).waitFor();
      await check('delete dialog');
      await dialog.getByRole('button', { name: shell.cancel }).click();
      await page.getByText(selection.selected(2), { exact: true }).waitFor();
      assert.equal(await countIn(category), 2);
    });

    test('what was deleted elsewhere meanwhile does not stop the rest', async () => {
      const answer = await fetch(`${service.baseUrl}/datasets?category_id=${category}`);
      const { data }: { data: readonly { id: string }[] } = Object(await answer.json());
      await fetch(`${service.baseUrl}/datasets/${data[0]?.id}`, { method: 'DELETE' });
      await page.getByRole('button', { name: selection.remove }).click();
      await dialog.getByRole('button', { name: selection.remove }).click();
      await page.getByText(datasets.none).waitFor();
      assert.equal(await countIn(category), 0);
      await page.locator('h1:focus').waitFor();
    });
  });
}
