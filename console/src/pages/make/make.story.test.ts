import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MadeInputView } from '../../../../src/landscape/make/recipe-schema.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { golden } from '../../../../test/support/landscape/landscape.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { startService } from '../../../../test/support/service.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { make as en } from './words/en.ts';
import { make as kk } from './words/kk.ts';
import { make as ru } from './words/ru.ts';

const wordsOf = { en, ru, kk };
const { baseUrl } = await closeAfterTests(startService());
const client = createClient(baseUrl);
const soil = 'landscape-in-soil-texture';
const [soilName, roadName] = ['Карта почв', 'Жолдар'];

/** Uploads the elevation, which gives the grid, and vectors over it. */
async function prepare(): Promise<readonly [west: number, south: number, east: number, north: number]> {
  const form = new FormData();
  form.append('file', new File([await (await golden('dem')).bytes()], 'dem.tif'));
  const sent = await fetch(`${baseUrl}/landscape/slots/landscape-in-dem`, { method: 'POST', body: form });
  const { id }: { id: string } = Object(await sent.json());
  await ready(id);
  const answer = await fetch(`${baseUrl}/datasets/${id}`);
  const { bbox }: { bbox: [number, number, number, number] } = Object(await answer.json());
  return bbox;
}

async function ready(id: string): Promise<void> {
  await eventually('the dataset', async () => (await client.status(id)).status === 'ready');
}

const [west, south, east, north] = await prepare();
const category = await client.createCategory('sources');

function squareOf(from: number, to: number) {
  const [left, right] = [west + (east - west) * from, west + (east - west) * to];
  return [
    [
      [left, south],
      [right, south],
      [right, north],
      [left, north],
      [left, south],
    ],
  ];
}

async function uploadVector(
  name: string,
  features: readonly object[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features })], 'source.geojson');
  const id = await client.upload(category, 'vector', file, { name, ...fields });
  await ready(id);
  return id;
}

const textures = ['Глина', 'Суглинок средний', 'Водоём'];
const texturesAsFeatures = textures.map((texture, index) => ({
  type: 'Feature',
  properties: { texture },
  geometry: { type: 'Polygon', coordinates: squareOf(index / 3, (index + 1) / 3) },
}));

/** Uploads the soil map as a dataset of a group of its own. */
async function uploadSoil(name: string, group: string, day: string): Promise<string> {
  return await uploadVector(name, texturesAsFeatures, { dg_id: group, end_date: day });
}

