import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createClient } from '../support/client.ts';
import { projectRoot } from '../support/project.ts';
import { button, type Failing, inDialog } from './faults.ts';

const file = join(projectRoot, 'examples/forms/land-balance.xlsx');

/** Requests of the page that fills forms, with a template in a group and the table that it is filled from. */
export async function formsFailing(
  baseUrl: string,
  { group, table, raster }: { readonly group: string; readonly table: string; readonly raster: string },
): Promise<readonly Failing[]> {
  const form = new FormData();
  form.append('file', new File([await readFile(file)], 'balance.xlsx'));
  await createClient(baseUrl).json(`/dataset-groups/${group}/templates`, { method: 'POST', body: form });
  const at = `/datasets?group=${group}&forms=1`;
  const open = async (page: Page): Promise<void> => await button('Fill: balance.xlsx')(page).click();
  const sources = (page: Page) => page.getByLabel(/^Source: /).first();
  const choose = (id: string) => async (page: Page) => {
    await open(page);
    await sources(page).selectOption(id);
  };
  return [
    { request: 'GET /dataset-groups/{id}/templates', at, isLong: true },
    { request: 'GET /form-templates/{id}/layout?wait=10', at, act: open, isLong: true },
    { request: 'GET /landscape/runs?page_size=20', at, act: open, isLong: true },
    { request: 'GET /datasets?status=ready&page_size=50', at, act: open, isLong: true },
    { request: 'GET /datasets/{id}', at, act: choose(table), isLong: true },
    { request: 'GET /datasets/{id}/legend.json', at, act: choose(raster), isLong: true },
    {
      request: 'POST /form-templates/{id}/forms?wait=10',
      at,
      async act(page) {
        await choose(table)(page);
        await page
          .getByLabel(/^Values: /)
          .first()
          .waitFor();
        await button('Fill the form')(page).click();
      },
      again: button('Fill the form'),
      fields: ['fields', 'overwrite'],
      isLong: true,
    },
    {
      request: 'DELETE /form-templates/{id}',
      at,
      async act(page) {
        await button('Delete: balance.xlsx')(page).click();
        await inDialog('Delete')(page).click();
      },
      again: inDialog('Delete'),
      isLong: true,
    },
  ];
}
