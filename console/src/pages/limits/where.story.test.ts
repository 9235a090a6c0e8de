import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LandscapeWhere } from '../../../../src/landscape/limits/where-schema.ts';
import { formatNumber, type Language } from '../../../../common/formats/numbers.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { judgedRuns } from '../../../../test/console/judged-runs.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const { baseUrl, landscape, runs } = await judgedRuns();
const runPath = `/landscape/runs/${runs.first.id}`;
const gentle = '01<8.5;23>=4';
const placesColour = '#d7301f';

/** Result of the service, in the language of a page. */
async function foundFor(conditions: string, language: Language = 'en'): Promise<LandscapeWhere> {
  const query = new URLSearchParams({ conditions, by: 'district', wait: '60', lang: language });
  const { status, body } = await landscape.json<LandscapeWhere>(`${runPath}/where?${query.toString()}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner looks for places that meet conditions', setting), async () => {
    const words = allWords[language];
    const { where: text } = words.limits;
    const browser = await sharedBrowser({ gpu });
    const {
      page,
      words: common,
      check,
    } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#${runPath}`,
        language,
        width,
        expected: /status of (?:400|503)/,
      }),
    );
    const hectares = (area: number): string =>
      area === 0 ? '–' : plain(formatNumber(area, language, area < 99.95 ? 1 : 0));
    const raster = (number: number) => page.getByRole('combobox', { name: text.raster(number) });
    const comparison = (number: number) => page.getByRole('combobox', { name: text.comparison(number) });
    const value = (number: number) => page.getByLabel(text.value(number));
    const find = page.getByRole('button', { name: text.find });
    const another = page.getByRole('button', { name: text.add });
    const table = page.getByRole('region', { name: text.table });
    const rows = table.locator('tbody tr');
    const asked = async (conditions: string) =>
      await eventually(`${conditions} in the address`, async () => {
        const [, query = ''] = page.url().split('?');
        return new URLSearchParams(query).get('where') === conditions;
      });
    const cellsOf = async (row: ReturnType<typeof table.locator>): Promise<readonly string[]> =>
      (await row.locator('td.number').allInnerTexts()).map(plain);

    /** Asserts that the table shows the figures of the service by district, largest area first. */
    const assertFigures = async ({ units, raster: whole }: LandscapeWhere): Promise<void> => {
      const expected = [whole.meets_ha, whole.fails_ha, whole.no_data_ha, 0, whole.area_ha].map(hectares);
      await eventually('the whole', async () => {
        const found = await cellsOf(table.locator('.unit-total'));
        return found.join() === expected.join();
      });
      const inside = units
        .filter(({ meets_ha: meets, fails_ha: fails, no_data_ha: none }) => meets + fails + none > 0)
        .toSorted((one, other) => other.meets_ha - one.meets_ha);
      assert.ok(inside.length > 0);
      assert.equal(await rows.count(), inside.length);
      assert.equal(await rows.first().getAttribute('data-key'), inside[0]?.kato);
      for (const unit of inside)
        assert.deepEqual(
          await cellsOf(table.locator(`[data-key="${unit.kato}"]`)),
          [unit.meets_ha, unit.fails_ha, unit.no_data_ha, unit.outside_raster_ha, unit.area_ha].map(hectares),
        );
    };

    test('the page of a run has a form for conditions, which says what is not a number', async () => {
      await page.getByText(text.title, { exact: true }).click();
      await value(1).fill('8,x');
      await value(1).press('Enter');
      await page.getByRole('alert').getByText(text.wrong).waitFor();
      assert.ok(!page.url().includes('where='));
      await value(1).fill('8,5');
      await another.click();
      await raster(2).selectOption('23');
      await comparison(2).selectOption('>=');
      await value(2).selectOption('4');
      await check('the form');
    });

    test('while it looks for them the page says so, then it has the hectares of all districts', async () => {
      let isCounting = true;
      await page.route(
        '**/where?*',
        async (route) => {
          if (!isCounting) return await route.fallback();
          isCounting = false;
          return await route.fulfill({ status: 202, headers: { 'retry-after': '1' }, json: {} });
        },
        { times: 1 },
      );
      await find.click();
      await asked(gentle);
      await page.getByRole('status').getByText(text.counting).waitFor();
      await check('counting');
      const found = await foundFor(gentle, language);
      assert.ok(found.raster.meets_ha > 0 && found.raster.fails_ha > 0);
      await assertFigures(found);
      await check('places');
    });

    test('the map shows the places, with an area in proportion to their hectares', async () => {
      const fewer = await drawn(page);
      assert.deepEqual([...fewer.keys()], [placesColour]);
      await page.getByRole('button', { name: text.remove(2) }).click();
      await find.click();
      await asked('01<8.5');
      const [all, some] = [await foundFor('01<8.5', language), await foundFor(gentle, language)];
      await assertFigures(all);
      const more = await drawn(page);
      const [pixels, area] = [
        (more.get(placesColour) ?? 0) / (fewer.get(placesColour) ?? 0),
        all.raster.meets_ha / some.raster.meets_ha,
      ];
      assert.ok(area > 1.2 && Math.abs(pixels / area - 1) < 0.04, `${pixels} times, not ${area}`);
    });

    test('a district is chosen by its name, and the table is sorted by any column', async () => {
      const [first] = (await foundFor('01<8.5')).units.toSorted(
        (one, other) => other.meets_ha - one.meets_ha,
      );
      assert.ok(first !== undefined);
      await table.locator(`[data-key="${first.kato}"]`).getByRole('button').click();
      await page.waitForURL(new RegExp(`unit=${first.kato}`));
      await table.locator(`.is-chosen[data-key="${first.kato}"]`).waitFor();
      await table.getByRole('button', { name: words.areas.noData, exact: true }).click();
      await page.waitForURL(/sort=-nodata/);
      await table.getByRole('button', { name: text.meets, exact: true }).click();
      await page.waitForURL(/sort=-1/);
      await check('a district');
    });

    test('the address shows the same to another person', async () => {
      const address = page.url();
      await page.goto('about:blank');
      await page.goto(address);
      await rows.first().waitFor();
      assert.equal(await value(1).inputValue(), '8.5');
      await table.locator('.is-chosen').waitFor();
      await drawn(page);
    });

    test('it takes eight conditions, and no more', async () => {
      while (await another.isEnabled()) await another.click();
      assert.equal(await page.locator('.where-rows > li').count(), 8);
      for (let number = 8; number > 1; number -= 1)
        await page.getByRole('button', { name: text.remove(number) }).click();
      assert.equal(await page.getByRole('button', { name: text.remove(1) }).count(), 0);
    });

    test('that nothing meets a condition is a figure, and what the service refuses has its reason', async () => {
      await value(1).fill('0');
      await find.click();
      const none = await foundFor('01<0', language);
      assert.equal(none.raster.meets_ha, 0);
      await assertFigures(none);
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#${runPath}?where=nothing%3C1`);
      const notice = page.getByRole('alert').filter({ hasText: text.failed });
      const refused = await fetch(`${baseUrl}${runPath}/where?conditions=nothing%3C1`, {
        headers: { 'accept-language': language },
      });
      assert.equal(refused.status, 400);
      const { error }: { error: string } = JSON.parse(await refused.text());
      await notice.getByText(error).waitFor();
      await notice.getByRole('button', { name: common.failure.again }).waitFor();
    });
  });
}
