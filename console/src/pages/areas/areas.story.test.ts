import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classedArea, inRaster } from './table-rows.ts';
import type { DatasetAreas } from '../../../../src/areas/areas-schema.ts';
import type { Conflicts } from '../../../../src/landscape/balance/conflicts-schema.ts';
import { LandscapeLimits } from '../../../../src/landscape/limits/limits-schema.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { isLongTier } from '../../../../test/support/tier.ts';
import { judgedRuns, outputOf } from '../../../../test/console/judged-runs.ts';
import { drawn } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const { baseUrl, landscape, runs } = await judgedRuns();
const run = await landscape.read(runs.first.id);
const zoning = outputOf(run, '34');
const exampleLimits = LandscapeLimits.parse(Object(LandscapeLimits.meta()).examples[0]);

/** Waits for figures that a job may have to count first. */
async function counted<T>(path: string): Promise<T> {
  return await eventually(`figures of ${path}`, async () => {
    const { status, body } = await landscape.json<T>(`${path}&wait=5`);
    assert.ok(status === 200 || status === 202, JSON.stringify(body));
    return status === 200 && body;
  });
}

const areas = await counted<DatasetAreas>(`/datasets/${zoning}/areas?by=district`);
// The page has the table only once it has the statistics.
await counted(`/datasets/${zoning}/statistics?`);
const inside = areas.rows.filter((row) => inRaster(row) > 0);
const greatest = inside.toSorted((one, other) => classedArea(other) - classedArea(one));
const { body: dataset } = await landscape.json<{ bbox: readonly [number, number, number, number] }>(
  `/datasets/${zoning}`,
);

/** Two squares in the zoning, one within the other. */
function twoSquares(): unknown {
  const [west, south, east, north] = dataset.bbox;
  const square = (name: string, part: number) => {
    const [w, s] = [west + (east - west) * 0.4, south + (north - south) * 0.4];
    const [e, n] = [w + (east - west) * part, s + (north - south) * part];
    const ring = [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ];
    return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [ring] } };
  };
  return { type: 'FeatureCollection', features: [square('Поле 1', 0.2), square('Поле 2', 0.1)] };
}

const fileOf = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/geo+json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

