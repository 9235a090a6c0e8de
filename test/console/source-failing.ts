import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { netcdfFile } from '../support/geo/netcdf-files.ts';
import { append, begin } from '../support/http/tus.ts';
import { button, type Failing, inDialog, press } from './faults.ts';

/** One month of temperatures. */
const climate = netcdfFile({ time: 1, lat: 2, lon: 3 }, [
  {
    name: 'lat',
    type: 'float64',
    dimensions: ['lat'],
    attributes: { units: 'degrees_north' },
    values: [50, 49],
  },
  {
    name: 'lon',
    type: 'float64',
    dimensions: ['lon'],
    attributes: { units: 'degrees_east' },
    values: [60, 61, 62],
  },
  {
    name: 'time',
    type: 'int32',
    dimensions: ['time'],
    attributes: { units: 'days since 2020-01-01', calendar: 'standard' },
    values: [0],
  },
  { name: 't2m', type: 'float32', dimensions: ['time', 'lat', 'lon'], values: [1, 2, 3, 4, 5, 6] },
]);

async function keep(baseUrl: string, filename: string): Promise<string> {
  const path = await begin(baseUrl, climate.length, { filename, use: 'rasters' });
  const answer = await append(baseUrl + path, 0, new Uint8Array(climate));
  assert.equal(answer.status, 204, await answer.text());
  return answer.headers.get('location')?.split('/').at(-1) ?? assert.fail('no location');
}

const choose = async (page: Page): Promise<void> =>
  await page
    .locator('.source-choose input')
    .setInputFiles({ name: 'sent.nc', mimeType: '', buffer: climate });

/** An upload that is interrupted, says so, continues by itself and opens the file. */
function continues(request: string, act: (page: Page) => Promise<void> = choose): Failing {
  let said: Promise<void> | undefined;
  return {
    request,
    at: '/source-files',
    async act(page) {
      said = page.getByText('the upload resumes automatically').waitFor();
      // `ends` reports that the sentence is missing.
      said.catch(() => undefined);
      await act(page);
    },
    again: 'by itself',
    async ends(page) {
      await said;
      await page.getByLabel('Variable').waitFor();
    },
    isLong: true,
  };
}

/** Requests of the page that makes rasters from files of NetCDF and its like. */
export async function sourceFailing(baseUrl: string): Promise<readonly Failing[]> {
  const at = `/source-files/${await keep(baseUrl, 'kept.nc')}`;
  await keep(baseUrl, 'spare.nc');
  const order = {
    at,
    act: press('Make one raster'),
    again: button('Make one raster'),
    fields: ['variable', 'category_id', 'positions', 'axis', 'steps', 'dg_id', 'name', 'code'],
    isLong: true,
  };
  return [
    { request: 'GET /source-files', at: '/source-files', isLong: true },
    continues('POST /uploads'),
    // Another story tests an unanswered part, because it waits longer.
    { ...continues('PATCH /uploads/{id}'), faults: ['refused', 'cut'] },
    // The file has arrived, but the page has no answer about it.
    continues('GET /uploads/{id}', async (page) => {
      await page.context().route('**/source-files/*', async (route) => await route.abort(), { times: 1 });
      await choose(page);
    }),
    continues('GET /source-files/{id}'),
    {
      request: 'DELETE /uploads/{id}',
      at: '/source-files',
      async act(page) {
        await page.context().route('**/uploads/*', async (route) => {
          if (route.request().method() !== 'PATCH') await route.fallback(); // else it stays unanswered
        });
        const sent = page.waitForRequest((request) => request.method() === 'PATCH');
        await choose(page);
        await sent;
        await press('Cancel: sent.nc')(page);
      },
      again: 'by itself',
      async ends(page) {
        await page.waitForRequest((request) => request.method() === 'DELETE');
      },
      isLong: true,
    },
    { request: 'GET /source-files/{id}/variables?wait=10', at, isLong: true },
    { request: 'GET /source-files/{id}/rasters', at, isLong: true },
    { request: 'GET /categories', at, isLong: true },
    { request: 'GET /dataset-groups?page_size=100', at, isLong: true },
    { ...order, request: 'POST /dataset-groups' },
    { ...order, request: 'POST /source-files/{id}/rasters' },
    {
      request: 'DELETE /source-files/{id}',
      at: '/source-files',
      async act(page) {
        await press('Delete: spare.nc')(page);
        await inDialog('Delete')(page).click();
      },
      again: inDialog('Delete'),
      isLong: true,
    },
  ];
}
