import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import type { MadeRaster } from '../../console/src/service/types.ts';
import { make as makeEn } from '../../console/src/pages/make/words/en.ts';
import { make as makeKk } from '../../console/src/pages/make/words/kk.ts';
import { make as makeRu } from '../../console/src/pages/make/words/ru.ts';
import { sourceFiles as sourcesEn } from '../../console/src/pages/source-files/words/en.ts';
import { sourceFiles as sourcesKk } from '../../console/src/pages/source-files/words/kk.ts';
import { sourceFiles as sourcesRu } from '../../console/src/pages/source-files/words/ru.ts';
import { settingsOf, titleOf, visit } from '../support/browser/browser.ts';
import { takePicture } from '../support/browser/screenshots.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { createLandscapeClient } from '../support/landscape/landscape.ts';
import { soilTextures, writePlannerFiles } from '../support/landscape/planner-files.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';
import { en, kk, ru } from './landscape-words.ts';
import { sharedBrowser } from './shared.ts';

const wordsOf = {
  en: { ...en, make: makeEn, sources: sourcesEn },
  ru: { ...ru, make: makeRu, sources: sourcesRu },
  kk: { ...kk, make: makeKk, sources: sourcesKk },
};
const files = await writePlannerFiles(await temporaryFolder());
const uploads = [files.soil, ...files.tiles, files.roads];
const months = 12;
/** Days of 2020 by month. */
const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The climate of the file by variable, and what the page is told to make of it. */
const climate = [
  {
    variable: 't2m',
    slot: 'temperature-sum',
    combine: 'sum',
    conversion: 'kelvin_to_celsius',
    byDays: true,
    above: '10',
  },
  {
    variable: 'tp',
    slot: 'precipitation',
    combine: 'sum',
    conversion: 'metres_to_millimetres',
    byDays: true,
  },
  { variable: 'sde', slot: 'snow-depth', combine: 'maximum', conversion: 'metres_to_centimetres' },
] as const;

