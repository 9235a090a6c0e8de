import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { exampleDatasetAreas } from '../../src/areas/examples.ts';
import { isLongTier, turnOf } from '../support/tier.ts';
import { button, type Failing, failOnce, type Fault, faults, inDialog, press } from './faults.ts';
import { connectFailing } from './connect-failing.ts';
import { formsFailing } from './forms-failing.ts';
import { landscapeFailing } from './landscape-failing.ts';
import { makeFailing } from './make-failing.ts';
import { referenceFailing } from './reference-failing.ts';
import { addStyle } from './map-data.ts';
import { sharedBrowser, sharedService } from './shared.ts';
import { sourceFailing } from './source-failing.ts';
import { uploadFailing } from './upload-failing.ts';

const { baseUrl } = await sharedService();
const client = createClient(baseUrl);
const example = (name: string): string => join(projectRoot, 'examples', name);
const upload = async (type: string, name: string) =>
  await client.upload(category, type, new File([await readFile(example(name))], name));
const become = async (id: string, wanted: string) =>
  await eventually(wanted, async () => ((await client.status(id)).status === wanted ? id : undefined));

const category = await client.createCategory('soils');
const [raster, vector, table] = await Promise.all([
  upload('raster', 'zhabay-dem.tif'),
  upload('vector', 'akmola-rayony.zip'),
  upload('vector_with_kato', 'population-by-region.geojson'),
]);
const broken = await client.upload(category, 'vector', new File(['{"type":"Nothing"}'], 'broken.geojson'));
const group = await make<{ id: string }>('/dataset-groups', { code: 'people', name: 'People' });
await become(table, 'awaiting_mapping');
const years = [{ column: '2020', start_date: '2020-01-01', end_date: '2020-12-31' }];
await client.map(table, { kato_column: 'kato', year_columns: years });
for (const id of [raster, vector, table]) await become(id, 'ready');
await become(broken, 'failed');
await addStyle(baseUrl, raster, [200, 300, 400]);
const patched = await client.json(`/datasets/${vector}`, {
  method: 'PATCH',
  body: JSON.stringify({ dg_id: group.id }),
});
assert.equal(patched.status, 200);
await client.createCategory('empty');
const { body: run } = await client.json<{ id: string }>('/landscape/runs', { method: 'POST' });
await eventually('the end of a run', async () => {
  const { body } = await client.json<{ finished_at: string | null }>(`/landscape/runs/${run.id}`);
  return body.finished_at !== null;
});
await make('/dataset-groups', { code: 'empty', name: 'Empty' });

async function make<T>(path: string, body: unknown): Promise<T> {
  const answer = await client.json<T>(path, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

const edit = async (page: Page): Promise<void> => {
  await press('Edit')(page);
  await page.getByRole('dialog').getByLabel('Category').waitFor();
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
  await inDialog('Save')(page).click();
};
const choose = async (page: Page) =>
  await page.locator('input[type=file]').setInputFiles(example('zhabay-dem.tif'));
const openNames = async (page: Page) =>
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'names.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Район;2021\nАкмолинская обл.;1\nАккольский;2\nЕсильский;3\n'),
    });
const select = async (page: Page): Promise<void> => await page.getByLabel('Select: broken').check();
/** Under `auth: token` the page fetches files itself, so that it can send the token. */
const download = async (page: Page): Promise<void> => {
  const body = { auth: 'token', scopes: ['data:read'], max_upload_bytes: 1, base_map: null };
  await page.context().route('**/capabilities', async (route) => await route.fulfill({ json: body }));
  await page.reload();
  await page.getByRole('button', { name: 'Original file' }).click();
};
const pickUnit = async (page: Page): Promise<void> => {
  await page.locator('.map-legend li').first().waitFor();
  await eventually('the card of a unit', async () => {
    await page.getByRole('application').press('Enter');
    return await page.locator('.map-card').isVisible();
  });
};
const dataset = (id: string): string => `/datasets/${id}`;
const map = (id: string): string => `/map?l=${id}`;
const series = `/datasets?group=${group.id}&series=1`;
const followInDialog = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: /^(?:Switch on|Save and count)$/ });
/** Describes the raster as one with two classes. */
const asClasses = async (page: Page): Promise<void> => {
  const classed = [1, 2].map((value) => ({ value, pixels: 1, hectares: 1 }));
  await page.context().route('**/statistics?*', async (route) => {
    const answer = await (await route.fetch()).json();
    const bands = answer.bands?.map((band: object) => ({ ...band, classes: classed }));
    await route.fulfill({ json: { ...answer, bands } });
  });
  let isFirst = true;
  await page.context().route('**/areas?*', async (route) => {
    // The first request is left to fail.
    await (isFirst ? route.fallback() : route.fulfill({ json: exampleDatasetAreas }));
    isFirst = false;
  });
  await page.reload();
};

