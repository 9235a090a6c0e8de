import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gdal from 'gdal-async';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';
import { createClient } from '../test/support/client.ts';
import { eventually } from '../test/support/processes.ts';
import { insertPendingDatasets } from '../test/support/pending-datasets.ts';
import { type Service, startService } from '../test/support/service.ts';
import { median } from './contest.ts';
import { connectTo } from './database.ts';

const side = 10_000;
const dates = 24;
const rounds = 3;
/** Promises of the design of the page, in seconds, on a machine that does nothing else. */
const budgets = { firstPicture: 1, zoomStep: 1, choropleth: 0.5, oneDate: 0.016, listPage: 0.2 };
const listed = 5000;
const pagesTurned = 10;
const maxRows = 100;

/**
 * Draws a COG of 10,000 × 10,000 floats and 224 districts at 24 dates in Chromium without WebGL, turns the pages of a list of
 * 5,000 datasets, and prints how long each takes, as one line of JSON: medians of three rounds.
 */
export async function benchConsole(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using service = await startService();
  await using browser = await openBrowser();
  // Frames come when they are ready, and not when a screen would be.
  await using hasty = await openBrowser({ more: ['--disable-frame-rate-limit', '--disable-gpu-vsync'] });
  try {
    const { raster, table } = await upload(service.baseUrl, folder);
    await fillList(service);
    const [page, hastyPage] = [await newPage(browser), await newPage(hasty)];
    const open = async (page: Page, id: string) => {
      await page.goto('about:blank');
      await page.goto(`${service.baseUrl}/#/map?l=${id}`);
      return await secondsToStill(page);
    };
    // The scripts are compiled and in the cache from here on.
    await open(page, raster);
    const all: Record<keyof typeof budgets, number>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const firstPicture = await open(page, raster);
      await page.locator('.map-buttons button').first().click();
      const zoomStep = await secondsToStill(page);
      const choropleth = await open(page, table);
      await open(hastyPage, table);
      const oneDate = await medianOfDates(hastyPage);
      all.push({ firstPicture, zoomStep, choropleth, oneDate, listPage: await medianOfPages(page, service) });
    }
    const medianOf = (figure: keyof typeof budgets) => median(all.map((seconds) => seconds[figure]));
    const seconds = {
      firstPicture: medianOf('firstPicture'),
      zoomStep: medianOf('zoomStep'),
      choropleth: medianOf('choropleth'),
      oneDate: medianOf('oneDate'),
      listPage: medianOf('listPage'),
    };
    const figures = { bench: 'console', side, dates, seconds, budgets };
    console.log(
      JSON.stringify(figures, (_, value: unknown) =>
        typeof value === 'number' ? Number(value.toFixed(3)) : value,
      ),
    );
    const late = Object.entries(budgets).filter(([name, budget]) => Object(seconds)[name] > budget);
    if (late.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const newPage = async (browser: Browser) =>
  await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });

async function upload(baseUrl: string, folder: string) {
  const client = createClient(baseUrl);
  const category = await client.createCategory('bench');
  const become = async (id: string, wanted: string) =>
    await eventually(wanted, async () => ((await client.status(id)).status === wanted ? id : undefined), 300);
  const path = join(folder, 'relief.tif');
  writeRelief(path);
  const file = new File([await readFile(path)], 'relief.tif');
  const raster = await become(await client.upload(category, 'raster', file), 'ready');
  const districts: { features: { properties: { kato: string } }[] } = JSON.parse(
    await (await fetch(`${baseUrl}/districts.geojson?level=district`)).text(),
  );
  const years = Array.from({ length: dates }, (_, index) => String(2000 + index));
  const features = districts.features.map(({ properties: { kato } }, row) => {
    const values = years.map((year, column) => [year, (row * 37 + column * 11) % 101]);
    return { type: 'Feature', geometry: null, properties: { kato, ...Object.fromEntries(values) } };
  });
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  const table = await client.upload(category, 'vector_with_kato', new File([text], 'table.geojson'));
  await become(table, 'awaiting_mapping');
  const columns = years.map((year) => ({
    column: year,
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  }));
  await client.map(table, { kato_column: 'kato', year_columns: columns });
  return { raster, table: await become(table, 'ready') };
}

async function fillList(service: Service): Promise<void> {
  const database = await connectTo(service);
  try {
    await insertPendingDatasets(database, listed);
  } finally {
    await database.end();
  }
}

