import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judge as judgeEn } from './words/en.ts';
import { judge as judgeKk } from './words/kk.ts';
import { judge as judgeRu } from './words/ru.ts';
import { formatParts, formatShare } from '../../../../common/formats/shares.ts';
import type { Balance } from '../../../../src/landscape/balance/balance-schema.ts';
import type { Conflicts } from '../../../../src/landscape/balance/conflicts-schema.ts';
import type { Sensitivity } from '../../../../src/landscape/balance/sensitivity-schema.ts';
import type { Stability } from '../../../../src/landscape/balance/stability-schema.ts';
import { formatNumber, type Language } from '../../../../common/formats/numbers.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { isLongTier } from '../../../../test/support/tier.ts';
import { judgedRuns, outputOf } from '../../../../test/console/judged-runs.ts';
import { coloursOf, drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';
import type { Page } from 'playwright-core';

/**
 * Waits for a key, and then for the frame in which both the map and the sums of the table have changed. The
 * measurement ends one frame later, when they are painted.
 */
const arm = `(() => {
  const small = document.createElement('canvas');
  [small.width, small.height] = [64, 64];
  const context = small.getContext('2d', { willReadFrequently: true });
  const picture = () => {
    context.drawImage(document.querySelector('.map-data canvas'), 0, 0, 64, 64);
    return context.getImageData(0, 0, 64, 64).data.join();
  };
  const sums = () => document.querySelector('.judge-units tfoot').textContent;
  const before = [picture(), sums()];
  globalThis.repainted = new Promise((resolve) => {
    const onKey = ({ timeStamp }) => {
      const look = () => {
        if (picture() === before[0] || sums() === before[1]) requestAnimationFrame(look);
        else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', onKey, { once: true, capture: true });
  });
})()`;

/** Presses Enter on the focused element; returns the milliseconds until the map and the table are repainted. */
async function measureRepaint(page: Page): Promise<number> {
  await page.evaluate(arm);
  await page.keyboard.press('Enter');
  return await page.evaluate<number>('globalThis.repainted');
}

const allWords = { en, ru, kk };
const judgeWords = { en: judgeEn, ru: judgeRu, kk: judgeKk };
const {
  baseUrl,
  landscape,
  runs: { first: run },
} = await judgedRuns();
const zoning = outputOf(run, '34');
const pinned = await landscape.run({ overrides: { 'landscape-33-use-zone': outputOf(run, '33') } });

interface Graph {
  readonly params: readonly { readonly name: string; readonly title: string }[];
  readonly sectors: readonly { readonly number: number; readonly title: string }[];
  readonly nodes: readonly {
    readonly code: string;
    readonly legend: {
      readonly entries: readonly { readonly value: number; readonly color: string; readonly label: string }[];
    };
  }[];
}

async function ask<T>(path: string, language: Language = 'en'): Promise<T> {
  const headers = { 'accept-language': language };
  return JSON.parse(await (await fetch(`${baseUrl}${path}`, { headers })).text());
}

const judged = async <T>(what: string, query = '', language: Language = 'en') =>
  await ask<T>(`/landscape/runs/${run.id}/${what}?by=district&wait=60${query}`, language);

/** Formats hectares in the same way as the page. */
const hectaresIn = (language: Language) => (hectares: number) =>
  formatNumber(hectares, language, hectares < 99.95 ? 1 : 0);

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner judges a zoning', setting), async () => {
    const words = judgeWords[language];
    const hectares = hectaresIn(language);
    const graph = await ask<Graph>('/landscape/graph', language);
    const entries = graph.nodes.find(({ code }) => code === '34')?.legend.entries ?? [];
    const titleOfParam = (name: string) => graph.params.find((param) => param.name === name)?.title ?? '';
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#/landscape/runs/${run.id}`,
        language,
        width,
        expected: /status of 409/,
      }),
    );
    const threshold = titleOfParam('v1_min_s_e3');
    const raise = page.getByRole('button', { name: allWords[language].inputs.raise(threshold) });
    const units = page.getByRole('region', { name: words.units }).locator('table');
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const view = async (name: keyof typeof words.views) =>
      await page.getByRole('link', { name: words.views[name], exact: true }).click();
    const textOf = async (selector: string) =>
      (await page.locator(selector).innerText()).replaceAll('\u00a0', ' ');
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');

    test('the run leads to its balance, and while hectares are counted the page says so', async () => {
      let isCounting = true;
      await page.route('**/balance?*', async (route) => {
        if (!isCounting) return await route.continue();
        isCounting = false;
        await route.fulfill({ status: 202, headers: { 'retry-after': '1' }, json: {} });
      });
      await page.getByRole('link', { name: allWords[language].runs.judge }).click();
      await page.getByText(words.counting).waitFor();
      await check('counting');
      await units.locator('tbody tr').first().waitFor();
      const { raster } = await judged<Balance>('balance');
      const [v1 = 0, v2 = 0, v3 = 0] = raster.zones;
      const total = plain(await units.locator('tfoot tr').last().innerText());
      for (const zone of [v1, v2, v3]) assert.ok(total.includes(plain(hectares(zone))), total);
      await page.getByText(words.asInRun).waitFor();
      await check('balance');
    });

    test('opened by its address, it has the styles that it shares with pages of runs and inputs', async () => {
      await page.reload();
      await units.locator('tbody tr').first().waitFor();
      for (const [part, property, value] of [
        ['.views a', 'textDecorationLine', 'none'],
        ['.zones', 'display', 'grid'],
      ] as const)
        assert.equal(
          await page.evaluate(`getComputedStyle(document.querySelector('${part}')).${property}`),
          value,
          part,
        );
    });

    test('zones have the shares that the report and the sheet write', async () => {
      const { raster, codes } = await judged<Balance>('balance');
      const areas = entries.map(({ value }) =>
        value === 40 ? raster.not_allocable_ha : (raster.functional[codes.indexOf(value)] ?? 0),
      );
      const whole = [...areas, raster.no_data_ha];
      const shares = formatParts(whole, language).filter((_, index) => (whole[index] ?? 0) > 0);
      const shown = await page.locator('.judge-zones tbody .share').allInnerTexts();
      assert.deepEqual(
        shown.map((text) => text.trim()).filter((text) => text !== ''),
        shares,
      );
    });

    test('the map has the colours of the zoning, each as often as its hectares', async () => {
      const colours = await drawn(page);
      const { raster, codes } = await judged<Balance>('balance');
      assertShares(colours, [
        ...codes.map((code, index) => [colourOf(entries, code), raster.functional[index] ?? 0] as const),
        [colourOf(entries, 40), raster.not_allocable_ha] as const,
      ]);
    });

    test('a moved threshold changes all areas and the map at once', async (context) => {
      await raise.focus();
      const times = [await measureRepaint(page)];
      await page.waitForURL(/[?&]v1_min_s_e3=5/);
      const moved = await judged<Balance>('balance', '&v1_min_s_e3=5');
      const before = await judged<Balance>('balance');
      const total = plain(await units.locator('tfoot tr').last().innerText());
      for (const zone of moved.raster.zones) assert.ok(total.includes(plain(hectares(zone))), total);
      for (const { name, name_kk, name_en, zones, area_ha, outside_raster_ha } of moved.units) {
        if (area_ha - outside_raster_ha <= 0) continue;
        const own = { en: name_en, ru: name, kk: name_kk }[language] ?? name;
        const row = plain(await units.getByRole('row').filter({ hasText: own }).first().innerText());
        for (const zone of zones) assert.ok(row.includes(plain(hectares(zone))), `${own}: ${row}`);
      }
      const changed = Math.abs((moved.raster.zones[0] ?? 0) - (before.raster.zones[0] ?? 0));
      const said = words.changes(hectares(changed), formatShare(changed / sumOf(before.raster.ha), language));
      await page.getByText(said).waitFor();
      const colours = await coloursOf(page);
      assertShares(colours, [
        ...moved.codes.map(
          (code, index) => [colourOf(entries, code), moved.raster.functional[index] ?? 0] as const,
        ),
        [colourOf(entries, 40), moved.raster.not_allocable_ha] as const,
      ]);
      await check('moved threshold');
      for (const name of ['lower', 'raise', 'lower', 'raise'] as const) {
        await page.getByRole('button', { name: allWords[language].inputs[name](threshold) }).focus();
        times.push(await measureRepaint(page));
      }
      context.diagnostic(`from a key to the repaint: ${times.map((time) => time.toFixed()).join(', ')} ms`);
      assert.ok(Math.min(...times) < 1000, 'the map waits for nothing');
    });

    test('what changes is told from what stays', async () => {
      await view('changed');
      await page.waitForURL(/view=changed/);
      const moved = await judged<Balance>('balance', '&v1_min_s_e3=5');
      const colours = await drawn(page);
      const { balance: stays } = await sensitivityOf('&v1_min_s_e3=5');
      const changed = share(colours, (colour) => colour !== '#dddbd2');
      assert.ok(Math.abs(changed - stays / mappedOf(moved)) < 0.01, `${changed} of the pixels change`);
      await check('what changes');
    });

    test('the order of sectors is moved by buttons, and the bars say what matters most', async () => {
      const matters = region(words.matters);
      const { cases } = await judged<Sensitivity>('sensitivity', '&v1_min_s_e3=5');
      const most = cases
        .filter(({ raster }) => raster !== null)
        .toSorted((one, other) => (other.raster?.changed_ha ?? 0) - (one.raster?.changed_ha ?? 0));
      const first = matters.getByRole('listitem').first();
      const expected = plain(hectares(most[0]?.raster?.changed_ha ?? 0));
      await eventually('the bars', async () => plain(await first.innerText()).includes(expected));
      assert.equal(
        await matters.locator('.effects > li').count(),
        most.filter(({ raster }) => (raster?.changed_ha ?? 0) > 0).length,
      );
      const inert = most.filter(({ raster }) => raster?.changed_ha === 0).length;
      assert.equal(await matters.locator('.inert > li').count(), inert);
      const second = graph.sectors.find(({ number }) => number === 2)?.title ?? '';
      await page.getByRole('button', { name: allWords[language].inputs.up(second) }).click();
      await page.waitForURL(/ties=2%2C1%2C3%2C4%2C5/);
      await page.getByRole('button', { name: words.back }).click();
      await page.waitForURL((url) => !url.hash.includes('ties=') && !url.hash.includes('v1_min_s_e3'));
      await page.getByText(words.asInRun).waitFor();
    });

    test('contested land has its sentence, its pairs of sectors and its map', async () => {
      const conflicts = await judged<Conflicts>('conflicts', '', language);
      await view('contested');
      for (const name of ['zones', 'changed', 'stability', 'contested'] as const) {
        await view(name);
        assert.equal(await textOf('.judge-sentence'), plain(conflicts.chosen_by_order.sentence ?? ''));
      }
      const [largest] = conflicts.sets;
      assert.ok(largest?.sectors);
      const name = largest.sectors
        .map((number) => graph.sectors.find((sector) => sector.number === number)?.title)
        .join(' ↔ ');
      const chip = region(words.contestedTitle).getByRole('button', { name: new RegExp(`^${name},`) });
      await eventually('the pair', async () =>
        plain(await chip.innerText()).includes(plain(hectares(largest.ha))),
      );
      await chip.click();
      await page.waitForURL(/set=/);
      const { raster } = await judged<Balance>('balance');
      await eventually('its land', async () => {
        const own = share(await coloursOf(page), (colour) => colour === largest.color);
        return Math.abs(own - largest.ha / (raster.area_ha - raster.no_data_ha)) < 0.01;
      });
      await check('contested');
    });

    test('stability is said in three figures, as sensitivity to parameters', async () => {
      await view('stability');
      const stability = await judged<Stability>('stability', '', language);
      const section = region(words.stabilityTitle);
      const { thresholds, order, both, cases } = stability;
      const shareOf = (kept: { readonly share: number | null }) => formatShare(kept.share ?? 0, language);
      for (const text of [
        words.stabilityLead,
        words.stableThresholds(shareOf(thresholds), cases.thresholds),
        words.stableOrder(shareOf(order), cases.order),
        words.stableBoth(shareOf(both), cases.thresholds + cases.order),
      ])
        await section.getByText(text).waitFor();
      const colours = await drawn(page);
      const { raster } = await judged<Balance>('balance');
      const mapped = raster.area_ha - raster.no_data_ha;
      for (const { color, ha } of stability.legend) {
        const own = share(colours, (colour) => colour === color);
        assert.ok(Math.abs(own - ha / mapped) < 0.01, `${color}: ${own}, not ${ha / mapped}`);
      }
      await check('stability');
    });

    test('a unit is chosen in the table or on the map, and has its figures; its address can be sent', async () => {
      await page.getByRole('button', { name: words.sortBy('V1') }).click();
      await page.waitForURL(/sort=-v1/);
      const { units: rows } = await judged<Balance>('balance');
      const sorted = rows
        .filter(({ area_ha: area, outside_raster_ha: outside }) => area - outside > 0)
        .toSorted((one, other) => (other.zones[0] ?? 0) - (one.zones[0] ?? 0));
      const [first] = sorted;
      assert.ok(first !== undefined);
      const own = { en: first.name_en, ru: first.name, kk: first.name_kk }[language] ?? first.name;
      const button = units.locator('tbody').getByRole('button').first();
      assert.equal(await button.innerText(), own);
      await button.click();
      await page.waitForURL(new RegExp(`unit=${first.kato}`));
      await region(words.zones).getByText(words.chosen(own)).waitFor();
      const before = plain(await region(words.zones).locator('tfoot').innerText());
      assert.ok(before.includes(plain(hectares(first.area_ha - first.outside_raster_ha))), before);
      await check('unit');
      await page.reload();
      await region(words.zones).getByText(words.chosen(own)).waitFor();
      await page.getByRole('button', { name: words.everyUnit }).click();
      const map = page.getByRole('application');
      await drawn(page);
      await map.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/unit=\d{9}/);
      const why = page.getByRole('link', { name: words.whyHere });
      assert.match((await why.getAttribute('href')) ?? '', new RegExp(`^#/map\\?l=${zoning}&place=`));
      await page.getByRole('link', { name: words.byRegion }).click();
      await page.waitForURL(/by=region/);
      await eventually('regions', async () => (await units.locator('tbody tr').count()) < sorted.length + 1);
    });

    test('a place leads to the reasons of its zone', async () => {
      const judging = page.url();
      await page.getByRole('application').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: words.whyHere }).click();
      const panel = page.getByRole('complementary', { name: allWords[language].explain.title });
      await panel.locator('.explain-sentence').waitFor();
      await page.goto(judging);
      await units.locator('tbody tr').first().waitFor();
    });

    test('the settings lead to a run with them', async () => {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#/landscape/runs/${run.id}/judge?v1_min_s_e3=5`);
      const link = page.getByRole('link', { name: words.runThese });
      assert.equal(await link.getAttribute('href'), '#/landscape?v1_min_s_e3=5');
      await link.click();
      const choice = page.getByRole('combobox', { name: threshold });
      await eventually('the threshold', async () => (await choice.inputValue()) === '5');
    });

    test('a run that was given its zones cannot be judged, and the page says why', async () => {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#/landscape/runs/${pinned.id}/judge`);
      const { error } = await ask<{ error: string }>(`/landscape/runs/${pinned.id}/balance`, language);
      assert.ok(error.length > 20);
      const notice = page.getByRole('alert').filter({ hasText: words.notJudged });
      await notice.getByText(error).waitFor();
      await check('pinned');
    });

    /** Hectares that a set of parameters changes compared with the run. */
    async function sensitivityOf(query: string) {
      const [before, after] = [await judged<Balance>('balance'), await judged<Balance>('balance', query)];
      const v1 = Math.abs((after.raster.zones[0] ?? 0) - (before.raster.zones[0] ?? 0));
      return { balance: v1 };
    }
  });
}

