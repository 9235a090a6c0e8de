import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { judge } from '../../console/src/words/landscape/en/judge.ts';
import {
  exampleBalance,
  exampleConflicts,
  exampleSensitivity,
  exampleStability,
} from '../../src/landscape/balance/examples.ts';
import { exampleInputSensitivity } from '../../src/landscape/input-moves/input-sensitivity-schema.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { exampleExplanation } from '../../src/landscape/explain/example.ts';
import { exampleDatasetAreas } from '../../src/areas/examples.ts';
import { isLongTier, turnOf } from '../support/tier.ts';
import { type Failing, failOnce, type Fault, faults } from './faults.ts';
import { addStyle } from './map-data.ts';
import { sharedBrowser, sharedService } from './shared.ts';

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

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).last();
const inDialog = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('button', { name });
const press = (name: string) => async (page: Page) => await button(name)(page).click();
const edit = async (page: Page): Promise<void> => {
  await press('Edit')(page);
  await page.getByRole('dialog').getByLabel('Category').waitFor();
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
  await inDialog('Save')(page).click();
};
const choose = async (page: Page): Promise<void> =>
  await page.locator('input[type=file]').setInputFiles(example('zhabay-dem.tif'));
const select = async (page: Page): Promise<void> => {
  await page.getByLabel('Select: broken').check();
};
/** Where a token has to be sent, the page fetches files itself. */
const download = async (page: Page): Promise<void> => {
  const body = { auth: 'token', scopes: ['data:read'], max_upload_bytes: 1, base_map: null };
  await page.context().route('**/capabilities', async (route) => await route.fulfill({ json: body }));
  await page.reload();
  await page.getByRole('button', { name: 'Original file' }).click();
};
const dataset = (id: string): string => `/datasets/${id}`;
const map = (id: string): string => `/map?l=${id}`;
const runPage = `/landscape/runs/${run.id}`;
const comparePage = `/landscape/compare/${run.id}/${run.id}`;

/** The run as if it had made a zoning, which the raster stands for; of the figures about it only one is left to fail once. */
const judgingBut =
  (failing: string) =>
  async (page: Page): Promise<void> => {
    const cog = `${baseUrl}/datasets/${raster}.cog`;
    const figures = {
      balance: exampleBalance,
      sensitivity: exampleSensitivity,
      conflicts: exampleConflicts,
      stability: exampleStability,
      'input-sensitivity': exampleInputSensitivity,
    };
    const context = page.context();
    await context.route(`**/landscape/runs/${run.id}`, async (route) => {
      const answer = await (await route.fetch()).json();
      const outputs = [{ dataset_id: raster }];
      await route.fulfill({
        json: { ...answer, status: 'succeeded', nodes: [{ node_code: '34', outputs }] },
      });
    });
    await context.route('**/layers/cells.cog', async (route) => {
      if (failing === 'cells.cog' && isLeftToFail()) return await route.fallback();
      await route.fulfill({ response: await route.fetch({ url: cog }) });
    });
    let hasFailed = false;
    const isLeftToFail = (): boolean => !hasFailed && (hasFailed = true);
    for (const [name, json] of Object.entries(figures))
      await context.route(`**/landscape/runs/${run.id}/${name}?*`, async (route) => {
        if (failing === name && isLeftToFail()) return await route.fallback();
        await route.fulfill({ json });
      });
    await page.goto(`${baseUrl}/#${runPage}/judge`);
    if (failing === 'input-sensitivity') await page.getByText(judge.inputs).click();
  };

/** The raster as if a run had made it, so that its map asks for what is known of a zoning; the service knows nothing of that. */
const asZoning =
  (wanted: 'explain' | 'conflicts') =>
  async (page: Page): Promise<void> => {
    await page.context().route(`**/datasets/${raster}`, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, meta: { run_id: run.id, node: '34' } } });
    });
    for (const [kind, json] of [
      ['explain', exampleExplanation],
      ['conflicts', exampleConflicts],
    ] as const) {
      let isFirst = kind === wanted;
      await page.context().route(`**/${kind}?*`, async (route) => {
        // The first one is left to fail.
        await (isFirst ? route.fallback() : route.fulfill({ json }));
        isFirst = false;
      });
    }
    await page.reload();
  };