/** Hills that no two rows have alike, over the north of Kazakhstan. */
function writeRelief(path: string): void {
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', ZLEVEL: '1', BIGTIFF: 'YES' };
  const file = gdal.drivers.get('GTiff').create(path, side, side, 1, 'Float32', options);
  file.srs = gdal.SpatialReference.fromEPSG(32_642);
  file.geoTransform = [200_000, 60, 0, 5_900_000, 0, -60];
  const band = file.bands.get(1);
  const rows = 500;
  const values = new Float32Array(side * rows);
  for (let top = 0; top < side; top += rows) {
    for (let at = 0; at < values.length; at += 1) {
      const [x, y] = [at % side, top + Math.floor(at / side)];
      values[at] = 300 + 180 * Math.sin(x / 371) * Math.cos(y / 293) + ((x * 31 + y * 17) % 13);
    }
    band.pixels.write(0, top, side, rows, values);
  }
  file.close();
}

/**
 * Seconds from the start of the navigation, or from the last press, until the last pixel of the data changed. Everything
 * counts that a reader waits for: a process for the page, its scripts, the requests, the drawing. Scripts and fonts come
 * from the browser's cache, as on any visit but the first. The wait that shows that nothing more changes is not counted;
 * what the browser needs to bring a finished canvas to the screen is not seen.
 */
async function secondsToStill(page: Page): Promise<number> {
  return await page.evaluate<number>(waitUntilStill);
}

/**
 * Watches the canvas of the data by a sum over some of its rows, so that watching takes about a millisecond; a sum over all
 * of it took a third of the time of the page. Quiet for a second is still: while a machine is busy, tiles come with pauses.
 */
const waitUntilStill = `new Promise((resolve) => {
  const start = window.pressedAt ?? 0;
  let [last, since] = [undefined, performance.now()];
  const look = () => {
    const canvas = document.querySelector('.map-data canvas');
    const now = performance.now();
    if (canvas !== null && canvas.width > 0) {
      const context = canvas.getContext('2d');
      let sum = 0;
      for (let row = 8; row < canvas.height; row += 32) {
        const { data } = context.getImageData(0, row, canvas.width, 1);
        for (let at = 0; at < data.length; at += 16) sum = (sum * 31 + data[at] + data[at + 1] + data[at + 3]) % 1000003;
      }
      if (sum !== last) [last, since] = [sum, now];
    }
    if (last !== undefined && last !== 0 && now - since > 1000) resolve((since - start) / 1000);
    else setTimeout(look, 20);
  };
  addEventListener('pointerdown', () => (window.pressedAt = performance.now()), { capture: true });
  look();
})`;

/**
 * The median of what a change of date takes, from the input until its frame is drawn on the canvas. The browser is told not
 * to hold frames back for a screen (`--disable-frame-rate-limit`): it would add up to 17 ms of waiting, in which a page
 * does nothing. One pixel is read, so that the canvas has been painted and not only told what to paint.
 */
async function medianOfDates(page: Page): Promise<number> {
  const times = await page.evaluate<readonly number[]>(`(async () => {
    const slider = document.querySelector('.map-time input');
    const context = document.querySelector('.map-data canvas').getContext('2d');
    const times = [];
    for (let date = 0; date < ${dates}; date += 1) {
      const start = performance.now();
      slider.value = date;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      context.getImageData(0, 0, 1, 1);
      times.push((performance.now() - start) / 1000);
    }
    return times;
  })()`);
  return median(times);
}

/** The median of what the next page of the list takes, from the click until its rows are drawn. */
async function medianOfPages(page: Page, { baseUrl }: Service): Promise<number> {
  await page.goto(`${baseUrl}/#/datasets`);
  await page.locator('.pages a[rel=next]').waitFor();
  const { times, rows } = await page.evaluate<{ times: readonly number[]; rows: number }>(`(async () => {
    const first = () => document.querySelector('tbody th a').href;
    const times = [];
    let rows = 0;
    for (let turned = 0; turned < ${pagesTurned}; turned += 1) {
      const [before, start] = [first(), performance.now()];
      document.querySelector('.pages a[rel=next]').click();
      while (first() === before) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push((performance.now() - start) / 1000);
      rows = Math.max(rows, document.querySelectorAll('tbody tr').length);
    }
    return { times, rows };
  })()`);
  if (rows > maxRows) throw new Error(`the list holds ${rows} rows at once`);
  return median(times);
}
