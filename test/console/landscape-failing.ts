import type { Page } from 'playwright-core';
import { dossier, runs } from '../../console/src/pages/runs/words/en.ts';
import { en as map } from '../../console/src/map/words/en.ts';
import { button, type Failing, inDialog, press } from './faults.ts';
import { type Pretended, pretendedZoning } from './pretended-zoning.ts';

const { atlas } = runs;
const atlasFile = button(`English: ${atlas.title}`);
const sheetFile = button(new RegExp(`^${map.sheet.file}: `));
const watchSwitch = (page: Page) => page.getByLabel('Make drafts when inputs change');
/** Fields of a plan, which is requested at every choice and stores nothing. */
const planFields = ['params', 'overrides', 'from_stage'];

/** Requests of the pages about runs and their zonings. */
export function landscapeFailing(pretended: Pretended): readonly Failing[] {
  const { runId, raster } = pretended;
  const runPage = `/landscape/runs/${runId}`;
  const comparePage = `/landscape/compare/${runId}/${runId}`;
  const { judgingBut, asZoning, placesBut, polygonsBut, reporting, dossierBut, printing } =
    pretendedZoning(pretended);
  const judging = (name: string): Failing => ({
    request: `GET /landscape/runs/{id}/${name}?wait=10`,
    at: '/landscape/runs',
    act: judgingBut(name),
  });
  return [
    {
      request: 'GET /landscape/runs/{id}/explain',
      at: `/map?l=${raster}&place=51.9,66.4`,
      act: asZoning('explain'),
      isLong: true,
    },
    {
      request: 'GET /landscape/runs/{id}/conflicts?wait=10',
      at: `/map?l=${raster}`,
      act: asZoning('conflicts'),
      isLong: true,
    },
    {
      request: 'GET /landscape/runs/{id}/report.html?wait=10',
      at: runPage,
      act: reporting,
      again: (page) => page.getByRole('button', { name: '↓ English' }),
      isLong: true,
    },
    { request: 'GET /landscape/results', at: '/landscape/results' },
    { request: 'GET /landscape/graph', at: '/landscape', fields: planFields, isLong: true },
    { request: 'GET /landscape/slots', at: '/landscape', fields: planFields },
    { request: 'POST /landscape/plans', at: '/landscape', fields: planFields, isLong: true },
    {
      request: 'GET /datasets?page_size=100',
      at: '/landscape',
      act: press('More: Elevation'),
      fields: planFields,
      isLong: true,
    },
    { request: 'GET /landscape/watch', at: '/landscape', fields: planFields, isLong: true },
    { request: 'GET /landscape/watch', at: '/landscape/runs', isLong: true },
    ...(['PUT', 'DELETE'] as const).map((method) => ({
      request: `${method} /landscape/watch`,
      at: '/landscape',
      act: async (page: Page) => {
        // The page shows the switch before it knows its state.
        await watchSwitch(page)
          .and(page.locator(method === 'PUT' ? ':not(:checked)' : ':checked'))
          .waitFor();
        await watchSwitch(page).click();
      },
      again: watchSwitch,
      fields: [...planFields, 'on', 'hold'],
      isLong: true,
    })),
    { request: 'GET /landscape/runs?page_size=10', at: '/landscape/runs' },
    { request: 'GET /landscape/runs/{id}', at: '/landscape/runs', isLong: true },
    { request: 'GET /landscape/runs/{id}', at: runPage },
    { request: 'GET /landscape/graph', at: runPage, isLong: true },
    { request: 'GET /landscape/runs/{id}/plan', at: runPage, isLong: true },
    { request: 'GET /landscape/runs/{id}/record', at: runPage, isLong: true },
    {
      request: 'GET /landscape/runs/{id}/record/history?page_size=100',
      at: runPage,
      act: async (page) => await page.getByText('History of the record').click(),
      isLong: true,
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
      isLong: true,
    },
    { request: 'GET /landscape/runs?page_size=100', at: comparePage, isLong: true },
    { request: 'GET /landscape/runs/{id}', at: comparePage, isLong: true },
    // The run has failed, so that the answer is always a refusal.
    { request: 'GET /landscape/runs/{id}/compare/{id}?wait=10', at: comparePage },
    {
      request: 'GET /landscape/runs/{id}/polygons',
      at: '/landscape/runs',
      act: polygonsBut('GET'),
      isLong: true,
    },
    {
      request: 'POST /landscape/runs/{id}/polygons?wait=10',
      at: '/landscape/runs',
      act: polygonsBut('POST'),
      again: button('Make polygons'),
      fields: ['min_area_ha', 'by'],
    },
    { request: 'GET /landscape/runs/{id}/where?wait=10', at: '/landscape/runs', act: placesBut('figures') },
    {
      request: 'GET /landscape/runs/{id}/where/tiles/{z}/{x}/{y}.png',
      at: '/landscape/runs',
      act: placesBut('tiles'),
      isLong: true,
    },
    judging('balance'),
    ...['conflicts', 'sensitivity', 'stability', 'input-sensitivity'].map((name) => ({
      ...judging(name),
      isLong: true,
    })),
    {
      request: 'GET /landscape/runs/{id}/layers/cells.cog',
      at: '/landscape/runs',
      act: judgingBut('cells.cog'),
      faults: ['refused', 'cut'],
      isLong: true,
    },

    { request: 'GET /landscape/runs/{id}/dossier', at: runPage, act: dossierBut('GET'), isLong: true },
    {
      request: 'HEAD /landscape/runs/{id}/dossier.zip?wait=10',
      at: runPage,
      act: dossierBut('HEAD'),
      isLong: true,
    },
    {
      request: 'PUT /landscape/runs/{id}/dossier/signature',
      at: runPage,
      act: dossierBut('PUT'),
      isLong: true,
    },
    {
      request: 'GET /landscape/runs/{id}/dossier/inventory.json',
      at: runPage,
      act: dossierBut('inventory'),
      again: button(`↓ ${dossier.inventoryFile}`),
      isLong: true,
    },
    {
      request: 'GET /landscape/runs/{id}/atlas.pdf?wait=10',
      at: runPage,
      act: printing('atlas', async (page) => {
        await page.locator('summary').filter({ hasText: atlas.title }).click();
        await atlasFile(page).click();
      }),
      again: atlasFile,
      isLong: true,
    },
    {
      request: 'GET /datasets/{id}/sheet.pdf?wait=10',
      at: `/map?l=${raster}`,
      act: printing('sheet', async (page) => {
        await press(map.sheet.open)(page);
        await sheetFile(page).click();
      }),
      again: sheetFile,
      isLong: true,
    },
  ];
}
