import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ru } from '../../map/words/ru.ts';
import { visit } from '../../../../test/support/browser/browser.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { classColours } from '../../../../test/console/map-data.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedMaps, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const ids = await sharedMaps();

const addressOf = (query: string) => `${baseUrl}/#/map?${query}`;
const openMap = async (page: Page, query: string) => {
  await page.goto('about:blank');
  await page.goto(addressOf(query));
};
/** Opens a page on a map. */
const show = async (browser: Browser, query: string, more: Partial<Parameters<typeof visit>[1]> = {}) =>
  await visit(browser, { baseUrl: addressOf(query), language: 'ru', ...more });
const answerCogs = async (page: Page, status: number) =>
  await page.context().route('**/*.cog', async (route) => await route.fulfill({ status, body: '{}' }));

describe('the map', async () => {
  const browser = await sharedBrowser({ gpu: false });

  test('a raster that crosses 180° is drawn whole', async () => {
    const { page, close } = await show(browser, `l=${ids.dateline}`);
    await drawn(page);
    const { width, height } = await page.evaluate<{ width: number; height: number }>(`(() => {
      const canvas = document.querySelector('.map-data canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const [columns, rows] = [new Set(), new Set()];
      for (let at = 3; at < data.length; at += 4) {
        if (data[at] === 0) continue;
        columns.add(((at - 3) / 4) % canvas.width);
        rows.add(Math.floor((at - 3) / 4 / canvas.width));
      }
      return { width: columns.size, height: rows.size };
    })()`);
    assert.ok(height > 300, `${height} rows`);
    // It is about as wide as it is high, and its meridians lean; its western part alone is half as wide.
    assert.ok(width > 0.9 * height, `${width} of ${height}`);
    await close();
  });

  test('the base map is drawn after the data, and also without any', async () => {
    const { page, close } = await show(browser, `l=${ids.raster}`, { expected: /status of 503/ });
    const base = page.locator('.map-lines canvas');
    await drawn(page);
    await base.waitFor({ state: 'attached' });
    await openMap(page, '');
    await base.waitFor({ state: 'attached' });
    await answerCogs(page, 503);
    await openMap(page, `l=${ids.raster}`);
    await page.getByRole('alert').filter({ hasText: ru.problem.away }).waitFor();
    await base.waitFor({ state: 'attached' });
    await close();
  });

  test('a raster that goes while the page is open says so, and can be tried again', async () => {
    const { page, close } = await show(browser, `l=${ids.raster},${ids.population}`, {
      before: async (opened) => await answerCogs(opened, 404),
    });
    await page.getByRole('alert').filter({ hasText: ru.problem.gone }).waitFor();
    assert.match((await page.locator('.map-layers > li').first().textContent()) ?? '', /classes\.tif/);
    await page.context().unroute('**/*.cog');
    await answerCogs(page, 503);
    await openMap(page, `l=${ids.raster}`);
    await page.getByRole('alert').filter({ hasText: ru.problem.away }).waitFor();
    await page.context().unroute('**/*.cog');
    await page.getByRole('button', { name: ru.again }).click();
    assert.equal((await drawn(page)).size, classColours.length);
    await close();
  });

  test('another address shows another map, without a new page', async () => {
    const { page, close } = await show(browser, `l=${ids.population}`);
    await drawn(page);
    await page.evaluate('window.isSamePage = true');
    await page.evaluate(`location.hash = '#/map?l=${ids.raster}'`);
    await page.getByText('classes.tif', { exact: true }).waitFor();
    await eventually('one layer', async () => (await page.locator('.map-layers > li').count()) === 1);
    assert.equal((await drawn(page)).size, classColours.length);
    assert.equal(await page.evaluate('window.isSamePage'), true);
    await close();
  });

  test('leaving a map while it is loading leads to the chosen page', async () => {
    const { page, words, close } = await show(browser, '');
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    for (const pauseMs of [300, 600, 1200, 2400]) {
      await openMap(page, `l=${ids.raster},${ids.population}`);
      await page.waitForTimeout(pauseMs);
      await page.goto(`${baseUrl}/#/datasets`);
      await page.getByRole('heading', { level: 1, name: words.datasets.title }).waitFor();
      assert.equal(await page.evaluate('location.hash'), '#/datasets');
    }
    await close();
  });
});
