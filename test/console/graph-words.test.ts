import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { visit } from '../support/browser/browser.ts';
import { createClient } from '../support/client.ts';
import { foreignWords } from '../support/browser/foreign-words.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';
import { sharedBrowser } from './shared.ts';

// A service of its own, because datasets in groups of the graph would show on the pages of other stories.
const service = await closeAfterTests(startService());
const client = createClient(service.baseUrl);
const group = 'landscape-in-land-cover';

/** Uploads a raster to a group of the graph. */
async function upload(code: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const found = await client.json<{ data: { id: string }[] }>(`/dataset-groups?code=${code}`);
  const form = new FormData();
  const file = await readFile(join(projectRoot, 'examples/landscape/land-cover.tif'));
  const facts = {
    ...fields,
    file_type: 'raster',
    category_id: category,
    dg_id: found.body.data[0]?.id ?? '',
  };
  for (const [name, value] of Object.entries(facts)) form.append(name, value);
  form.append('file', new File([file], 'land-cover.tif'));
  const response = await fetch(`${service.baseUrl}/datasets`, { method: 'POST', body: form });
  const { id }: { id: string } = JSON.parse(await response.text());
  assert.equal(response.status, 201);
  await eventually('the raster is ready', async () => (await client.status(id)).status === 'ready', 60);
  return id;
}

const category = await client.createCategory('graph-words');
const soilLoss = await upload('landscape-14-soil-loss', {
  name: 'Soil loss by water, t/ha/yr',
  unit: 't/ha/yr',
});
const renamed = await upload('landscape-14-soil-loss', { name: 'Отчёт 2024', unit: 'баллы' });
const { page, check, words } = await closeAfterTests(
  visit(await sharedBrowser(), {
    baseUrl: `${service.baseUrl}/#/datasets?category=${category}`,
    language: 'kk',
  }),
);
const open = async (hash: string): Promise<void> => {
  await page.goto(`${service.baseUrl}/${hash}`);
};

describe('what the graph has named is in the language of the page', () => {
  test('in lists, and what a person has named is as it was', async () => {
    await page.getByRole('link', { name: 'Топырақтың сумен шайылуы, т/га/жыл' }).waitFor();
    await page.getByRole('link', { name: 'Отчёт 2024' }).waitFor();
    await page.getByRole('link', { name: 'Ландшафт бағдарламасы' }).first().waitFor();
    await page
      .locator('option', { hasText: 'Ландшафт бағдарламасы, кіріс деректер: Жер жамылғысы' })
      .waitFor({ state: 'attached' });
    await check('list');
  });

  test('on the page of a dataset and on its map; a person who edits it sees what is stored', async () => {
    await open(`#/datasets/${soilLoss}`);
    await page.getByRole('heading', { name: 'Топырақтың сумен шайылуы, т/га/жыл' }).waitFor();
    await page.locator('.map-legend').getByText('т/га/жыл').waitFor();
    await page.locator('.facts').getByText('т/га/жыл').waitFor();
    await check('dataset');
    await page.getByRole('button', { name: words.dataset.edit }).click();
    assert.equal(await page.getByLabel(words.dataset.name).inputValue(), 'Soil loss by water, t/ha/yr');
    await page.keyboard.press('Escape');
    await open(`#/map?l=${soilLoss},${renamed}`);
    const layers = page.locator('.map-layer-name');
    await layers.getByText('Топырақтың сумен шайылуы, т/га/жыл').waitFor();
    await layers.getByText('Отчёт 2024').waitFor();
    await page.locator('.map-legend').getByText('баллы').waitFor();
    await check('map');
  });

  test('in the catalogue, descriptions as well', async () => {
    await open('#/catalogue');
    await page.getByText('Бірлігі: т/га/жыл; -9999 — мәні жоқ.').waitFor();
    await page.getByText(group).waitFor();
    await check('catalogue');
  });
});

test('words of another language are found in texts, names and hints, and names are none', async () => {
  const other = await page.context().newPage();
  await other.setContent(`<html lang="ru"><title>Карта</title><body>
    <p>Загрузите файл GeoTIFF или data.tif по EPSG:4326, зона V1 (S3)</p><p>Мой Project</p><p hidden>secret</p><code>raster code</code>
    <button aria-label="Close">✕</button><img alt="Slope map"><span title="Уклон, percent">5</span><a lang="en">English</a></body></html>`);
  assert.deepEqual(await foreignWords(other, ['Мой Project']), [
    'Close: Close',
    'Slope, map: Slope map',
    'percent: Уклон, percent',
  ]);
  await other.close();
});
