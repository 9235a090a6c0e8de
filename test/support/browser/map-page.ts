import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { assertColours, readLegend } from '../maps/legends.ts';
import { takePicture, takeScreenshot } from './screenshots.ts';

const leafletFolder = dirname(fileURLToPath(import.meta.resolve('leaflet/dist/leaflet.js')));
const leafletUrl = 'https://unpkg.com/leaflet@1.9.4/dist/';
/** Background colour of the page. */
const ground = '#f1f2ee';

/**
 * Opens a page from `draw` of ask.sh as a local file, and asserts that it shows the map and the legend at
 * `address`. Everything comes from the service except Leaflet, whose hash the page checks.
 * @returns the title of the page
 */
export async function assertMapPage(path: string, address: string): Promise<string> {
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 960, height: 640 } });
  const faults: string[] = [];
  page
    .on('console', (message) => faults.push(message.text()))
    .on('pageerror', (error) => faults.push(error.message));
  page.on('requestfailed', (request) => faults.push(request.url()));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.route(`${leafletUrl}*`, async (route) => {
    const headers = { 'access-control-allow-origin': '*' };
    await route.fulfill({ path: join(leafletFolder, basename(route.request().url())), headers });
  });
  await page.goto(pathToFileURL(path).href);
  await allLoaded(page);
  await takePicture(page, 'map-leaflet');
  await assertMap(page, await readLegend(address));

  const elsewhere = asked.filter((url) => !url.startsWith(address) && !url.startsWith(leafletUrl));
  assert.deepEqual(elsewhere, [pathToFileURL(path).href]);
  assert.ok(asked.includes(`${address}/legend.png`));
  assert.deepEqual(faults, []);
  assert.match((await page.locator('.leaflet-control-scale').textContent()) ?? '', /^\d+ k?m$/);
  return await page.title();
}

async function allLoaded(page: Page): Promise<void> {
  await page.waitForFunction(`(() => {
    const picture = document.querySelector('#legend img');
    const tiles = [...document.querySelectorAll('.leaflet-tile')];
    const isShown = (tile) => tile.classList.contains('leaflet-tile-loaded') && tile.style.opacity === '1';
    return picture.complete && picture.naturalWidth > 100 && tiles.length > 0 && tiles.every(isShown);
  })()`);
}

/** Asserts that every pixel of the map has a colour of the legend, and that the whole map is in the middle of the window. */
async function assertMap(page: Page, legend: Awaited<ReturnType<typeof readLegend>>): Promise<void> {
  await page.addStyleTag({ content: '.leaflet-control-container { display: none }' });
  const { width, height, colourAt, colours } = await takeScreenshot(page, '#map');
  const drawn = [...colours.keys()].filter((colour) => colour !== ground);
  if (legend.kind === 'classes') {
    const known = legend.entries.map(({ colour }) => colour);
    assertColours(drawn, known);
  }
  const isDrawn = (column: number, row: number): boolean => colourAt(column, row) !== ground;
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) => isDrawn(at, height >> 1));
  const rows = Array.from({ length: height }, (_, at) => at).filter((at) => isDrawn(width >> 1, at));
  for (const [size, seen] of [
    [width, columns],
    [height, rows],
  ] as const) {
    const [first = 0, last = 0] = [seen[0], seen.at(-1)];
    assert.ok(first > 0 && last < size - 1 && last - first > size / 4, `${first} to ${last} of ${size}`);
    assert.ok(Math.abs(first + last + 1 - size) <= 4, `${first} to ${last} of ${size}`);
  }
}
