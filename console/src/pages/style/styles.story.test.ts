import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { readSld } from '../../../../common/maps/style/sld-read.ts';
import { cssOf, rampColours } from '../../../../common/maps/style/colour-map.ts';
import { en } from './words/en.ts';
import { kk } from './words/kk.ts';
import { ru } from './words/ru.ts';
import { en as mapEn } from '../../map/words/en.ts';
import { kk as mapKk } from '../../map/words/kk.ts';
import { ru as mapRu } from '../../map/words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { classColours, uploadMaps } from '../../../../test/console/map-data.ts';
import { coloursOf } from '../../../../test/console/map-pixels.ts';
import { startService } from '../../../../test/support/service.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';

// A service of its own, because other stories set styles on the shared one.
const { baseUrl } = await closeAfterTests(startService());
const ids = await uploadMaps(baseUrl, await temporaryFolder());
const ofJson = (method: string, body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const made = await fetch(
  `${baseUrl}/dataset-groups`,
  ofJson('POST', { code: 'population', name: 'Population' }),
);
const { id: group }: { id: string } = Object(await made.json());
await fetch(`${baseUrl}/datasets/${ids.population}`, ofJson('PATCH', { dg_id: group }));
const wordsOf = { en, ru, kk };
const mapWordsOf = { en: mapEn, ru: mapRu, kk: mapKk };

const sldAt = async (path: string): Promise<string> => await (await fetch(`${baseUrl}${path}`)).text();
const datasetOf = async (id: string) => Object(await (await fetch(`${baseUrl}/datasets/${id}`)).json());
const fillsOf = (sld: string) =>
  readSld(sld).rules.flatMap(({ signs }) =>
    signs.flatMap(({ fill }) => (fill === undefined ? [] : cssOf(fill))),
  );

/** Colours of the map, without those mixed along borders. */
async function largeColours(page: Parameters<typeof coloursOf>[0]): Promise<readonly string[]> {
  const counts = await coloursOf(page);
  return [...counts].filter(([, count]) => count > 400).map(([colour]) => colour);
}

describe('S5: the map in our colours', async () => {
  const browsers = new Map<boolean, Awaited<ReturnType<typeof sharedBrowser>>>();
  for (const gpu of [true, false]) browsers.set(gpu, await sharedBrowser({ gpu }));

  for (const setting of settingsOf(0))
    test(titleOf('a table is divided into classes, at once on the map, and stored', setting), async () => {
      const { language, width, gpu } = setting;
      const text = wordsOf[language];
      await fetch(`${baseUrl}/datasets/${ids.population}/sld/own`, { method: 'DELETE' });
      const browser = browsers.get(gpu) ?? assert.fail();
      const { page, check, close } = await visit(browser, {
        baseUrl: `${baseUrl}/#/datasets/${ids.population}/style`,
        language,
        width,
      });
      // From the second setting on, the group has a style.
      const make = page.getByRole('button', { name: text.make });
      const brown = page.getByRole('radio', { name: text.ramps.ylorbr });
      await make.or(brown).first().waitFor();
      if (await make.isVisible()) await make.click();
      await brown.check();
      await page.getByRole('combobox', { name: text.method }).selectOption('own');
      const bounds = page.getByRole('textbox', { name: text.bounds });
      await bounds.fill('500000; x');
      await page.getByRole('button', { name: text.use }).click();
      await page.getByText(text.badBounds).waitFor();
      await bounds.fill('500 000; 750 000; 1 000 000');
      await page.getByRole('button', { name: text.use }).click();
      await eventually('the address', async () =>
        decodeURIComponent(page.url()).includes('breaks=500000;750000;1000000'),
      );
      const four = rampColours('ylorbr', 4).map(cssOf);
      const paper = ['#e4e4df', '#b9b9b2'];
      // Before the map is redrawn, it has the five earlier classes, of which the highest one has the same
      // colour.
      await eventually('four brown classes', async () => {
        const colours = await largeColours(page);
        const isDrawn = colours.includes('#662506');
        return isDrawn && colours.every((colour) => [...four, ...paper].includes(colour));
      });
      assert.equal((await datasetOf(ids.population)).sld_storage_key, null);
      await page.getByText(text.unsaved).waitFor();
      await check('a style that is not saved');
      await page.getByRole('button', { name: text.save, exact: true }).click();
      await page.getByText(text.saved).waitFor();
      const stored = await sldAt(`/datasets/${ids.population}/sld`);
      const fills = fillsOf(stored);
      assert.deepEqual(fills, four);
      await page.getByText(text.own(`${(await datasetOf(ids.population)).sld_filename}`)).waitFor();
      await check('a style of its own');
      // The group gets another style; the dataset keeps its own until that is removed.
      await make.click();
      await page.getByRole('radio', { name: text.ramps.blues }).check();
      await page.getByRole('button', { name: text.saveForGroup('Population') }).click();
      await page.getByText(text.ownStays).waitFor();
      assert.equal(await sldAt(`/datasets/${ids.population}/sld`), stored);
      await page.getByRole('button', { name: text.backToGroup }).click();
      await eventually('the style of the group', async () => (await largeColours(page)).includes('#08306b'));
      const shared = await sldAt(`/dataset-groups/${group}/sld`);
      await eventually(
        'the service has it, too',
        async () => (await sldAt(`/datasets/${ids.population}/sld`)) === shared,
      );
      await check('the style of the group');
      await close();
    });

  for (const setting of settingsOf(1))
    test(
      titleOf('a raster has ramps, single values, an uploaded style and files for QGIS', setting),
      async () => {
        const { language, width, gpu } = setting;
        const [text, map] = [wordsOf[language], mapWordsOf[language]];
        const browser = browsers.get(gpu) ?? assert.fail();
        const { page, check, close } = await visit(browser, {
          baseUrl: `${baseUrl}/#/datasets/${ids.raster}/style`,
          language,
          width,
          given: ['S1', 'S2', 'S3', 'S4', 'S5'],
        });
        await eventually('the stored style', async () =>
          (await largeColours(page)).includes(classColours[0] ?? ''),
        );
        await page.getByRole('button', { name: text.make }).click();
        await page.getByRole('radio', { name: text.ramps.different }).waitFor();
        // Names of classes stay with their values.
        await page.getByRole('button', { name: map.showOnly('S2') }).waitFor();
        await page.getByRole('radio', { name: text.kinds.ramp }).check();
        await page.getByRole('radio', { name: text.ramps.cividis }).check();
        await page.getByRole('textbox', { name: text.from }).fill('1,5');
        await page.getByRole('textbox', { name: text.from }).blur();
        await eventually('the colour of the lowest', async () =>
          (await largeColours(page)).includes('#00224e'),
        );
        await check('a ramp');
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: text.qml }).click();
        const qml = await readFile(await (await saved).path(), 'utf8');
        assert.match(qml, /colorRampType="INTERPOLATED"[\s\S]*value="1.5" color="#00224e"/);
        await page.getByRole('button', { name: text.drop }).click();
        await eventually('the stored style again', async () =>
          (await largeColours(page)).includes(classColours[0] ?? ''),
        );
        const before = await sldAt(`/datasets/${ids.raster}/sld`);
        const withRelief = before.replace('</ColorMap>', '</ColorMap><ShadedRelief/>');
        await page.locator('input[type=file][accept=".sld,.xml"]').setInputFiles({
          name: 'relief.sld',
          mimeType: 'application/xml',
          buffer: Buffer.from(withRelief),
        });
        await page
          .getByRole('status')
          .filter({ hasText: map.keptNotDrawn(map.undrawn.hillshade) })
          .waitFor();
        await check('an uploaded style');
        const form = new FormData();
        form.append('file', new File([before], 'classes.sld'));
        await fetch(`${baseUrl}/datasets/${ids.raster}/sld`, { method: 'POST', body: form });
        await close();
      },
    );

  for (const setting of settingsOf(2))
    test(titleOf('the map is told apart, and saved as a picture', setting), async () => {
      const { language, width, gpu } = setting;
      const map = mapWordsOf[language];
      const browser = browsers.get(gpu) ?? assert.fail();
      const { page, check, close } = await visit(browser, {
        baseUrl: `${baseUrl}/#/map?l=${ids.raster}`,
        language,
        width,
        given: ['S1', 'S2', 'S3', 'S4', 'S5'],
      });
      await eventually('the style', async () => (await largeColours(page)).includes(classColours[4] ?? ''));
      await page.getByLabel(map.distinctColours).check();
      await eventually('colours for every kind of sight', async () =>
        (await largeColours(page)).includes('#26388d'),
      );
      await eventually('the address', async () => page.url().includes('tell-apart=1'));
      await check('told apart');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: map.picture.save }).click();
      const bytes = await readFile(await (await saved).path());
      const [wide, high] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      assert.ok(wide > 600 && high > 600, `${wide} × ${high}`);
      await page.getByLabel(map.distinctColours).uncheck();
      await eventually('the style again', async () =>
        (await largeColours(page)).includes(classColours[4] ?? ''),
      );
      await close();
    });
});
