import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cssOf, rampColours } from '../../../../common/maps/style/colour-map.ts';
import { en } from '../../map/words/en.ts';
import { kk } from '../../map/words/kk.ts';
import { ru } from '../../map/words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedMaps, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const ids = await sharedMaps();
const mapWords = { en, ru, kk };
/** Colours of the hatching for no data. */
const hatching = ['#b9b9b2', '#e4e4df'];
const classColours = rampColours('ylgn', 7).map(cssOf);
/** Mixed colours of pixels along edges have smaller shares of the map. */
const leastShare = 0.005;

/** Colours that cover areas, sorted. */
function areasOf(colours: ReadonlyMap<string, number>): readonly string[] {
  const all = [...colours.values()].reduce((sum, pixels) => sum + pixels, 0);
  return [...colours].flatMap(([colour, pixels]) => (pixels > leastShare * all ? [colour] : [])).toSorted();
}

for (const setting of settingsOf(0)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an agronomist reads a statistic over place and time', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, { baseUrl: `${baseUrl}/#/map?l=${ids.population}`, language, width }),
    );
    const words = mapWords[language];
    const legend = page.locator('.map-legend li');
    const slider = page.getByRole('slider', { name: words.date, exact: true });
    const list = page.getByRole('combobox', { name: words.date });
    const map = page.getByRole('application');
    let classes: readonly string[] = [];

    test('its districts have the colours of the legend, and no others', async () => {
      const colours = await drawn(page);
      classes = await legend.allTextContents();
      assert.equal(classes.length, 7);
      for (const colour of classColours) assert.ok(colours.has(colour), `${colour} is on the map`);
      const known = new Set([...classColours, ...hatching]);
      assert.deepEqual(
        areasOf(colours).filter((colour) => !known.has(colour) && !isGrey(colour)),
        [],
      );
      assert.equal(await slider.getAttribute('aria-valuetext'), '2023');
      await check('map');
    });

    test('another date changes values and not classes, and stands in the address', async () => {
      await slider.press('ArrowLeft');
      await page.waitForURL(/date=2022-01-01/);
      assert.deepEqual(await legend.allTextContents(), classes);
      await list.selectOption('2021');
      await page.waitForURL(/date=2021-01-01/);
      // Three regions were created later.
      await page.locator('.no-data').filter({ hasText: /3$/ }).waitFor();
      assert.ok((await drawn(page)).has(hatching[0] ?? ''));
      assert.deepEqual(await legend.allTextContents(), classes);
    });

    test('it plays through the dates, until it is stopped', async () => {
      await page.getByRole('button', { name: words.play }).click();
      for (const year of ['2022', '2023', '2021'])
        await page.locator(`.map-time input[aria-valuetext="${year}"]`).waitFor();
      await page.getByRole('button', { name: words.pause }).click();
      await page.getByRole('button', { name: words.play }).waitFor();
    });

    test('a district has its value, its series and a row of the table', async () => {
      await list.selectOption('2023');
      await page.waitForURL(/date=2023-01-01/);
      await drawn(page);
      await map.press('Enter');
      const card = page.locator('.map-card');
      const name = ((await card.getByRole('heading').textContent()) ?? '').replace(' · 2023', '');
      const value = await card.locator('strong').textContent();
      assert.match(value ?? '', /^\d[\d\s,]+$/);
      await card.getByRole('img', { name: words.chartOf(name) }).waitFor();
      // The value for a screen reader is the same.
      await page
        .getByRole('status')
        .filter({ hasText: value ?? '-' })
        .waitFor();
      await check('card');
      await card.getByRole('button', { name: words.table }).click();
      const row = page.getByRole('row').filter({ hasText: name });
      assert.equal(await row.getByRole('cell').last().textContent(), value);
      await check('table');
      await card.getByRole('button', { name: words.close }).click();
    });

    test('the link shows the same map to another user', async () => {
      const before = await drawn(page);
      const other = await visit(browser, { baseUrl: page.url(), language, width });
      const colours = await drawn(other.page);
      assert.deepEqual(areasOf(colours), areasOf(before));
      await other.check('a map that was sent');
      await other.close();
    });
  });
}

/** Returns whether a colour is grey, like borders and the background. */
function isGrey(colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...parts) - Math.min(...parts) < 24;
}