const judging = (name: string): Failing => ({
  request: `GET /landscape/runs/{id}/${name}?wait=10`,
  at: '/landscape/runs',
  act: judgingBut(name),
});

/** The raster as if it had two classes. */
const asClasses = async (page: Page): Promise<void> => {
  const classed = [1, 2].map((value) => ({ value, pixels: 1, hectares: 1 }));
  await page.context().route('**/statistics', async (route) => {
    const answer = await (await route.fetch()).json();
    const bands = answer.bands?.map((band: object) => ({ ...band, classes: classed }));
    await route.fulfill({ json: { ...answer, bands } });
  });
  let isFirst = true;
  await page.context().route('**/areas?*', async (route) => {
    // The first one is left to fail.
    await (isFirst ? route.fallback() : route.fulfill({ json: exampleDatasetAreas }));
    isFirst = false;
  });
  await page.reload();
};

/** A plan is asked for with every choice, and stores nothing. */
const planFields = ['params', 'overrides', 'from_stage'];

const failing: readonly Failing[] = [
  { request: 'GET /readyz', at: '/', again: 'by itself' },
  { request: 'GET /capabilities', at: '/', again: 'by itself' },
  { request: 'GET /datasets?page_size=50', at: '/' },
  { request: 'GET /datasets?page_size=1', at: '/', again: 'by itself', act: lookAgain },
  { request: 'GET /categories', at: '/' },
  { request: 'GET /dataset-groups?page_size=100', at: '/' },
  { request: 'GET /datasets/{id}', at: dataset(raster) },
  { request: 'GET /datasets/{id}/report', at: dataset(vector) },
  { request: 'GET /datasets/{id}/statistics', at: dataset(raster) },
  // A worker reads it, with a clock that no test moves: the page has its own.
  { request: 'GET /datasets/{id}.cog', at: dataset(raster), faults: ['refused', 'cut', 'hanging'] },
  { request: 'GET /datasets/{id}/series', at: map(table) },
  { request: 'GET /datasets/{id}.geojson', at: map(vector) },
  // A map without layers asks once more as soon as it has moved.
  { request: 'GET /districts.geojson?level=region', at: '/map', again: 'by itself' },
  { request: 'GET /districts.geojson?level=district', at: map(table) },
  {
    request: 'GET /datasets?status=ready&page_size=100',
    at: '/map',
    act: press('+ Add a layer'),
    again: inDialog('Try again'),
  },
  { request: 'GET /categories', at: dataset(vector), act: press('Edit') },
  { request: 'GET /dataset-groups?page_size=100', at: dataset(vector), act: press('Edit') },
  {
    request: 'PATCH /datasets/{id}',
    at: dataset(vector),
    act: edit,
    again: inDialog('Save'),
    fields: ['name'],
  },
  { request: 'GET /dataset-groups/{id}', at: map(vector) },
  { request: 'GET /datasets/{id}/sld', at: map(raster) },
  {
    request: 'GET /datasets/{id}/download',
    at: dataset(vector),
    act: download,
    again: (page) => page.getByRole('button', { name: 'Original file' }),
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
  },
  { request: 'POST /datasets/{id}/retry', at: dataset(broken), act: press('Try again') },
  {
    request: 'DELETE /datasets/{id}',
    at: '/',
    async act(page) {
      await select(page);
      await press('Delete')(page);
      await inDialog('Delete')(page).click();
    },
    again: inDialog('Delete'),
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
  },
  {
    request: 'PUT /dataset-groups/{id}',
    at: '/catalogue',
    act: rename('People'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description'],
  },
  {
    request: 'DELETE /dataset-groups/{id}',
    at: '/catalogue',
    async act(page) {
      await page.getByRole('button', { name: 'Delete: Empty', exact: true }).click();
      await inDialog('Delete')(page).click();
    },
    again: inDialog('Delete'),
  },
  {
    request: 'GET /categories/{id}',
    at: '/catalogue',
    act: rename('soils'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description', 'parent_id'],
  },
  {
    request: 'PUT /categories/{id}',
    at: '/catalogue',
    act: rename('soils'),
    again: inDialog('Save'),
    fields: ['name', 'code', 'description', 'parent_id'],
  },
  {
    request: 'GET /landscape/runs/{id}/explain',
    at: `${map(raster)}&place=51.9,66.4`,
    act: asZoning('explain'),
  },
  { request: 'GET /datasets/{id}/legend.json', at: dataset(raster), act: asClasses },
  { request: 'GET /datasets/{id}/areas?wait=10', at: `${dataset(raster)}?areas=district`, act: asClasses },
  { request: 'GET /landscape/runs/{id}/conflicts?wait=10', at: map(raster), act: asZoning('conflicts') },
  { request: 'GET /landscape/results', at: '/landscape/results' },
  { request: 'GET /landscape/graph', at: '/landscape', fields: planFields },
  { request: 'GET /landscape/slots', at: '/landscape', fields: planFields },
  { request: 'POST /landscape/plans', at: '/landscape', fields: planFields },
  {
    request: 'GET /datasets?page_size=100',
    at: '/landscape',
    act: press('More: Elevation'),
    fields: planFields,
  },
  { request: 'GET /landscape/runs?page_size=10', at: '/landscape/runs' },
  { request: 'GET /landscape/runs/{id}', at: '/landscape/runs' },
  { request: 'GET /landscape/runs/{id}', at: runPage },
  { request: 'GET /landscape/graph', at: runPage },
  { request: 'GET /landscape/runs/{id}/plan', at: runPage },
  { request: 'GET /landscape/runs/{id}/record', at: runPage },
  {
    request: 'GET /landscape/runs/{id}/record/history?page_size=100',
    at: runPage,
    act: async (page) => await page.getByText('History of the record').click(),
  },
  {
    request: 'PUT /landscape/runs/{id}/record',
    at: runPage,
    async act(page) {
      await press('Edit name and state')(page);
      await page.getByRole('dialog').getByLabel('Name').fill(`Run of ${Date.now()}`);
      await inDialog('Save')(page).click();
    },
    again: inDialog('Save'),
    fields: ['name', 'note', 'state', 'basis'],
  },
  { request: 'GET /landscape/runs?page_size=100', at: comparePage },
  { request: 'GET /landscape/runs/{id}', at: comparePage },
  // The run has failed, so that the answer is a refusal at best.
  { request: 'GET /landscape/runs/{id}/compare/{id}?wait=10', at: comparePage },
  ...['balance', 'sensitivity', 'conflicts', 'stability', 'input-sensitivity'].map((name) => ({
    request: `GET /landscape/runs/{id}/${name}?wait=10`,
    at: '/landscape/runs',
    act: judgingBut(name),
  })),
  ...['balance', 'conflicts'].map((name) => judging(name)),
  ...['sensitivity', 'stability', 'input-sensitivity'].map((name) => ({ ...judging(name), isLong: true })),
  {
    request: 'GET /landscape/runs/{id}/layers/cells.cog',
    at: '/landscape/runs',
    act: judgingBut('cells.cog'),
    faults: ['refused', 'cut'],
  },
  // An unanswered upload has no end of its own: it says that it stands still, and can be cancelled.
  { request: 'POST /datasets', at: '/', act: choose, faults: ['refused', 'cut'] },
  { request: 'GET /datasets/{id}/status', at: '/', act: choose, again: 'by itself' },
];

/** Another tab is looked at, and this one once more: the page asks then what is new. */
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

describe('a request that fails once is told, with a way on, and sends nothing that was not changed', async () => {
  const browser = await sharedBrowser();
  const asked = new Set<string>();
  const story = { browser, baseUrl, onRequest: (name: string) => void asked.add(name) };
  for (const [index, each] of failing.entries())
    // One of them in each tier: much of what the requests do can be done once.
    for (const fault of faultsOf(each, index))
      test(`${each.request} at ${each.at.replace(/[0-9a-f-]{36}/, '…')}: ${fault}`, async () => {
        await failOnce(story, each, fault);
      });

  test('every request that the page has made here is among those that fail', () => {
    const known = new Set(failing.map(({ request }) => request));
    assert.deepEqual([...asked].filter((name) => !known.has(name)).toSorted(), []);
  });
});
