import type { Page } from 'playwright-core';
import { type Failing, inDialog, press } from './faults.ts';

const look = {
  title: 'Relief',
  items: [{ id: 'n51e066', start_date: '2026-02-01', end_date: '2026-02-01' }],
  assets: [{ key: 'data', title: null, items: 1, refusal: null }],
  refused: [],
  complete: true,
};

const importFields = ['address', 'asset', 'category_id', 'dg_id'];

/** Leaves the first such request to fail, and answers the others: the service of the test reads no other servers. */
async function answerAgain(page: Page, address: RegExp, json: object): Promise<void> {
  let isFirst = true;
  await page.context().route(address, async (route) => {
    const fails = isFirst;
    isFirst = false;
    await (fails ? route.fallback() : route.fulfill({ status: 201, json }));
  });
}

async function lookAtStac(page: Page): Promise<void> {
  await press('By address')(page);
  await inDialog('STAC items')(page).click();
  await page.getByRole('dialog').getByLabel('Address').fill('https://archive.example/collection.json');
  await inDialog('Show the items')(page).click();
}

/** The service of the test reads no other servers, so that the items are those of this test. */
async function showStacItems(page: Page): Promise<void> {
  await page.route('**/datasets/references/stac/look*', async (route) => {
    await route.fulfill({ json: look });
  });
  await lookAtStac(page);
  await inDialog('Register all')(page).waitFor();
}

/** Requests about files that stay on other servers. */
export const referenceFailing = ({
  raster,
  vector,
}: Readonly<Record<'raster' | 'vector', string>>): readonly Failing[] => [
  {
    request: 'POST /datasets/references',
    at: '/',
    async act(page) {
      await answerAgain(page, /datasets\/references(?:\?|$)/, { id: vector });
      await press('By address')(page);
      await page.getByRole('dialog').getByLabel('Address').fill('https://archive.example/a.tif');
      await inDialog('Register')(page).click();
    },
    again: inDialog('Register'),
    fields: ['address', 'category_id'],
    isLong: true,
  },
  {
    request: 'POST /datasets/references/stac/look',
    at: '/',
    async act(page) {
      await answerAgain(page, /references\/stac\/look/, look);
      await lookAtStac(page);
    },
    again: inDialog('Show the items'),
    fields: ['address'],
    isLong: true,
  },
  {
    request: 'POST /datasets/references/stac',
    at: '/',
    async act(page) {
      await answerAgain(page, /datasets\/references\/stac(?:\?|$)/, { id: vector });
      await showStacItems(page);
      await inDialog('Register all')(page).click();
    },
    again: inDialog('Register all'),
    fields: importFields,
    isLong: true,
  },
  {
    request: 'GET /datasets/references/stac/{id}',
    at: '/',
    async act(page) {
      const state = { id: vector, state: 'made', registered: [], refused: [], failure: null, complete: true };
      await answerAgain(page, /references\/stac\/[\da-f]{8}-/, state);
      await showStacItems(page);
      await page.route(/datasets\/references\/stac(?:\?|$)/, async (route) => {
        await route.fulfill({ status: 201, json: { id: vector } });
      });
      await inDialog('Register all')(page).click();
    },
    fields: importFields,
    isLong: true,
  },
  {
    request: 'POST /datasets/{id}/copy',
    at: `/datasets/${raster}`,
    async act(page) {
      await page.route(`**/datasets/${raster}`, async (route) => {
        const found: object = await (await route.fetch()).json();
        const reference = {
          address: 'https://archive.example/a.tif',
          state: 'unchanged',
          reason: null,
          checked_at: '2026-11-30T10:00:00.000Z',
          copying: false,
        };
        await route.fulfill({ json: { ...found, reference } });
      });
      await page.reload();
      await press('Copy it here')(page);
    },
    again: (page) => page.getByRole('button', { name: 'Copy it here' }),
    isLong: true,
  },
];
