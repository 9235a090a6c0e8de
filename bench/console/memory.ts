import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { uploadMaps } from '../../test/console/map-data.ts';
import { openBrowser } from '../../test/support/browser/browser.ts';
import { createClient } from '../../test/support/client.ts';
import { descendantsOf, eventually } from '../../test/support/processes.ts';
import { startService } from '../../test/support/service.ts';
import { median } from '../contest.ts';
import { memoryOf, round } from '../memory.ts';
import { makeFolder } from '../service.ts';
import { secondsToStill } from './still.ts';

const layers = 20;
/** Targets of the page: memory stays under this limit, and grows by at most a tenth. */
const budgetMiB = 400;
const growth = 1.1;
const usualMinutes = 30;

/**
 * Navigates a map of twenty layers for `BENCH_MINUTES` (30), and prints the resident memory of the page's process in MiB: medians of the
 * first and of the last third of the time, and the maximum. One line of JSON.
 */
export async function benchConsoleMemory(): Promise<void> {
  const minutes = Number(process.env['BENCH_MINUTES'] ?? usualMinutes);
  await using resources = new AsyncDisposableStack();
  const folder = await makeFolder(resources);
  const { baseUrl } = resources.use(await startService());
  const ids = await uploadLayers(baseUrl, folder);
  const browser = resources.use(await openBrowser({ isWhole: true }));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(`${baseUrl}/#/map?l=${ids.join(',')}`);
  await secondsToStill(page);
  const seen: number[] = [];
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await lookAround(page);
    seen.push(await residentOfPage());
  }
  const third = Math.ceil(seen.length / 3);
  const [first, last] = [median(seen.slice(0, third)), median(seen.slice(-third))];
  const most = Math.max(...seen);
  console.log(
    JSON.stringify({
      bench: 'console-memory',
      layers: ids.length,
      minutes,
      looks: seen.length,
      firstMiB: round(first),
      lastMiB: round(last),
      mostMiB: round(most),
      budgetMiB,
    }),
  );
  if (most > budgetMiB || last > first * growth) process.exitCode = 1;
}

/** Uploads a table of three dates, and rasters. */
async function uploadLayers(baseUrl: string, folder: string): Promise<readonly string[]> {
  const { raster, population } = await uploadMaps(baseUrl, folder);
  const client = createClient(baseUrl);
  const { body: dataset } = await client.json<{ category_id: string }>(`/datasets/${raster}`);
  const copy = new File([await readFile(join(folder, 'classes.tif'))], 'classes.tif');
  const ids = [population, raster];
  while (ids.length < layers) {
    const id = await client.upload(dataset.category_id, 'raster', copy);
    await eventually('ready', async () => (await client.status(id)).status === 'ready');
    ids.push(id);
  }
  return ids;
}

/** Pans, zooms in and out, and shows every date. */
async function lookAround(page: Page): Promise<void> {
  const [closer, further] = [
    page.locator('.map-buttons button').nth(0),
    page.locator('.map-buttons button').nth(1),
  ];
  for (const button of [closer, closer, further, further]) {
    await button.click();
    await page.mouse.move(700, 400);
    await page.mouse.down();
    await page.mouse.move(500 + Math.random() * 400, 300 + Math.random() * 200);
    await page.mouse.up();
    await page.waitForTimeout(500);
  }
  await page.locator('.map-buttons button').nth(2).click();
  const slider = page.locator('.map-time input');
  for (const date of ['0', '1', '2']) {
    await slider.fill(date);
    await page.waitForTimeout(200);
  }
}

/** Returns the resident memory of the map: the largest renderer process of Chromium. */
async function residentOfPage(): Promise<number> {
  const renderers = (await descendantsOf(process.pid)).filter(({ commandLine }) =>
    commandLine.includes('--type=renderer'),
  );
  const resident = await Promise.all(renderers.map(async ({ pid }) => (await memoryOf(pid)).residentMiB));
  return Math.max(...resident);
}
