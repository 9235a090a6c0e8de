import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { en as mapEn } from '../../map/words/en.ts';
import { kk as mapKk } from '../../map/words/kk.ts';
import { ru as mapRu } from '../../map/words/ru.ts';
import type { LandscapeExplanation } from '../../../../src/landscape/explain/schema.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { judgedRuns, outputOf } from '../../../../test/console/judged-runs.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const mapWords = { en: mapEn, ru: mapRu, kk: mapKk };
const { baseUrl, landscape, runs } = await judgedRuns();
const run = await landscape.read(runs.first.id);
const zoning = outputOf(run, '34');

interface Place {
  readonly lon: number;
  readonly lat: number;
}

async function explanationOf({ lon, lat }: Place, language: string): Promise<LandscapeExplanation> {
  const path = `/landscape/runs/${run.id}/explain?lon=${lon}&lat=${lat}&lang=${language}`;
  const { status, body } = await landscape.json<LandscapeExplanation>(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/**
 * First place of a lattice over the zoning that satisfies a condition.
 * @param side places per row of the lattice
 */
async function findPlace(side: number, isWanted: (found: LandscapeExplanation) => boolean): Promise<Place> {
  const { body } = await landscape.json<{ bbox: readonly [number, number, number, number] }>(
    `/datasets/${zoning}`,
  );
  const [west, south, east, north] = body.bbox;
  for (let at = 0; at < side * side; at += 1) {
    const lon = Number((west + ((east - west) * ((at % side) + 0.5)) / side).toFixed(4));
    const lat = Number((south + ((north - south) * (Math.floor(at / side) + 0.5)) / side).toFixed(4));
    if (isWanted(await explanationOf({ lon, lat }, 'en'))) return { lon, lat };
  }
  throw new Error('no place of the zoning is like this');
}

const zoned = await findPlace(
  12,
  ({ zone, nearest_changes: changes }) =>
    zone !== null && changes.some(({ kind }) => kind === 'threshold' || kind === 'order'),
);
const hole = await findPlace(24, ({ code, missing }) => code === null && missing.length > 0);

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner asks why a place is in its zone', setting), async () => {
    const { explain: words } = allWords[language];
    const browser = await sharedBrowser({ gpu });
    const open = async (hash: string) =>
      await closeAfterTests(
        visit(browser, { baseUrl: `${baseUrl}/#/map?${hash}`, language, width, expected: /status of 503/ }),
      );
    const { page, check } = await open(`l=${zoning}&at=${zoned.lat},${zoned.lon},9`);
    const panel = page.getByRole('complementary', { name: words.title });
    const sentence = panel.locator('.explain-sentence');
    const explained = await explanationOf(zoned, language);

    test('a click explains it in one sentence, with what would change it and the chain', async () => {
      await drawn(page);
      assert.equal(await panel.count(), 0);
      const map = page.getByRole('application');
      const box = await map.boundingBox();
      assert.ok(box !== null);
      await map.click({ position: { x: Math.floor(box.width / 2), y: Math.floor(box.height / 2) } });
      await sentence.getByText(explained.sentence).waitFor();
      // On a phone, the heading of the panel comes first below the map; later content must not move it out of
      // view.
      await panel.locator('.explain-chain').waitFor();
      await eventually('the heading in sight', async () => {
        const top = (await panel.locator('h2').boundingBox())?.y ?? -1;
        return top >= 0 && top < 400;
      });
      for (const { text } of explained.nearest_changes)
        assert.ok((await panel.textContent())?.includes(text), text);
      const chain = panel.locator('.explain-chain');
      for (const { title } of [...explained.inputs, ...explained.nodes])
        assert.ok((await chain.textContent())?.includes(title), title);
      await chain
        .getByText(explained.rule?.text ?? '-')
        .first()
        .waitFor();
      await check('a place explained');
      const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      assert.equal(paper.match(/\/Type\s*\/Page\b/g)?.length, 2);
    });

    test('a change of a parameter leads to the plan with it, and with all else of the run', async () => {
      const change = explained.nearest_changes.find(({ kind }) => kind === 'threshold' || kind === 'order');
      assert.ok(change !== undefined);
      const [key, value] =
        change.kind === 'order' ? ['ties', String(change.order)] : [change.name, String(change.to)];
      const href = await panel
        .getByRole('link', { name: words.tryOf(change.text), exact: true })
        .getAttribute('href');
      assert.equal(new URLSearchParams(href?.split('?')[1]).get(key), value);
    });

    test('the address holds the place, and shows it to another person', async () => {
      await page.waitForURL(/place=/);
      const other = await open(page.url().split('#/map?')[1] ?? '');
      await other.page.locator('.explain-sentence').getByText(explained.sentence).waitFor();
      await other.close();
    });

    test('coordinates can be typed, and wrong ones are told', async () => {
      const [latitude, longitude] = [
        panel.getByLabel(words.form.latitude),
        panel.getByLabel(words.form.longitude),
      ];
      await latitude.fill('95');
      await longitude.press('Enter');
      await panel.getByRole('alert').getByText(words.form.wrong).waitFor();
      await latitude.fill(String(hole.lat).replace('.', ','));
      await longitude.fill(`${hole.lon}°`);
      await longitude.press('Enter');
      await page.waitForURL(new RegExp(`place=${hole.lat},${hole.lon}`));
      await eventually('the focus is on the heading', async () => {
        const focused = await page.evaluate<string>('document.activeElement?.textContent ?? ""');
        return focused === words.title;
      });
    });

    test('a hole names the inputs without a value, and leads to their slots', async () => {
      const { sentence: said, missing } = await explanationOf(hole, language);
      await sentence.getByText(said).waitFor();
      const list = panel.locator('.explain-missing');
      for (const { group, title } of missing) {
        const href = await list.getByRole('link', { name: title, exact: true }).getAttribute('href');
        assert.equal(href, `#/landscape?slot=${group}`);
      }
      await check('a hole explained');
    });

    test('the paper has the map, the run and the method, and nothing of the page around them', async () => {
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      await page.emulateMedia({ media: 'print' });
      assert.equal(
        await page.locator('.masthead, .map-frame, .explain-form').filter({ visible: true }).count(),
        0,
      );
      await panel.getByText(words.method).waitFor();
      await panel
        .getByRole('link', { name: runs.first.id })
        .or(panel.locator('.explain-where a'))
        .first()
        .waitFor();
      const colours = await page.evaluate<number>(`(() => {
        const canvas = document.querySelector('.explain-map canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      })()`);
      assert.ok(colours > 3, `${colours} colours`);
      assert.equal(await panel.locator('details:not([open])').count(), 0);
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      assert.ok((await panel.locator('details:not([open])').count()) > 0 || language !== 'en');
    });

    test('the panel closes, the address forgets it, and a button opens it without a place', async () => {
      await panel.getByRole('button', { name: words.close }).click();
      await page.waitForURL((url) => !url.hash.includes('place='));
      assert.equal(await panel.count(), 0);
      await page.getByRole('button', { name: mapWords[language].explain }).click();
      await panel.getByLabel(words.form.latitude).waitFor();
      assert.equal(await sentence.count(), 0);
      await check('the form alone');
    });
  });
}
