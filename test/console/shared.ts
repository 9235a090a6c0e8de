/** Services, maps, a browser with WebGL and one without, which the stories of one process share. */
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

/** Returns another service, which each story finds empty: stories call `clear` before their first test. */
export async function clearedService() {
  cleared ??= closeAfterTests(startService());
  return await cleared;
}

/** Deletes everything from earlier stories, except the category and groups of the Landscape Program, which every service has. */
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

/** Returns a Chromium; each story uses its own context. */
export async function sharedBrowser({ gpu = false }: { readonly gpu?: boolean } = {}) {
  const browser = browsers.get(gpu) ?? closeAfterTests(openBrowser({ gpu }));
  browsers.set(gpu, browser);
  return await browser;
}

/**
 * Starts a service with runs: one with empty slots, the first that computes, one that reuses most of it, and one with an unsuitable raster.
 */
async function makeRuns() {
  const { baseUrl } = await closeAfterTests(startService());
  const landscape = createLandscapeClient(baseUrl);
  const withoutInputs = await landscape.finished((await landscape.start()).id);
  await landscape.fillAll();
  const first = await landscape.run();
  const strict = await landscape.run({ params: { v1_min_s_e3: 5 } });
  const pinned = await landscape.fill('ndvi', await golden('ndvi-elsewhere'));
  const unfit = await landscape.finished((await landscape.start()).id);
  // Later runs find everything that they need.
  assert.equal((await fetch(`${baseUrl}/datasets/${pinned}`, { method: 'DELETE' })).status, 204);
  return { baseUrl, landscape, runs: { withoutInputs, first, strict, unfit } };
}

/** Returns a service with runs and full slots; stories read the runs and start others. */
export async function sharedRuns() {
  withRuns ??= makeRuns();
  return await withRuns;
}