async function createGroup(code: string): Promise<string> {
  const { status, body } = await client.json<{ id: string }>('/dataset-groups', {
    method: 'POST',
    body: JSON.stringify({ code, name: code }),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

async function madeIn(slot: string): Promise<readonly MadeInputView[]> {
  return (await client.json<MadeInputView[]>(`/landscape/slots/${slot}/make`)).body;
}

await uploadVector(roadName, [
  {
    type: 'Feature',
    properties: { kind: 'road' },
    geometry: {
      type: 'LineString',
      coordinates: [
        [west, south],
        [east, north],
      ],
    },
  },
]);

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner makes inputs of a soil map and of roads', setting), async () => {
    const text = wordsOf[language];
    const own = `${soilName} ${language}-${width}`;
    const group = await createGroup(`soil-maps-${language}-${width}`);
    await uploadSoil(own, group, '2024-12-31');
    const browser = await sharedBrowser({ gpu });
    const { page, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#/landscape`,
        language,
        width,
        given: [
          ...textures,
          own,
          `${own} 2025`,
          roadName,
          `${roadName} ${language}-${width}`,
          'texture',
          'kind',
          'road',
          'Topsoil',
          'from',
        ],
      }),
    );
    const picture = `make-${language}-${width}`;
    const isOfDocuments = language === 'en' && width > 1000;
    const save = page.getByRole('button', { name: text.make, exact: true });

    test('from the row of an input, with a table that is suggested and confirmed', async () => {
      await page.locator(`[data-slot="${soil}"] a[href*="make"]`).click();
      await page.waitForURL('**/#/landscape/make?slot=*');
      await page.getByLabel(text.vector).selectOption({ label: own });
      await page.getByLabel(new RegExp(`^${text.attribute}`)).selectOption('texture');
      const clay = page.getByLabel(`${text.becomes}: Глина`);
      await eventually('the suggestion', async () => (await clay.inputValue()) === '1');
      await page.getByLabel(`${text.becomes}: Водоём`).selectOption('none');
      await page.getByLabel(`${text.becomes}: Суглинок средний`).selectOption('7');
      await check('a table');
      await takePicture(page, `${picture}-table`);
      if (isOfDocuments) await takePicture(page, 'make-input');
      await save.click();
      await page.getByText(text.made).waitFor();
      await page.locator('.made-list li').first().waitFor();
      await check('a made input');
      await takePicture(page, `${picture}-made`);
      const [made] = await madeIn(soil);
      assert.ok(made !== undefined);
      const { recipe, figures } = made;
      assert.ok(recipe.method === 'rasterize' && figures !== null);
      assert.deepEqual(
        new Map(recipe.table?.map(({ value, number }) => [value, number])),
        new Map([
          ['Глина', 1],
          ['Суглинок средний', 7],
          ['Водоём', null],
        ]),
      );
    });

    test('again when a newer soil map has come', async () => {
      const newer = await uploadSoil(`${own} 2025`, group, '2025-12-31');
      const before = await madeIn(soil);
      await page.reload();
      const offered = page.locator('.made-list li', { hasText: `${own} 2025` }).first();
      await offered.waitFor();
      await check('a newer source');
      await takePicture(page, `${picture}-newer`);
      await offered.getByRole('button', { name: text.repeat }).click();
      await page.getByText(text.made).waitFor();
      const [made, ...others] = await madeIn(soil);
      assert.equal(others.length, before.length);
      assert.deepEqual(
        made?.sources.flatMap(({ role, dataset_id: id }) => (role === 'features' ? [id] : [])),
        [newer],
      );
      assert.ok(made.sources.every((source) => source.newer === null));
    });

    test('as distances to roads, which are then of the slot', async () => {
      await page.goto(`${baseUrl}/#/landscape/make?slot=landscape-in-distance-road`);
      await page.getByLabel(text.vector).selectOption({ label: roadName });
      await page.getByLabel(text.limit).fill('1000');
      await page.getByText(text.more).click();
      await page.getByLabel(text.beyond).selectOption('limit');
      await page.getByLabel(text.filterBy).selectOption('kind');
      await page.getByRole('checkbox', { name: 'road' }).check();
      await page.getByLabel(text.own.name).fill(`${roadName} ${language}-${width}`);
      await page.getByLabel(text.own.start).fill('2026-01-01');
      await page.getByLabel(text.own.end, { exact: true }).fill('2026-12-31');
      await check('options');
      await takePicture(page, `${picture}-distance`);
      if (isOfDocuments) await takePicture(page, 'make-input-distance');
      await save.click();
      await page.getByText(text.made).waitFor();
      await page.locator('.made-list li').first().waitFor();
      await check('distances');
      const [made] = await madeIn('landscape-in-distance-road');
      assert.ok(made?.recipe.method === 'distance');
      const { where, beyond, name, start_date: start, end_date: end } = made.recipe;
      assert.deepEqual(where, { attribute: 'kind', values: ['road'] });
      assert.deepEqual(
        [beyond, name, start, end],
        ['limit', `${roadName} ${language}-${width}`, '2026-01-01', '2026-12-31'],
      );
    });

    test('and reads why one cannot be made', async () => {
      await page.goto(`${baseUrl}/#/landscape/make?slot=landscape-in-precipitation`);
      await page.getByLabel(text.methods.mosaic).check();
      assert.ok(await save.isDisabled());
      await page.locator('.make-rasters input').first().check();
      assert.ok(await save.isEnabled());
      await check('rasters');
      await takePicture(page, `${picture}-rasters`);
    });
  });
}
