import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser, visit } from '../support/browser/browser-if-there.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';

const example = (name: string): string => join(projectRoot, 'examples', name);
const { baseUrl } = await closeAfterTests(startService());
const browser = await closeAfterTests(openBrowser());
const { page, words, check } = await closeAfterTests(visit(browser, { baseUrl, language: 'ru' }));

test('a walk through the page: two files become ready, one is looked at and found on the map', async () => {
  await page.getByRole('heading', { level: 1, name: words.welcome.title }).waitFor();
  await check('first visit');
  await page
    .locator('input[type=file]')
    .setInputFiles([example('akmola-rayony.zip'), example('zhabay-dem.tif')]);
  // The list of uploads is folded once all of them are ready.
  await page.getByRole('complementary', { name: words.upload.title }).waitFor();
  for (const name of ['akmola-rayony', 'zhabay-dem']) {
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await row.getByText(words.statuses.ready).waitFor();
  }
  await page.getByRole('link', { name: 'zhabay-dem' }).click();
  await page.getByRole('heading', { level: 1, name: 'zhabay-dem' }).waitFor();
  await page.getByText('EPSG:4326').waitFor();
  await check('dataset');
  const answer = await fetch(`${baseUrl}/datasets?file_type=raster`);
  const { data }: { data: readonly { id: string }[] } = Object(await answer.json());
  assert.equal(data.length, 1);
  await page.goto(`${baseUrl}/#/map?l=${data[0]?.id}`);
  await page.locator('.map-legend').first().waitFor();
  await check('map');
});

test('every section opens without a fault, also where it has nothing to show yet', async () => {
  for (const path of [
    'catalogue',
    'connect',
    'source-files',
    'landscape',
    'landscape/runs',
    'landscape/results',
    'landscape/compare',
  ]) {
    await page.goto(`${baseUrl}/#/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check(path);
  }
});