for (const setting of settingsOf(0)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner reads hectares of classes by units', setting), async () => {
    const words = allWords[language];
    const { areas: text } = words;
    const browser = await sharedBrowser({ gpu });
    const {
      page,
      words: common,
      check,
    } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#/datasets/${zoning}`,
        language,
        width,
        expected: /status of 503/,
        given: ['Поле 1', 'Поле 2'],
      }),
    );
    const table = page.locator('.unit-areas');
    const rows = table.locator('tbody tr');

    test('a page of classes has them in a table, which says that it adds up', async () => {
      // Answers as a service that has not counted yet.
      let isCounting = true;
      await page.route('**/areas?by=district*', async (route) => {
        if (!isCounting) return await route.continue();
        isCounting = false;
        return await route.fulfill({ status: 202, json: { status: 'counting' } });
      });
      await page.getByText(common.statistics.byUnits).click();
      await page.getByRole('status').filter({ hasText: text.counting }).waitFor();
      await rows.first().waitFor();
      assert.equal(await rows.count(), inside.length);
      assert.equal(await rows.first().getAttribute('data-key'), greatest[0]?.kato);
      await page.getByText(text.agrees).waitFor();
      await check('hectares by district');
    });

    test('it is sorted by any column, and can show what lies outside of the raster', async () => {
      await table.getByRole('button', { name: text.units.district, exact: true }).click();
      await page.waitForURL(/sort=name/);
      const collator = new Intl.Collator(language, { numeric: true });
      const names = await table.locator('tbody th > :first-child').allTextContents();
      assert.deepEqual(names, names.toSorted(collator.compare));
      await page.getByLabel(text.beyond(areas.rows.length - inside.length)).check();
      await page.waitForURL(/outside=1/);
      assert.equal(await rows.count(), areas.rows.length);
      await page.getByLabel(text.beyond(areas.rows.length - inside.length)).uncheck();
    });

    test('a row leads the map to its unit, and a click on the map leads to the row', async () => {
      const [first] = greatest;
      assert.ok(first !== undefined);
      await table.locator(`[data-key="${first.kato}"]`).getByRole('button').click();
      await page.waitForURL(new RegExp(`unit=${first.kato}`));
      await table.locator(`.is-chosen[data-key="${first.kato}"]`).waitFor();
      await drawn(page);
      await page.getByRole('button', { name: text.levels.region }).click();
      await page.waitForURL(/areas=region/);
      await page.locator('.unit-areas tbody tr').first().waitFor();
      // The middle of a unit may lie outside of it, but not outside of its region.
      await page.getByRole('application').press('Enter');
      await page.waitForURL(/unit=\d{2}0000000/);
      await table.locator('.is-chosen').waitFor();
      await page.getByRole('button', { name: text.levels.all }).click();
      await page.getByText(text.agrees).waitFor();
      await check('the whole country');
    });

    test('tables can be had as files with the same figures', async () => {
      await page.getByRole('button', { name: text.levels.district }).click();
      const csv = page.getByRole('link', { name: new RegExp(`^${text.csv}`) });
      await page.waitForURL(/areas=district/);
      await csv.waitFor();
      for (const [link, type] of [
        [csv, /^text\/csv/],
        [page.getByRole('link', { name: new RegExp(`^${text.xlsx}`) }), /spreadsheetml/],
      ] as const) {
        const answer = await fetch(new URL((await link.getAttribute('href')) ?? '', baseUrl));
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get('content-type') ?? '', type);
        assert.ok((await answer.bytes()).length > 1000);
      }
    });

    test('polygons of a person are counted, one by one and together, and a wrong file is told', async () => {
      await page.goto(`${baseUrl}/#/landscape/runs/${run.id}`);
      await page.getByText(text.own.title).click();
      const input = page.locator('.own-drop input');
      await input.setInputFiles(fileOf('points.geojson', { type: 'Point', coordinates: [70, 50] }));
      await page.getByRole('alert').getByText(text.own.wrong.none('points.geojson')).waitFor();
      const refuse = { status: 503, body: '{"error":"not now"}' };
      await page.route('**/areas?*', async (route) => await route.fulfill(refuse), { times: 1 });
      await input.setInputFiles(fileOf('fields.geojson', twoSquares()));
      await page.getByRole('alert').getByText(text.own.failed('fields.geojson')).waitFor();
      await page.getByRole('button', { name: common.failure.again }).click();
      await table.waitFor();
      assert.deepEqual(await table.locator('tbody th').allTextContents(), ['Поле 2', 'Поле 1']);
      await table.getByText(text.own.union).waitFor();
      // The smaller square lies in the larger one: their union equals the larger one.
      const [union, , larger] = await table.locator('.unit-area').allTextContents();
      assert.equal(union, larger);
      await check('own polygons');
    });

    test('zones become polygons, with hectares before and after', async () => {
      const { polygons } = words;
      await page.goto(`${baseUrl}/#/landscape/runs/${run.id}`);
      await page.getByText(polygons.title).click();
      const least = page.getByLabel(polygons.minArea);
      const make = page.getByRole('button', { name: polygons.make });
      await least.fill('-1');
      await make.click();
      await page.getByRole('alert').getByText(polygons.wrong).waitFor();
      await least.fill('1000');
      await page.getByRole('combobox', { name: polygons.by }).selectOption({ label: text.levels.region });
      await make.click();
      const made = page.getByRole('region', { name: new RegExp(`1.?000.*${text.levels.region}`) });
      await made.first().waitFor({ timeout: 60_000 });
      assert.ok((await made.locator('tbody tr').count()) >= 2);
      await page.locator('.records').getByRole('link', { name: polygons.dataset }).waitFor();
      await check('zones as polygons');
    });

    test('a card says what limits its use, and what it would be without a limit', async () => {
      // Making the ratings of all sectors takes a while.
      const names = exampleLimits.raster.classes.flatMap(({ limits }) => limits.map(({ factor }) => factor));
      const factors = [...new Set(names)].map((factor, at) => ({
        factor,
        letter: 'm',
        title: `№ ${at + 1}`,
        inputs: [],
      }));
      let isRefused = true;
      await page.route('**/limits?*', async (route) => {
        const relieved = new URL(route.request().url()).searchParams.get('relieved');
        const json = { ...exampleLimits, factors, relieved };
        if (isRefused) await route.fulfill({ status: 503, body: '{"error":"not now"}' });
        else await (isLongTier ? route.continue() : route.fulfill({ json }));
        isRefused = false;
      });
      await page.goto(`${baseUrl}/#/landscape/results?node=23`);
      await page.getByText(words.limits.failed).waitFor();
      await page.locator('.limits').getByRole('button', { name: common.failure.again }).click();
      const card = page.locator('.result.is-open');
      await card.getByText(words.limits.title, { exact: true }).click();
      const choice = card.getByLabel(words.limits.relieve);
      await choice.selectOption('moisture');
      await page.waitForURL(/relieved=moisture/);
      await card.locator('.limits-relieved').waitFor();
      await check('what limits');
    });

    test('every legend that follows the order of sectors says on how much land', async () => {
      const path = `/landscape/runs/${run.id}/conflicts?by=all&lang=${language}`;
      const { chosen_by_order: told } = await counted<Conflicts>(path);
      const sentence = told.sentence ?? common.contested.none;
      await page.goto(`${baseUrl}/#/map?l=${zoning}`);
      await page.locator('.map-legend').getByText(sentence).waitFor();
      await check('a legend with the order');
    });
  });
}
