import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { millionCellsAsWorkbook } from '../../test/support/tables/large-tables.ts';

/** Writes a workbook of a million cells, and returns its path. */
export async function writeMillion(folder: string): Promise<string> {
  const path = join(folder, 'million.xlsx');
  await writeFile(path, millionCellsAsWorkbook());
  return path;
}

/**
 * Opens a workbook in the page. Returns the seconds until its first rows are drawn, and the duration of the longest task that blocked the
 * page meanwhile, 0 if none took 50 ms.
 */
export async function openSpreadsheet(page: Page, baseUrl: string, path: string) {
  await page.goto('about:blank');
  await page.goto(`${baseUrl}/#/datasets`);
  await page.locator('input[type=file]').first().waitFor({ state: 'attached' });
  await page.evaluate(`(() => {
    window.tasks = [0];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    window.shown = new Promise((resolve) => {
      document.addEventListener('change', () => { window.chosenAt = performance.now(); }, { capture: true, once: true });
      const look = () => document.querySelector('.spreadsheet-table tbody td') === null ? requestAnimationFrame(look) : setTimeout(() => resolve(performance.now()));
      look();
    });
  })()`);
  await page.locator('input[type=file]').first().setInputFiles(path);
  const [seconds, task] = await page.evaluate<readonly [number, number]>(
    'window.shown.then((at) => [(at - window.chosenAt) / 1000, Math.max(...window.tasks) / 1000])',
  );
  return { spreadsheet: seconds, spreadsheetTask: task };
}