if (isLongTier)
  test('the zoning of the long tier has four million pixels and more', async () => {
    const { raster } = await ask<{ raster: { width: number; height: number } }>(`/datasets/${zoning}/report`);
    assert.ok(raster.width * raster.height >= 4_000_000);
  });

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const mappedOf = ({ raster }: Balance) => raster.area_ha - raster.no_data_ha;

function colourOf(
  entries: readonly { readonly value: number; readonly color: string }[],
  code: number,
): string {
  return entries.find(({ value }) => value === code)?.color ?? assert.fail(`no colour of ${code}`);
}

/** Share of the drawn pixels with matching colours. */
function share(colours: ReadonlyMap<string, number>, isMeant: (colour: string) => boolean): number {
  const all = sumOf([...colours.values()]);
  return sumOf([...colours].flatMap(([colour, count]) => (isMeant(colour) ? [count] : []))) / all;
}

/** Asserts that colours have the shares of their hectares, because the map is equal-area. */
function assertShares(
  colours: ReadonlyMap<string, number>,
  expected: readonly (readonly [colour: string, hectares: number])[],
): void {
  const all = sumOf(expected.map(([, hectares]) => hectares));
  assert.deepEqual(
    [...colours.keys()].filter((colour) => !expected.some(([each]) => each === colour)),
    [],
  );
  for (const [colour, hectares] of expected) {
    const own = share(colours, (each) => each === colour);
    assert.ok(
      Math.abs(own - hectares / all) < 0.01,
      `${colour}: ${own} of the pixels, not ${hectares / all}`,
    );
  }
}
