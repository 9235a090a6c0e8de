/** What stories share that run in one process: a service, its maps, and a browser with WebGL and one without. */
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { startService } from '../support/service.ts';
import { uploadMaps } from './map-data.ts';

let service: ReturnType<typeof startService> | undefined;
let maps: ReturnType<typeof uploadMaps> | undefined;
const browsers = new Map<boolean, ReturnType<typeof openBrowser>>();

export async function sharedService() {
  service ??= closeAfterTests(startService());
  return await service;
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
