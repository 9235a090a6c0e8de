import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ru } from '../../map/words/ru.ts';
import { visit } from '../../../../test/support/browser/browser.ts';
import { isLongTier } from '../../../../test/support/tier.ts';
import { classColours, classes, lonLatOf } from '../../../../test/console/map-data.ts';
import { coloursOf, drawn } from '../../../../test/console/map-pixels.ts';
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
const place = (column: number, row: number, zoom: number) => {
  const { lat, lon } = lonLatOf(column, row);
  return `at=${lat.toFixed(5)},${lon.toFixed(5)},${zoom}`;
};

for (const hasWebGl of isLongTier ? [true, false] : [false]) {
  describe(hasWebGl ? 'in Chromium' : 'in Chromium without WebGL', async () => {
    const browser = await sharedBrowser({ gpu: hasWebGl });

    test('a raster has the colours of its style and no others, each as often as its class', async () => {
      const { page, checkFaults, close } = await show(browser, `l=${ids.raster}`);
      const colours = await drawn(page);
      assert.deepEqual([...colours.keys()].toSorted(), classColours.toSorted());
      const all = [...colours.values()].reduce((sum, count) => sum + count);
      const pixels = classes.width * classes.height - 40 * 40;
      for (const [index, colour] of classColours.entries()) {
        const expected = (80 * classes.height - (index === 0 ? 1600 : 0)) / pixels;
        const found = (colours.get(colour) ?? 0) / all;
        assert.ok(Math.abs(found - expected) < 0.01, `${colour}: ${found} for ${expected}`);
      }
      checkFaults('map');
      await close();
    });
  });
}

describe('the map', async () => {
  const browser = await sharedBrowser({ gpu: false });

  test('Enter says the value at the centre, with the name of its class; no data is said so', async () => {
    const { page, close } = await show(browser, '');
    for (const [column, row, said] of [
      [200, 150, 'S3 (3)'],
      [390, 10, 'S5 (5)'],
      [20, 20, ru.noData],
    ] as const) {
      await openMap(page, `l=${ids.raster}&${place(column, row, 8)}`);
      await drawn(page);
      await page.getByRole('application').press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: `classes.tif: ${said}` })
        .waitFor();
    }
    // Only outputs of runs have an explanation.
    assert.equal(await page.locator('.explain').count(), 0);
    await close();
  });

  test('a class can be shown alone, which the address keeps', async () => {
    const { page, close } = await show(browser, `l=${ids.raster}`);
    await drawn(page);
    await page.getByRole('button', { name: ru.showOnly('S2'), exact: true }).click();
    await page.waitForURL(new RegExp(`class=${ids.raster}\\.1`));
    for (let round = 0; round < 100 && (await coloursOf(page)).size > 1; round += 1) {
      await page.waitForTimeout(100);
    }
    assert.deepEqual([...(await drawn(page)).keys()], [classColours[1]]);
    await page.reload();
    assert.deepEqual([...(await drawn(page)).keys()], [classColours[1]]);
    await close();
  });

  test('what a map needs is asked for once, however early', async () => {
    const asked: string[] = [];
    const { page, close } = await show(browser, `l=${ids.raster},${ids.population}`, {
      before: (opened) => {
        opened.context().on('request', (request) => {
          if (request.resourceType() === 'fetch')
            asked.push(`${request.url().slice(baseUrl.length)} ${request.headers()['range'] ?? ''}`);
        });
      },
    });
    await drawn(page);
    for (const path of [ids.raster, `${ids.raster}/report`, ids.population, `${ids.population}/series`])
      assert.ok(asked.includes(`/datasets/${path} `), path);
    assert.ok(asked.includes(`/datasets/${ids.raster}.cog bytes=0-65535`), asked.join('\n'));
    const data = asked.filter((line) => line.startsWith('/datasets/') || line.startsWith('/districts'));
    assert.deepEqual(data.toSorted(), [...new Set(data)].toSorted());
    await close();
  });

  test('what cannot be shown says why in its own row, and the others stay', async () => {
    const unknown = '01970000-0000-7000-8000-000000000000';
    const { page, close } = await show(browser, `l=${ids.nowhere},${unknown},${ids.raster}`);
    assert.equal((await drawn(page)).size, classColours.length);
    const rows = page.locator('.map-layers > li');
    assert.match((await rows.nth(0).textContent()) ?? '', new RegExp(ru.problem.no_place.slice(0, 30)));
    assert.match((await rows.nth(1).textContent()) ?? '', new RegExp(ru.problem.gone));
    await close();
  });

  test('layers change places, fade, hide and go, and the address says so', async () => {
    const { page, close } = await show(browser, `l=${ids.raster},${ids.population}`);
    await drawn(page);
    await page.getByRole('button', { name: ru.down('classes.tif') }).click();
    await page.waitForURL(new RegExp(`l=${ids.population},${ids.raster}`));
    await page.getByRole('slider', { name: ru.opacity('classes.tif') }).press('ArrowLeft');
    await page.getByRole('checkbox', { name: ru.show('classes.tif') }).uncheck();
    await page.waitForURL(new RegExp(`l=${ids.population},${ids.raster}\\.95-`));
    await page.getByRole('button', { name: ru.remove('classes.tif') }).click();
    await page.waitForURL((url) => !url.hash.includes(ids.raster));
    await page.getByRole('button', { name: ru.add }).click();
    await page.getByRole('button', { name: /classes\.tif/ }).click();
    await page.waitForURL(new RegExp(`l=${ids.raster},${ids.population}`));
    await close();
  });

  test('the page of a dataset has a small map of it, which opens the large one', async () => {
    const { page, check, close } = await visit(browser, {
      baseUrl: `${baseUrl}/#/datasets/${ids.raster}`,
      language: 'ru',
    });
    assert.deepEqual([...(await drawn(page)).keys()].toSorted(), classColours.toSorted());
    await check('dataset');
    await page.getByRole('link', { name: ru.openMap }).click();
    await page.getByRole('heading', { name: ru.layers }).waitFor();
    assert.equal((await drawn(page)).size, classColours.length);
    await close();
  });

  for (const width of isLongTier ? [1280, 360] : [360]) {
    test(`axe finds nothing at ${width} pixels, and nothing scrolls sideways`, async () => {
      const { page, check, close } = await show(browser, `l=${ids.nowhere},${ids.raster},${ids.population}`, {
        width,
      });
      await drawn(page);
      await page.getByRole('button', { name: ru.table }).click();
      await page.getByRole('table').waitFor();
      await check('map');
      await page.getByRole('button', { name: ru.add }).click();
      await page.getByRole('dialog').waitFor();
      await check('dialog');
      await close();
    });
  }
});
