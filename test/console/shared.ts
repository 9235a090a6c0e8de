/** What stories share that run in one process: services, maps, and a browser with WebGL and one without. */
import assert from 'node:assert/strict';
import { openBrowser } from '../support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { createLandscapeClient, golden } from '../support/landscape/landscape.ts';
import { startService } from '../support/service.ts';
import { uploadMaps } from './map-data.ts';

let service: ReturnType<typeof startService> | undefined;
let cleared: ReturnType<typeof startService> | undefined;
let withRuns: ReturnType<typeof makeRuns> | undefined;
let maps: ReturnType<typeof uploadMaps> | undefined;
const browsers = new Map<boolean, ReturnType<typeof openBrowser>>();

export async function sharedService() {
  service ??= closeAfterTests(startService());
  return await service;
}

/** Returns another service, which each of its stories finds empty: they call `clear` before their first test. */
export async function clearedService() {
  cleared ??= closeAfterTests(startService());
  return await cleared;
}

/** Deletes what earlier stories have left; category and groups of the Landscape Program stay, as in every service. */
export async function clear(baseUrl: string): Promise<void> {
  for (const path of ['datasets', 'dataset-groups', 'categories']) {
    const found: unknown = await (await fetch(`${baseUrl}/${path}?page_size=100`)).json();
    const { data }: { data: readonly { id: string; code?: string }[] } = Array.isArray(found)
      ? { data: found }
      : Object(found);
    for (const { id, code } of data) {
      if (code?.startsWith('landscape') === true) continue;
      const { status } = await fetch(`${baseUrl}/${path}/${id}`, { method: 'DELETE' });
      assert.equal(status, 204);
    }
  }
}

/** Returns the ids of the maps on the shared service. */
export async function sharedMaps() {
  const { baseUrl } = await sharedService();
  maps ??= temporaryFolder().then(async (folder) => await uploadMaps(baseUrl, folder));
  return await maps;
}

/** Returns a Chromium; what a story sees and keeps is in a context of its own. */
export async function sharedBrowser({ gpu = false }: { readonly gpu?: boolean } = {}) {
  const browser = browsers.get(gpu) ?? closeAfterTests(openBrowser({ gpu }));
  browsers.set(gpu, browser);
  return await browser;
}

/** Starts a service with a run whose slots were empty, the first that computes, one that reuses most of it, and one with a raster that is unfit. */
async function makeRuns() {
  const { baseUrl } = await closeAfterTests(startService());
  const landscape = createLandscapeClient(baseUrl);
  const withoutInputs = await landscape.finished((await landscape.start()).id);
  await landscape.fillAll();
  const first = await landscape.run();
  const strict = await landscape.run({ params: { v1_min_s_e3: 5 } });
  const pinned = await landscape.fill('ndvi', await golden('ndvi-elsewhere'));
  const unfit = await landscape.finished((await landscape.start()).id);
  // Later runs find what they can compute.
  assert.equal((await fetch(`${baseUrl}/datasets/${pinned}`, { method: 'DELETE' })).status, 204);
  return { baseUrl, landscape, runs: { withoutInputs, first, strict, unfit } };
}

/** Returns a service with runs, whose slots are full; stories read them, and start others. */
export async function sharedRuns() {
  withRuns ??= makeRuns();
  return await withRuns;
}