const failing: readonly Failing[] = [
  { request: 'GET /readyz', at: '/', again: 'by itself' },
  { request: 'GET /capabilities', at: '/', again: 'by itself', isLong: true },
  { request: 'GET /datasets?page_size=50', at: '/' },
  { request: 'GET /datasets?page_size=1', at: '/', again: 'by itself', act: lookAgain, isLong: true },
  { request: 'GET /events', at: '/', again: 'by itself', isLong: true },
  { request: 'GET /categories', at: '/', isLong: true },
  {
    request: 'POST /districts/match',
    at: '/datasets',
    act: openNames,
    again: inDialog('Try again'),
    fields: ['rows', 'above'],
    isLong: true,
  },
  { request: 'GET /dataset-groups?page_size=100', at: '/', isLong: true },
  { request: 'GET /datasets/{id}', at: dataset(raster) },
  { request: 'GET /datasets/{id}/report', at: dataset(vector), isLong: true },
  { request: 'GET /datasets/{id}/lineage', at: dataset(vector), isLong: true },
  { request: 'GET /datasets/{id}/lineage', at: map(raster), isLong: true },
  { request: 'GET /datasets/{id}/statistics?wait=0', at: dataset(raster), isLong: true },
  // A worker reads it; the test cannot move the clock of a worker, only that of the page.
  {
    request: 'GET /datasets/{id}.cog',
    at: dataset(raster),
    faults: ['refused', 'cut', 'hanging'],
    isLong: true,
  },
  { request: 'GET /datasets/{id}/series', at: map(table), isLong: true },
  { request: 'GET /datasets/{id}/mapping/suggestion?wait=10', at: `${dataset(table)}/columns`, isLong: true },
  { request: 'GET /datasets/{id}/mapping/match?wait=10', at: `${dataset(table)}/columns`, isLong: true },
  { request: 'GET /datasets/{id}.geojson', at: map(vector) },
  // A map without layers repeats the request when it moves.
  { request: 'GET /districts.geojson?level=region', at: '/map', again: 'by itself', isLong: true },
  { request: 'GET /districts.geojson?level=district', at: map(table), isLong: true },
  { request: 'GET /districts/{kato}/history', at: map(table), act: pickUnit, isLong: true },
  {
    request: 'GET /datasets?status=ready&page_size=100',
    at: '/map',
    act: press('+ Add a layer'),
    again: inDialog('Try again'),
    isLong: true,
  },
  { request: 'GET /categories', at: dataset(vector), act: press('Edit'), isLong: true },
  { request: 'GET /dataset-groups?page_size=100', at: dataset(vector), act: press('Edit'), isLong: true },
  {
    request: 'PATCH /datasets/{id}',
    at: dataset(vector),
    act: edit,
    again: inDialog('Save'),
    fields: ['name'],
  },
  { request: 'GET /dataset-groups/{id}', at: map(vector), isLong: true },
  { request: 'GET /datasets/{id}/sld', at: map(raster), isLong: true },
  {
    request: 'POST /datasets/{id}/sld',
    at: `${dataset(table)}/style?kind=classes&classes=5`,
    act: press('Save for this dataset'),
    again: button('Save for this dataset'),
    isLong: true,
  },
  {
    request: 'DELETE /datasets/{id}/sld/own',
    at: `${dataset(table)}/style`,
    async act(page) {
      await page.evaluate(
        `(async () => {
          const form = new FormData();
          form.append('file', new File(['<StyledLayerDescriptor/>'], 'own.sld'));
          await fetch('./datasets/${table}/sld', { method: 'POST', body: form });
        })()`,
      );
      await page.reload();
      await press('Remove this style')(page);
    },
    again: button('Remove this style'),
    isLong: true,
  },
  {
    request: 'GET /datasets/{id}/download',
    at: dataset(vector),
    act: download,
    again: (page) => page.getByRole('button', { name: 'Original file' }),
    isLong: true,
  },
  {
    request: 'PATCH /datasets/{id}',
    at: '/',
    async act(page) {
      await select(page);
      await press('Move')(page);
      await page.getByRole('dialog').getByLabel('To the category').selectOption({ label: 'empty' });
      await inDialog('Move')(page).click();
    },
    again: inDialog('Move'),
    fields: ['category_id'],
    isLong: true,
  },
  ...referenceFailing({ raster, vector }),
  { request: 'POST /datasets/{id}/retry', at: dataset(broken), act: press('Try again'), isLong: true },
  {
    request: 'DELETE /datasets/{id}',
    at: '/',
    async act(page) {
      await select(page);
      await press('Delete')(page);
      await inDialog('Delete')(page).click();
    },
    again: inDialog('Delete'),
    isLong: true,
  },
  {
    request: 'POST /categories',
    at: '/catalogue',
    async act(page) {
      await press('+ New category')(page);
      await page.getByRole('dialog').getByLabel('Name').fill(`Made ${Date.now()}`);
      await inDialog('Save')(page).click();
    },
    again: inDialog('Save'),
    fields: ['name', 'code'],
    isLong: true,
  },
  {
    request: 'POST /dataset-groups',
    at: '/catalogue',
    async act(page) {
      await press('+ New group')(page);
      await page.getByRole('dialog').getByLabel('Name').fill(`Made ${Date.now()}`);
      await inDialog('Save')(page).click();
    },
    again: inDialog('Save'),
    fields: ['name', 'code'],
    isLong: true,
  },
  {
    request: 'PUT /dataset-groups/{id}',
    at: '/catalogue',
    act: rename('People'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description'],
    isLong: true,
  },
  { request: 'GET /dataset-groups/freshness', at: '/catalogue', isLong: true },
  {
    request: 'PUT /dataset-groups/{id}/cadence',
    at: '/catalogue',
    async act(page) {
      await press('Cadence: People')(page);
      await page.getByRole('dialog').getByLabel('Every').fill('2');
      await inDialog('Save')(page).click();
    },
    again: inDialog('Save'),
    fields: ['every', 'grace'],
    isLong: true,
  },
  {
    request: 'DELETE /dataset-groups/{id}/cadence',
    at: '/catalogue',
    async act(page) {
      await press('Cadence: People')(page);
      await inDialog('Remove the cadence')(page).click();
    },
    again: inDialog('Remove the cadence'),
    isLong: true,
  },
  {
    request: 'DELETE /dataset-groups/{id}',
    at: '/catalogue',
    async act(page) {
      await page.getByRole('button', { name: 'Delete: Empty', exact: true }).click();
      await inDialog('Delete')(page).click();
    },
    again: inDialog('Delete'),
    isLong: true,
  },
  { request: 'GET /datasets/{id}/denominator', at: `/datasets/${table}?rate=1`, isLong: true },
  {
    request: 'PUT /datasets/{id}/denominator',
    at: `/datasets/${table}?rate=1`,
    async act(page) {
      await page.getByLabel('the area of the unit').click();
      await button('Save')(page).click();
    },
    again: button('Save'),
    fields: ['by', 'per'],
    faults: ['refused', 'cut'],
    isLong: true,
  },
  {
    request: 'DELETE /datasets/{id}/denominator',
    at: `/datasets/${table}?rate=1`,
    async act(page) {
      await page.getByLabel('nothing', { exact: true }).click();
      await button('Save')(page).click();
    },
    again: button('Save'),
    faults: ['refused', 'cut'],
    isLong: true,
  },
  { request: 'GET /dataset-groups/{id}/zonal', at: series },
  {
    request: 'PUT /dataset-groups/{id}/zonal',
    at: series,
    async act(page) {
      await button(/^(?:Switch on|Settings)$/)(page).click();
      await followInDialog(page).click();
    },
    again: followInDialog,
    fields: ['by', 'stats', 'min_valid_share', 'values_are'],
    faults: ['refused', 'cut'],
    isLong: true,
  },
  {
    request: 'DELETE /dataset-groups/{id}/zonal',
    at: series,
    async act(page) {
      const body = JSON.stringify({ stats: ['mean'] });
      await client.json(`/dataset-groups/${group.id}/zonal`, { method: 'PUT', body });
      await page.reload();
      await press('Switch off')(page);
      await inDialog('Switch off')(page).click();
    },
    again: inDialog('Switch off'),
    isLong: true,
  },
  {
    request: 'GET /categories/{id}',
    at: '/catalogue',
    act: rename('soils'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description', 'parent_id'],
    isLong: true,
  },
  {
    request: 'PUT /categories/{id}',
    at: '/catalogue',
    act: rename('soils'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description', 'parent_id'],
  },
  { request: 'GET /datasets/{id}/legend.json', at: dataset(raster), act: asClasses, isLong: true },
  {
    request: 'GET /datasets/{id}/areas?wait=10',
    at: `${dataset(raster)}?areas=district`,
    act: asClasses,
    isLong: true,
  },
  { request: 'GET /datasets/{id}/compare/{id}?wait=10', at: `/registers/${table}/${table}`, isLong: true },
  { request: 'GET /datasets?status=ready&page_size=100', at: `/registers/${table}`, isLong: true },
  { request: 'GET /datasets/{id}', at: `/registers/${table}`, isLong: true },
  { request: 'GET /datasets/{id}/lineage', at: `/registers/${table}`, isLong: true },
  ...connectFailing(raster),
  ...(await formsFailing(baseUrl, { group: group.id, table, raster })),
  ...landscapeFailing({ baseUrl, runId: run.id, raster }),
  ...makeFailing(vector),
  ...(await sourceFailing(baseUrl)),
  ...(await uploadFailing()),
  // An unanswered upload does not end by itself: it shows that it has stalled and can be cancelled.
  { request: 'POST /datasets', at: '/', act: choose, faults: ['refused', 'cut'] },
  { request: 'GET /datasets/{id}/status', at: '/', act: choose, again: 'by itself', isLong: true },
];

/** Switches to another tab and back; the page then asks for changes. */
async function lookAgain(page: Page): Promise<void> {
  await page.getByText('Renamed').or(page.getByText('akmola-rayony')).first().waitFor();
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
}

function rename(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: `Edit: ${name}` }).click();
    await page.getByRole('dialog').getByLabel('Description').fill(`of ${Date.now()}`);
    await inDialog('Save')(page).click();
  };
}

function faultsOf({ request, isLong, faults: own = faults }: Failing, turn: number): readonly Fault[] {
  if (isLong === true && !isLongTier) return [];
  return isLongTier && request.endsWith('.cog') ? own : turnOf(own, turn);
}

describe('a request that fails once is reported, can be repeated, and sends only what was changed', async () => {
  const browser = await sharedBrowser();
  const asked = new Set<string>();
  const story = { browser, baseUrl, onRequest: (name: string) => void asked.add(name) };
  for (const [index, each] of failing.entries())
    // One fault in each tier, because most steps of the requests can be done only once.
    for (const fault of faultsOf(each, index))
      test(`${each.request} at ${each.at.replace(/[0-9a-f-]{36}/, '…')}: ${fault}`, async () => {
        await failOnce(story, each, fault);
      });

  test('every request of the page in this test is among those that were made to fail', () => {
    const known = new Set(failing.map(({ request }) => request));
    assert.deepEqual([...asked].filter((name) => !known.has(name)).toSorted(), []);
  });
});
