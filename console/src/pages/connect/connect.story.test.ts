import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { kk } from './words/kk.ts';
import { en } from './words/en.ts';
import { ru } from './words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const browser = await sharedBrowser();
const client = createClient(baseUrl);
const wordsOf = { en, ru, kk };

const category = await client.createCategory('connected');
const raster = await client.upload(
  category,
  'raster',
  new File([await readFile(join(projectRoot, 'examples/zhabay-dem.tif'))], 'zhabay-dem.tif'),
);
const vector = await client.upload(
  category,
  'vector',
  new File([await readFile(join(projectRoot, 'examples/akmola-rayony.zip'))], 'akmola-rayony.zip'),
);
for (const id of [raster, vector])
  await eventually('ready', async () => (await client.status(id)).status === 'ready');

describe('the page on which other programs are connected', () => {
  for (const setting of settingsOf(1)) {
    test(titleOf('all of the service, a raster and a vector', setting), async () => {
      const { language, width } = setting;
      const words = wordsOf[language];
      const { page, words: shared, check } = await visit(browser, { baseUrl, language, width });
      await page.getByRole('link', { name: shared.shell.connect, exact: true }).click();
      await page.getByRole('heading', { name: words.title, level: 1 }).waitFor();
      await page.getByRole('heading', { name: words.programs.assistants }).waitFor();
      await check('the service');
      await page.setViewportSize({ width: 360, height: 800 });
      await check('the service on a phone');
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${baseUrl}/#/datasets/${raster}`);
      await page.getByRole('link', { name: shared.shell.useElsewhere }).click();
      await page.getByText(`${baseUrl}/datasets/${raster}/wmts`).waitFor();
      const copy = page.getByRole('button', { name: words.copyOf(words.addresses.wmts), exact: true });
      await copy.click();
      await page.getByText(words.copied, { exact: true }).first().waitFor();
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: words.files.qlr }).click();
      assert.match(await readFile(await (await file).path(), 'utf8'), /qgis-layer-definition/);
      await page.getByText(words.missing.title).first().waitFor();
      await check('a raster');
      await page.getByRole('button', { name: words.missing.edit }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(words.missing.organisation).fill(`Institute ${language}`);
      await dialog.getByLabel(words.missing.topic).selectOption('elevation');
      await dialog.getByLabel(words.missing.keywords).fill('one, two');
      await check('the form');
      await dialog.getByRole('button', { name: shared.dataset.save }).click();
      await dialog.waitFor({ state: 'hidden' });
      const { body } = await client.json<{ fields: Record<string, unknown> }>(`/datasets/${raster}/metadata`);
      assert.deepEqual(
        [body.fields['organisation'], body.fields['topic_category'], body.fields['keywords']],
        [`Institute ${language}`, 'elevation', ['one', 'two']],
      );
      await check('saved');
      await page.goto(`${baseUrl}/#/connect/datasets/${vector}`);
      await page.getByText(words.steps.geoPackage).waitFor();
      const made = page.waitForEvent('download');
      await page.getByRole('button', { name: `↓ ${words.addresses.geoPackage}` }).click();
      assert.match(await readFile(await (await made).path(), 'latin1'), /^SQLite format 3/);
      await check('a vector');
      await page.context().close();
    });
  }
});
