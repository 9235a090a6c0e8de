import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser/browser.ts';
import { type Service, startService } from '../../test/support/service.ts';
import { median } from '../contest.ts';
import { dates, fillList, side, uploadData } from './data.ts';
import { openSpreadsheet, writeMillion } from './spreadsheet.ts';
import { secondsToStill } from './still.ts';

const rounds = 3;
/** Targets of the page in seconds, on an otherwise idle machine. */
const budgets = {
  coldStart: 1.5,
  firstPicture: 1,
  zoomStep: 1,
  pan: 0.2,
  choropleth: 0.5,
  oneDate: 0.016,
  listPage: 0.2,
  spreadsheet: 2,
  spreadsheetTask: 0.1,
};
type Figure = keyof typeof budgets;
const pagesTurned = 10;
const maxRows = 100;

/**
 * Prints the duration of these actions in Chromium without WebGL as one line of JSON, as medians of three rounds: drawing a COG of 10,000
 * × 10,000 floats, classes in the colours of their style and 224 districts at 24 dates, paging through a list of 5,000 datasets, and
 * opening a workbook of a million cells. A cold start is the first page of a newly opened browser.
 */
export async function benchConsole(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using service = await startService();
  await using browser = await openBrowser({ isWhole: true });
  // Frames are presented when they are ready, not at the refresh rate of a screen.
  await using hasty = await openBrowser({
    isWhole: true,
    more: ['--disable-frame-rate-limit', '--disable-gpu-vsync'],
  });
  try {
    const { raster, classes, table } = await uploadData(service.baseUrl, folder);
    await fillList(service);
    const million = await writeMillion(folder);
    const [page, hastyPage] = [await newPage(browser), await newPage(hasty)];
    const open = async (page: Page, id: string) => {
      await page.goto('about:blank');
      await page.goto(`${service.baseUrl}/#/map?l=${id}`);
      return await secondsToStill(page);
    };
    const coldStart = async (): Promise<number> => {
      await using fresh = await openBrowser({ isWhole: true });
      return await open(await newPage(fresh), classes);
    };
    const all: Record<Figure, number>[] = [];
    // From here on, scripts are compiled and cached.
    await open(page, raster);
    for (let round = 0; round < rounds; round += 1) {
      const firstPicture = await open(page, raster);
      await page.locator('.map-buttons button').first().click();
      const zoomStep = await secondsToStill(page);
      await drag(page);
      const pan = await secondsToStill(page);
      const choropleth = await open(page, table);
      await open(hastyPage, table);
      const oneDate = await medianOfDates(hastyPage);
      const listPage = await medianOfPages(page, service);
      const opened = await openSpreadsheet(page, service.baseUrl, million);
      const figures = {
        coldStart: await coldStart(),
        firstPicture,
        zoomStep,
        pan,
        choropleth,
        oneDate,
        listPage,
      };
      all.push({ ...figures, ...opened });
    }
    const seconds = Object.fromEntries(
      Object.keys(budgets).map((figure) => [figure, median(all.map((each) => Object(each)[figure]))]),
    );
    const figures = { bench: 'console', side, dates, seconds, budgets };
    console.log(
      JSON.stringify(figures, (_, value: unknown) =>
        typeof value === 'number' ? Number(value.toFixed(3)) : value,
      ),
    );
    const late = Object.entries(budgets).filter(([figure, budget]) => (seconds[figure] ?? Infinity) > budget);
    if (late.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const newPage = async (browser: Browser) =>
  await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });

/** Drags the map by a fifth of its width. */
async function drag(page: Page): Promise<void> {
  const [x, y] = [700, 400];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 200, y);
  await page.mouse.up();
}

/**
 * Returns the median duration of a change of date, from the input until its frame is drawn on the canvas. The browser does not wait for
 * the refresh of a screen (`--disable-frame-rate-limit`), which would add up to 17 ms of idle time. One pixel is read, so that the canvas
 * has actually been painted.
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

/** Returns the median duration of the next page of the list, from the click until its rows are drawn. */
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
