import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeRows } from './change-rows.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { compare as compareEn } from './words/en.ts';
import { runs as runsEn } from '../runs/words/en.ts';
import { compare as compareKk } from './words/kk.ts';
import { runs as runsKk } from '../runs/words/kk.ts';
import { compare as compareRu } from './words/ru.ts';
import { runs as runsRu } from '../runs/words/ru.ts';
import type { RunComparison } from '../../../../src/landscape/comparison/compare-schema.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { judgedRuns } from '../../../../test/console/judged-runs.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';

const wordsOf = { en: compareEn, ru: compareRu, kk: compareKk };
const runWordsOf = { en: runsEn, ru: runsRu, kk: runsKk };
const { baseUrl, runs } = await judgedRuns();
const [a, b] = [runs.first.id, runs.strict.id];
const path = `/landscape/runs/${a}/compare/${b}`;
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner compares two runs', setting), async () => {
    const [words, runWords] = [wordsOf[language], runWordsOf[language]];
    const headers = { 'accept-language': language };
    const compared: RunComparison = JSON.parse(
      await (await fetch(`${baseUrl}${path}?wait=60`, { headers })).text(),
    );
    const hectares = (area: number): string => formatNumber(area, language, area < 99.95 ? 1 : 0);
    const titles = new Map(compared.classes.map(({ value, title }) => [value, title]));
    const titleOfClass = (value: number | null): string =>
      value === null ? words.matrix.none : (titles.get(value) ?? '');
    const [largest = assert.fail('nothing has changed')] = changeRows(compared);
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, { baseUrl: `${baseUrl}/#/landscape/runs`, language, width, expected: /status of 422/ }),
    );
    const open = async (query = ''): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#/landscape/compare/${a}/${b}${query}`);
    };
    const slider = page.getByRole('slider', { name: words.view.divider });
    const shows = (name: string) => page.getByRole('button', { name, exact: true });
    const query = async (name: string, value: string | null): Promise<void> => {
      await eventually(`${name}=${value} in the address`, async () => {
        const [, text = ''] = page.url().split('?');
        return new URLSearchParams(text).get(name) === value;
      });
    };
    const shareOf = (colours: ReadonlyMap<string, number>, colour: string): number => {
      const all = [...colours.values()].reduce((sum, count) => sum + count, 0);
      return (colours.get(colour) ?? 0) / all;
    };

    test('two runs are ticked in the history, and the older one comes first', async () => {
      const tick = (id: string) =>
        page
          .getByRole('row')
          .filter({ has: page.locator(`a[href$="${id}"]`) })
          .getByRole('checkbox');
      await tick(b).check();
      await tick(a).check();
      await page.getByRole('link', { name: runWords.list.comparePicked }).click();
      await page.waitForURL(`**/#/landscape/compare/${a}/${b}`);
      const share = formatShare(compared.changed_share ?? Number.NaN, language);
      await page.getByText(words.changed(hectares(compared.changed_ha), share)).waitFor();
      await drawn(page);
      await check('compared');
    });

    test('what differs is said in words: a threshold, and no input', async () => {
      const table = page.getByRole('region', { name: words.differs.title }).getByRole('table');
      const [param] = compared.params;
      assert.deepEqual([param?.name, param?.a, param?.b], ['v1_min_s_e3', 4, 5]);
      assert.deepEqual(await table.getByRole('row').nth(1).locator('th,td').allInnerTexts(), [
        param?.title,
        '4',
        '5',
      ]);
      assert.equal(await table.getByRole('row').count(), 2);
    });

    test('the divider moves by keys: on either side of it lies one of the maps', async () => {
      const land = compared.matrix.ha.flat().reduce((sum, area) => sum + area, 0);
      const from = compared.matrix.from.indexOf(largest.from);
      const before = (compared.matrix.ha[from] ?? []).reduce((sum, area) => sum + area, 0) / land;
      const after = compared.matrix.ha.reduce((sum, row) => sum + (row[from] ?? 0), 0) / land;
      const colour = compared.classes.find(({ value }) => value === largest.from)?.color ?? '';
      assert.ok(before - after > 0.02, `${before} and ${after}`);
      await slider.focus();
      await page.keyboard.press('End');
      await query('split', '100');
      const ofA = shareOf(await drawn(page), colour);
      await page.keyboard.press('Home');
      await query('split', '0');
      const ofB = shareOf(await drawn(page), colour);
      assert.ok(
        Math.abs(ofA - ofB - (before - after)) < 0.03,
        `${ofA} and ${ofB}, not ${before} and ${after}`,
      );
      await page.keyboard.press('ArrowRight');
      await query('split', '1');
    });

    test('any two maps of the runs can lie beside each other', async () => {
      await page.getByRole('combobox', { name: words.view.right }).selectOption('a.31');
      await query('right', 'a.31');
      await page.getByText(words.view.legend).nth(1).waitFor();
      await drawn(page);
      await check('two maps');
    });

    test('only what changed is drawn, and the legend has its colours', async () => {
      await shows(words.view.changes).click();
      await query('show', 'changes');
      const colours = await drawn(page);
      const [pale, became] = [
        '#e6e6e1',
        compared.classes.find(({ value }) => value === largest.to)?.color ?? '#2b2b2b',
      ];
      assert.ok((colours.get(pale) ?? 0) > 0 && (colours.get(became) ?? 0) > 0, JSON.stringify([...colours]));
      await page.getByRole('listitem').filter({ hasText: words.view.still }).waitFor();
      await check('changes');
    });

    test('a number of the matrix shows its places, and the address has which', async () => {
      const [from, to] = [titleOfClass(largest.from), titleOfClass(largest.to)];
      const cell = page
        .getByRole('region', { name: words.matrix.scroll })
        .getByRole('button', { name: `${from} → ${to}: ` });
      await cell.click();
      await query('change', `${largest.from}-${largest.to}`);
      assert.equal(await cell.getAttribute('aria-pressed'), 'true');
      await eventually('the places', async () => ((await drawn(page)).get('#c2185b') ?? 0) > 0);
      await page.getByText(`${from} → ${to}`).first().waitFor();
      await check('one change');
      await page.reload();
      await eventually('the same places', async () => ((await drawn(page)).get('#c2185b') ?? 0) > 0);
      await page.getByRole('button', { name: words.view.all }).click();
      await query('change', null);
    });

    test('units come with the most changed first, by district or by region', async () => {
      const region = page.getByRole('region', { name: words.units.title });
      const cells = await region.locator('tbody tr').first().locator('td').first().innerText();
      assert.equal(plain(cells), plain(hectares(compared.units[0]?.changed_ha ?? Number.NaN)));
      await region.getByRole('button', { name: words.units.show(compared.units[0]?.name ?? '') }).click();
      await query('unit', compared.units[0]?.kato ?? '');
      await region.getByRole('button', { name: words.units.region, exact: true }).click();
      await query('by', 'region');
      await query('unit', null);
      await region.getByRole('button', { name: words.units.region, exact: true, pressed: true }).waitFor();
      await check('by region');
    });

    test('a place is read in both runs', async () => {
      await open();
      await drawn(page);
      await page.getByRole('application').focus();
      await page.keyboard.press('Enter');
      await page.getByText(words.view.here).waitFor();
      await check('place');
    });

    test('while land is counted the page says so, and what cannot be compared has its reason', async () => {
      const sentence = {
        en: 'different grids: size in pixels 10 × 10 and 20 × 20',
        ru: 'разные сетки: размер в пикселях 10 × 10 и 20 × 20',
        kk: 'торлары әртүрлі: пиксельмен өлшемі 10 × 10 және 20 × 20',
      }[language];
      let answers = 0;
      await page.route('**/compare/*?node=34&by=district*', async (route) => {
        answers += 1;
        const isFirst = answers === 1;
        await route.fulfill({ status: isFirst ? 202 : 422, json: isFirst ? {} : { error: sentence } });
      });
      await open('?show=changes');
      await page.getByText(words.counting).waitFor();
      await page.getByText(sentence).waitFor();
      // Both maps can be looked at all the same.
      await slider.waitFor();
      await drawn(page);
      assert.equal(await shows(words.view.changes).isDisabled(), true);
      await check('refused');
      await page.unroute('**/compare/*?node=34&by=district*');
    });

    test('without a second run the page asks for one', async () => {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#/landscape/compare/${a}`);
      await page.getByText(words.choose).waitFor();
      await check('one run');
      const choice = page.getByRole('combobox', { name: words.run.b });
      const names = await choice.getByRole('option').allTextContents();
      assert.equal(new Set(names).size, names.length, names.join('\n'));
      await choice.selectOption(b);
      await page.waitForURL(`**/#/landscape/compare/${a}/${b}`);
      await page.getByRole('button', { name: words.swap }).click();
      await page.waitForURL(`**/#/landscape/compare/${b}/${a}`);
    });
  });
}