/** An input of the demonstration, which is a raster already. */
async function demonstration(leaf: string): Promise<File> {
  const bytes = await readFile(join(projectRoot, 'examples/landscape', `${leaf}.tif`));
  return new File([new Uint8Array(bytes)], `${leaf}.tif`);
}

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a planner makes inputs of what an agency has, and runs them', setting), async () => {
    const words = wordsOf[language];
    const browser = await sharedBrowser({ gpu });
    const { baseUrl } = await closeAfterTests(startService());
    const landscape = createLandscapeClient(baseUrl);
    await landscape.createCategory('climate');
    const { page, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${baseUrl}/#/datasets`,
        language,
        width,
        given: [
          ...soilTextures,
          ...uploads.map((path) => basename(path)),
          basename(files.climate),
          ...climate.map(({ variable }) => variable),
          'pochvy',
          'dorogi',
          'relief',
          'Мехсостав',
          'Название',
          'Corg',
          'EC',
          'standard',
        ],
      }),
    );
    page.setDefaultTimeout(120_000);
    const save = page.getByRole('button', { name: words.make.make, exact: true });

    async function openMake(slot: string): Promise<void> {
      await page.goto(`${baseUrl}/#/landscape`);
      await page.locator(`[data-slot="landscape-in-${slot}"] a[href*="make"]`).click();
      await page.waitForURL(`**/#/landscape/make?slot=landscape-in-${slot}`);
    }

    /** Makes the input as the form says, waits until a run can take it, and returns its recipe and figures. */
    async function makeInput(slot: string): Promise<MadeRaster> {
      await save.click();
      await page.getByText(words.make.made).waitFor();
      const path = `/landscape/slots/landscape-in-${slot}/make`;
      const [made] = (await landscape.json<MadeRaster[]>(path)).body;
      assert.ok(made !== undefined, slot);
      const id = made.dataset_id ?? assert.fail(slot);
      await eventually('the raster', async () => (await landscape.status(id)).status === 'ready');
      return made;
    }

    async function chooseVector(name: string): Promise<void> {
      await page.getByLabel(words.make.vector).selectOption({ label: name });
    }

    async function findRasters(text: string, count: number): Promise<void> {
      await page.getByLabel(words.make.find).fill(text);
      await page.getByRole('button', { name: words.make.chooseAll(count), exact: true }).click();
      await page.getByText(words.make.chosen(count), { exact: true }).waitFor();
    }

    test('the soil map, the tiles and the roads are uploaded as they are', async () => {
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([...uploads]);
      await eventually('the datasets', async () => {
        const { body } = await landscape.json<{ total: number }>('/datasets?status=ready');
        return body.total === uploads.length;
      });
      await check('uploads');
    });

    test('the months of a climate file become rasters', async () => {
      await page.goto(`${baseUrl}/#/source-files`);
      await page.locator('.source-choose input').setInputFiles(files.climate);
      for (const { variable } of climate) {
        await page.getByLabel(words.sources.variable).selectOption(variable);
        await page.getByRole('button', { name: words.sources.all }).click();
        await page.getByRole('button', { name: words.sources.make(months) }).click();
        await page.getByRole('link', { name: `${variable} 2020-12` }).waitFor();
      }
      await eventually('the rasters', async () => {
        const { body } = await landscape.json<{ total: number }>('/datasets?status=ready');
        return body.total === uploads.length + climate.length * months;
      });
      await check('climate');
    });

    test('three tiles become the elevation, without a seam', async () => {
      await openMake('dem');
      await findRasters('relief', files.tiles.length);
      await takePicture(page, `planner-tiles-${language}`);
      await check('tiles');
      const { figures } = await makeInput('dem');
      assert.deepEqual(
        [figures?.width, figures?.height, figures?.largest_difference],
        [900, 660, 0],
        'the tiles have equal values where they overlap',
      );
    });

    test('texture, carbon and salinity come from the soil map', async () => {
      await openMake('soil-texture');
      await chooseVector('pochvy');
      await page.getByLabel(new RegExp(`^${words.make.attribute}`)).selectOption('Мехсостав');
      const clay = page.getByLabel(`${words.make.becomes}: ${soilTextures[0]}`);
      await eventually('the suggestion', async () => (await clay.inputValue()) === '1');
      await page.getByLabel(`${words.make.becomes}: ${soilTextures[1]}`).selectOption('7');
      await page.getByLabel(`${words.make.becomes}: ${soilTextures[2]}`).selectOption('9');
      await page.getByLabel(`${words.make.becomes}: ${soilTextures[3]}`).selectOption('4');
      await takePicture(page, `planner-soil-${language}`);
      await check('soil');
      const { figures } = await makeInput('soil-texture');
      assert.deepEqual([figures?.features, figures?.valid], [20, 900 * 660]);
      for (const [slot, attribute] of [
        ['soil-organic-carbon', 'Corg'],
        ['soil-salinity', 'EC'],
      ] as const) {
        await openMake(slot);
        await page.getByLabel(words.make.methods.rasterize, { exact: true }).check();
        await chooseVector('pochvy');
        await page.getByLabel(new RegExp(`^${words.make.attribute}`)).selectOption(attribute);
        await page.getByLabel(words.make.takeNumbers).waitFor();
        const { recipe } = await makeInput(slot);
        assert.ok(recipe.method === 'rasterize' && recipe.table === null);
      }
      await check('carbon and salinity');
    });

    test('sums and extremes of months become the climate', async () => {
      for (const { variable, slot, ...asked } of climate) {
        await openMake(slot);
        await findRasters(variable, months);
        await page.getByRole('combobox', { name: words.make.combine }).selectOption(asked.combine);
        if ('byDays' in asked) await page.getByLabel(words.make.byDays).check();
        if ('above' in asked) await page.getByLabel(words.make.above).fill(asked.above);
        await page.getByRole('combobox', { name: words.make.conversion }).selectOption(asked.conversion);
        await takePicture(page, `planner-${slot}-${language}`);
        await check(slot);
        await makeInput(slot);
      }
      const { body: rain } = await landscape.json<MadeRaster[]>(
        '/landscape/slots/landscape-in-precipitation/make',
      );
      const values = await landscape.pixels(rain[0]?.dataset_id ?? '');
      const expected = days.reduce((sum, count, month) => {
        const metres = 0.0009 + 0.0005 * Math.cos(((month - 6) * Math.PI) / 6);
        return sum + 1000 * count * metres;
      }, 0);
      assert.ok(Math.abs((values[0] ?? NaN) - expected) < 0.05, `${values[0]} mm, expected ${expected}`);
    });

    test('distances to the roads are measured, and a run takes all of them', async () => {
      await openMake('distance-road');
      await chooseVector('dorogi');
      await makeInput('distance-road');
      for (const leaf of ['land-cover', 'protected-areas', 'ndvi', 'distance-water', 'pet'])
        await landscape.fill(leaf, await demonstration(leaf));
      await page.goto(`${baseUrl}/#/landscape`);
      await page.getByRole('heading', { name: words.inputs.allReady(13) }).waitFor();
      await page.getByText(words.inputs.summary(19, 0)).waitFor();
      await takePicture(page, `planner-plan-${language}`);
      await check('plan');
      await page.getByRole('button', { name: words.inputs.run, exact: true }).click();
      await page.waitForURL(/#\/landscape\/runs\/[0-9a-f-]{36}/);
      const [id = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
      const run = await landscape.finished(id);
      assert.equal(run.status, 'succeeded', run.error ?? '');
      await page.goto(`${baseUrl}/#/landscape/results?node=34`);
      const card = page.locator('.result.is-open');
      await card.locator('.areas').waitFor();
      await card.locator('img').waitFor();
      await card.locator('.lineage').getByText('pochvy').first().waitFor();
      await takePicture(page, `planner-zones-${language}`);
      await check('zones');
    });

    test('the result names the soil map, the months and the roads as its sources', async () => {
      const { data } = (await landscape.json<{ data: { id: string }[] }>('/datasets?q=zoning')).body;
      const path = `/datasets/${data[0]?.id}/lineage`;
      const { steps, is_complete: isComplete } = (
        await landscape.json<{ steps: { name: string }[]; is_complete: boolean }>(path)
      ).body;
      const names = steps.map(({ name }) => name);
      for (const name of ['pochvy', 'dorogi', 'relief-1', 'tp 2020-01', 't2m 2020-12'])
        assert.ok(names.includes(name), `${name} of ${names.join(', ')}`);
      assert.equal(isComplete, true);
    });
  });
}
