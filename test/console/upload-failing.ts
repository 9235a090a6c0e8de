import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { MiB } from '../../src/lib/units.ts';
import { temporaryFolder } from '../support/for-tests.ts';
import type { Failing } from './faults.ts';

/** Requests of an upload in parts. Another story tests an unanswered part, because it waits longer. */
export async function uploadFailing(): Promise<readonly Failing[]> {
  const path = join(await temporaryFolder(), 'large.tif');
  await writeFile(path, 'II*\0');
  await truncate(path, 65 * MiB);
  const choose = async (page: Page): Promise<void> =>
    await page.locator('input[type=file]').setInputFiles(path);
  const row = (page: Page) => page.locator('.tray').getByRole('listitem').filter({ hasText: 'large.tif' });
  /** Waits until the upload has continued by itself and become a dataset, in any state. */
  const arrives = async (page: Page): Promise<void> =>
    await row(page).getByRole('link', { name: 'Open', exact: true }).waitFor();
  const pieces = (request: string): Failing => ({
    request,
    at: '/',
    act: choose,
    again: 'by itself',
    ends: arrives,
    isLong: true,
  });
  return [
    { request: 'OPTIONS /uploads', at: '/', act: choose, isLong: true },
    pieces('POST /uploads'),
    pieces('GET /uploads/{id}'),
    { ...pieces('PATCH /uploads/{id}'), faults: ['refused', 'cut'] },
    {
      request: 'DELETE /uploads/{id}',
      at: '/',
      async act(page) {
        await page.context().route('**/uploads/*', async (route) => {
          if (route.request().method() !== 'PATCH') await route.fallback(); // else it stays unanswered
        });
        const sent = page.waitForRequest((request) => request.method() === 'PATCH');
        await choose(page);
        await sent;
        await row(page).getByRole('button', { name: 'Cancel' }).click();
      },
      again: 'by itself',
      async ends(page) {
        await page.waitForRequest((request) => request.method() === 'DELETE');
      },
      isLong: true,
    },
  ];
}
