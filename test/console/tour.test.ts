import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { judge } from '../../console/src/pages/judge/words/en.ts';
import { runs } from '../../console/src/pages/runs/words/en.ts';
import { en } from '../../console/src/map/words/en.ts';
import { openBrowser, visit } from '../support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { takePicture } from '../support/browser/screenshots.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';
import { workbook } from '../support/tables/workbooks.ts';
import { en as landscape } from './landscape-words.ts';

const { baseUrl } = await closeAfterTests(startService());
const browser = await closeAfterTests(openBrowser());
const { page, words, check } = await closeAfterTests(visit(browser, { baseUrl, language: 'en' }));
page.setDefaultTimeout(60_000);
const folder = await temporaryFolder();

await writeFile(
  join(folder, 'sown-area.xlsx'),
  workbook([
    {
      name: 'Посевы',
      rows: [
        ['Уточненная посевная площадь сельскохозяйственных культур, тыс. га'],
        [],
        ['Код', 'Область', '2022', null, '2023', null],
        [null, null, 'план', 'факт', 'план', 'факт'],
        ['А', 'Б', 1, 2, 3, 4],
        [null, 'Республика Казахстан', 23_200.5, 23_381.2, 23_900, 24_005.1],
        [110000000, 'Акмолинская', '5 120,5', 5204.1, 5210, 5305.7],
        ['150000000', 'Актюбинская', 890.2, '–', 905, 921.4],
        ['39 00 00 000', 'Костанайская', 5310, 5290.4, 5350, 5388.6],
        [590000000, 'Северо-Казахстанская', 4310.8, 4331.2, 4340, 'х'],
        ['Источник: Бюро национальной статистики'],
      ],
      merges: ['A3:A4', 'B3:B4', 'C3:D3', 'E3:F3'],
    },
    { name: 'Пояснение', rows: [['Данные за 2023 год предварительные']] },
  ]),
);

/** Id of the only dataset that these parameters of the list find. */
async function idOf(query: string): Promise<string> {
  const { data }: { data: readonly { id: string }[] } = Object(
    await (await fetch(`${baseUrl}/datasets?${query}`)).json(),
  );
  const [first] = data;
  assert.ok(first !== undefined, query);
  return first.id;
}

/** Ids of succeeded runs, the newest first. */
async function succeededRuns(): Promise<readonly string[]> {
  const { data }: { data: readonly { id: string; status: string }[] } = Object(
    await (await fetch(`${baseUrl}/landscape/runs?page_size=10`)).json(),
  );
  return data.filter(({ status }) => status === 'succeeded').map(({ id }) => id);
}

const firstRun = async () => (await succeededRuns()).at(-1) ?? assert.fail('no run has succeeded');

/** Opens a map and waits until nothing is loading. */
async function openMap(query: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${baseUrl}/#/map?${query}`);
  await page.locator('.map-legend').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1000);
}

test('an empty service says what this is', async () => {
  await page.getByRole('button', { name: words.welcome.load }).waitFor();
  await takePicture(page, 'first-visit');
});

