import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ru } from './words/ru.ts';
import { titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../../../../test/support/for-tests.ts';
import { millionCellsAsCsv, millionCellsAsWorkbook } from '../../../../test/support/tables/large-tables.ts';
import { costly } from '../../../../test/spreadsheets/hostile/costly.ts';
import { disguised, longTexts, lying } from '../../../../test/spreadsheets/hostile/lying.ts';
import { olderLying } from '../../../../test/spreadsheets/hostile/older.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const setting = { language: 'ru', width: 1280, gpu: false } as const;
const folder = await temporaryFolder();
const { baseUrl } = await sharedService();
const { page, check } = await closeAfterTests(visit(await sharedBrowser(), { baseUrl, ...setting }));
/** Longest blocking task in milliseconds; `bench` checks the promise of 100. */
const longest = 1000;
const patience = { timeout: 60_000 };

async function open(name: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  await page.evaluate(`window.longTasks?.disconnect();
    window.tasks = [];
    window.longTasks = new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)));
    window.longTasks.observe({ type: 'longtask' });`);
  await page.locator('input[type=file]').first().setInputFiles(path);
}

async function close(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const hostile = [...costly, ...lying, ...disguised, ...longTexts, ...olderLying];

describe(titleOf('an agronomist opens spreadsheets that are large, or lie', setting), () => {
  for (const [name, bytes] of [
    ['million.xlsx', millionCellsAsWorkbook],
    ['million.csv', millionCellsAsCsv],
  ] as const) {
    test(`a million cells are shown without standing still: ${name}`, async () => {
      await open(name, bytes());
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('cell', { name: '3.7', exact: true })
        .or(dialog.getByText('3,7', { exact: true }))
        .first()
        .waitFor(patience);
      const tasks = await page.evaluate<readonly number[]>('window.tasks');
      assert.ok(Math.max(0, ...tasks) < longest, `tasks of ${tasks.join(', ')} ms`);
      const cells = await dialog.locator('td').count();
      assert.ok(cells > 10 && cells < 1000, `${cells} cells on the page`);
      await check(name);
      await close();
    });
  }

  for (const file of [
    'bomb.xlsx',
    'texts.xlsx',
    'merges.xlsx',
    'laughs.xlsx',
    'half.xlsx',
    'secret.xlsx',
    'older.xls',
    'columns.csv',
  ]) {
    test(`the page says what is wrong with ${file}, and goes on`, async () => {
      const { bytes, ends } = hostile.find((each) => each.file === file) ?? assert.fail(file);
      await open(file, bytes());
      const alert = page.getByRole('dialog').getByRole('alert').first();
      await alert.waitFor(patience);
      const shown = await alert.innerText();
      const sentences = Object.entries(ru.faults).filter(([code]) => ends.includes(code));
      assert.ok(
        sentences.some(([, sentence]) => shown.startsWith(sentence('§').split('§')[0]?.slice(0, 20) ?? '?')),
        shown,
      );
      const tasks = await page.evaluate<readonly number[]>('window.tasks');
      assert.ok(Math.max(0, ...tasks) < longest, `tasks of ${tasks.join(', ')} ms`);
      await close();
    });
  }

  test('no cell of a validation or of a dimension is on the page', async () => {
    for (const file of ['validations.xlsx', 'dimension.xlsx']) {
      const { bytes } = hostile.find((each) => each.file === file) ?? assert.fail(file);
      await open(file, bytes());
      await page.getByRole('dialog').getByRole('cell').first().waitFor(patience);
      assert.ok((await page.getByRole('dialog').locator('td').count()) < 1000);
      await close();
    }
  });
});