test('the demonstration is on the map with one click', async () => {
  await page.getByRole('button', { name: words.welcome.load }).click();
  const tray = page.getByRole('complementary', { name: words.upload.title });
  await tray.getByText(/^(?:[4-9]|1\d) of 16 /).waitFor();
  await takePicture(page, 'demonstration');
  await page.waitForURL(/#\/map\?l=/);
  await check('map of the demonstration');
});

test('results have areas, and what they stem from', async () => {
  await page.goto(`${baseUrl}/#/landscape/results?node=34`);
  await page.locator('.result.is-open .areas').waitFor();
  await page.locator('.result.is-open .contested').filter({ hasText: '%' }).waitFor();
  await page.locator('.result.is-open img').waitFor();
  await page.waitForTimeout(500);
  await takePicture(page, 'results');
  await check('results');
});

test('files that are dropped have a row each, the bad one with its reason', async () => {
  await page.goto(`${baseUrl}/#/datasets`);
  const bad = join(folder, 'soil.tif');
  await writeFile(bad, 'GIF89a');
  const files = ['zhabay-dem.tif', 'tax-rate-2026-by-district.geojson'];
  const dismiss = page.getByRole('button', { name: new RegExp(`^${words.upload.dismiss}`) });
  await page.getByRole('button', { name: words.upload.title }).click();
  while ((await dismiss.count()) > 0) await dismiss.first().click();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([...files.map((name) => join(projectRoot, 'examples', name)), bad]);
  const tray = page.getByRole('complementary', { name: words.upload.title });
  await tray.getByText(words.upload.notTiff).waitFor();
  await tray.getByText(words.statuses.awaiting_mapping).first().waitFor();
  await tray.getByText(words.statuses.ready).waitFor();
  await takePicture(page, 'uploads');
});

test('a spreadsheet is shown as the table that it becomes', async () => {
  await page.locator('input[type=file]').first().setInputFiles(join(folder, 'sown-area.xlsx'));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('cell', { name: '390000000' }).waitFor();
  await takePicture(page, 'spreadsheet');
  await check('spreadsheet');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});

test('the list has what was uploaded and what was computed', async () => {
  await page.goto(`${baseUrl}/#/datasets`);
  await page.reload();
  await page.locator('tbody tr').first().waitFor();
  await page.waitForTimeout(1000); // the stream of events is a request without an end
  await takePicture(page, 'datasets');
  await check('list');
});

test('a changed threshold has a plan before it has a run', async () => {
  await page.goto(`${baseUrl}/#/landscape?v1_min_s_e3=5`);
  await page.getByText(landscape.inputs.summary(2, 17)).waitFor();
  await page.getByText(/Estimate: /).waitFor();
  await page.mouse.wheel(0, 60);
  await takePicture(page, 'landscape-inputs');
  await check('inputs and plan');
});

test('a dataset says what is in it', async () => {
  await page.goto(`${baseUrl}/#/datasets/${await idOf('q=slope')}`);
  await page.locator('.map-data canvas').waitFor();
  await page.waitForTimeout(1000);
  await takePicture(page, 'dataset');
  await check('dataset');
});

test('the zones of the Landscape Program have the colours of their legend', async () => {
  await openMap(`l=${await idOf('q=zoning')}`);
  await takePicture(page, 'map-zoning');
  await check('zoning');
});

test('a place of the zoning is explained', async () => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await openMap(`l=${await idOf('q=zoning')}&place=52.3,68.6`);
  await page.locator('.explain-chain').waitFor();
  await takePicture(page, 'place-explained');
  await check('place explained');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('classes have hectares by district, and a use says what limits it', async () => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`${baseUrl}/#/datasets/${await idOf('q=zoning')}?areas=district`);
  await page.locator('.unit-areas tbody tr').first().waitFor();
  await page.evaluate('document.querySelector(".by-units").scrollIntoView({ block: "start" })');
  await page.waitForTimeout(500);
  await takePicture(page, 'areas');
  await check('areas');
  await page.goto(`${baseUrl}/#/landscape/results?node=23&limits=1&relieved=moisture`);
  await page.locator('.limits-relieved').waitFor();
  await page.locator('.result.is-open img').waitFor();
  await page.waitForTimeout(500);
  await takePicture(page, 'limits');
  await check('limits');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('places that meet conditions are on a map, and in hectares by district', async () => {
  await page.setViewportSize({ width: 1280, height: 1060 });
  await page.goto('about:blank');
  const conditions = encodeURIComponent('01<5;23>=4;distance-road<2000');
  await page.goto(`${baseUrl}/#/landscape/runs/${await firstRun()}?where=${conditions}`);
  await page.locator('.unit-areas tbody tr').first().waitFor();
  await page.locator('.map-data canvas').waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(`document.querySelector('.where-rows').closest('details').scrollIntoView()`);
  await page.waitForTimeout(1000);
  await takePicture(page, 'places');
  await check('places');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a run shows what it has computed and reused, and why', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ params: { v1_min_s_e3: 5 } });
  const answer = await fetch(`${baseUrl}/landscape/runs`, { method: 'POST', headers, body });
  const { id }: { id: string } = JSON.parse(await answer.text());
  await page.setViewportSize({ width: 1280, height: 1300 });
  await page.goto(`${baseUrl}/#/landscape/runs/${id}?node=33`);
  await page.getByRole('link', { name: runs.zoningOnMap }).waitFor();
  await page.getByText(runs.why.params).waitFor();
  await takePicture(page, 'run');
  await check('run');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a zoning is judged: what a threshold moves, on the map and by district', async () => {
  const first = await firstRun();
  const open = async (query: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${baseUrl}/#/landscape/runs/${first}/judge?${query}`);
    await page.locator('.judge-units tbody tr').first().waitFor();
    await page.locator('.effects > li').first().waitFor();
    await page.locator('.map-data canvas').waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1000);
  };
  await page.setViewportSize({ width: 1280, height: 940 });
  await open('v1_min_s_e3=5');
  await takePicture(page, 'judge');
  await check('balance');
  await open('view=contested');
  await page.getByRole('heading', { name: judge.units }).scrollIntoViewIfNeeded();
  await page.getByRole('heading', { name: judge.contestedTitle }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  await takePicture(page, 'judge-contested');
  await check('contested');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a report is one page that is taken along', async () => {
  const { data }: { data: readonly { id: string; status: string }[] } = Object(
    await (await fetch(`${baseUrl}/landscape/runs?page_size=10`)).json(),
  );
  const run = data.findLast(({ status }) => status === 'succeeded')?.id;
  const path = `${baseUrl}/landscape/runs/${run}/report.html?lang=en&wait=60`;
  while ((await fetch(path)).status === 202);
  await page.goto(path);
  await takePicture(page, 'report');
});

test('two runs are compared: both maps, and the places of one change', async () => {
  const [second, first] = await succeededRuns();
  const open = async (query: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${baseUrl}/#/landscape/compare/${first}/${second}?${query}`);
    await page.locator('.matrix').waitFor();
    await page.locator('.map-data canvas').waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1000);
  };
  await page.setViewportSize({ width: 1280, height: 1300 });
  await open('');
  await takePicture(page, 'compare');
  await check('compare');
  await open('show=changes');
  await page.locator('.changes tbody button').first().click();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  await takePicture(page, 'compare-changes');
  await check('compare, one change');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a table by KATO is a map over time, and a district has its series', async () => {
  await openMap(`l=${await idOf('q=population&status=ready')}&date=2015-01-01`);
  await page.getByRole('application').click({ position: { x: 640, y: 345 } });
  await page.getByRole('complementary').getByRole('button', { name: en.table }).waitFor();
  await takePicture(page, 'map-districts');
  await check('districts');
});

test('the same map on a phone', async () => {
  await page.setViewportSize({ width: 360, height: 760 });
  await page.waitForTimeout(1000);
  await takePicture(page, 'phone');
  await check('phone');
});
