import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { takePicture } from '../../../../test/support/browser/screenshots.ts';
import { createClient } from '../../../../test/support/client.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { references as en } from './words/en.ts';
import { references as kk } from './words/kk.ts';
import { references as ru } from './words/ru.ts';

const allWords = { en, ru, kk };
const place = 'https://archive.example/srtm/n51e066.tif';

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a raster stays on another server', setting), async () => {
    const service = await clearedService();
    const client = createClient(service.baseUrl);
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: `${service.baseUrl}/#/datasets`,
        language,
        width,
        // Chromium logs the refusal of an address.
        expected: /status of 422/,
        given: [
          'Рельеф',
          'https',
          'srtm',
          'Float',
          'Int',
          'relief',
          'REFERENCE_HOSTS',
          'archive.example',
          'name.tif',
          'n51e066.tif',
          'n51e067',
          'n51e068',
          'REFERENCE_BUCKETS',
          's3',
          'STAC',
          'FlatGeobuf',
          'name.fgb',
          'bucket',
          'collection.json',
          'collections',
          'items',
          'Copernicus DEM',
          'data',
          'elevation',
        ],
      }),
    );
    const text = allWords[language];
    let id = '';
    before(async () => {
      await clear(service.baseUrl);
      const category = await client.createCategory('registers');
      const file = new File([await readFile(join(projectRoot, 'examples/zhabay-dem.tif'))], 'relief.tif');
      id = await client.upload(category, 'raster', file, { name: 'Рельеф' });
      await eventually('ready', async () => (await client.status(id)).status === 'ready' || undefined);
      await page.goto(`${service.baseUrl}/#/datasets?type=raster`);
    });

    test('groups that cannot be read are reported, and can be read again', async () => {
      let isDown = true;
      await page.route('**/dataset-groups?*', async (route) => {
        await (isDown ? route.fulfill({ status: 422, json: {} }) : route.fallback());
      });
      await page.getByRole('button', { name: words.datasets.byAddress, exact: true }).click();
      const dialog = page.getByRole('dialog');
      const again = dialog.getByRole('button', { name: words.failure.again });
      await again.waitFor();
      isDown = false;
      await again.click();
      await dialog.getByLabel(words.dataset.group).waitFor();
      await page.keyboard.press('Escape');
    });

    test('an address that the operator has not allowed is refused with a sentence', async () => {
      await page.getByRole('button', { name: words.datasets.byAddress, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(text.address).fill(place);
      await dialog.getByRole('button', { name: text.add }).click();
      await dialog.getByRole('alert').filter({ hasText: 'REFERENCE_HOSTS' }).waitFor();
      await takePicture(page, `references-dialog-${language}`);
      await check('refused');
      await page.keyboard.press('Escape');
    });

    test('the files of a STAC collection are registered in a group, with progress and reasons', async () => {
      let asked = 0;
      const look = {
        title: 'Copernicus DEM',
        items: ['n51e066', 'n51e067', 'n51e068'].map((id, index) => ({
          id,
          start_date: `2026-0${index + 1}-01`,
          end_date: `2026-0${index + 1}-28`,
        })),
        assets: [{ key: 'data', title: 'elevation', items: 3, refusal: null }],
        refused: [],
        complete: true,
      };
      const item = (name: string) => ({ item: name, dataset_id: id });
      const reason = { en: 'The file is too large.', ru: 'Файл слишком велик.', kk: 'Файл тым үлкен.' }[
        language
      ];
      await page.route('**/datasets/references/stac/**', async (route) => {
        if (route.request().url().includes('/look')) return await route.fulfill({ json: look });
        asked += 1;
        const isMade = asked > 1;
        await route.fulfill({
          json: {
            id,
            state: isMade ? 'made' : 'pending',
            address: place,
            asset: 'data',
            title: look.title,
            registered: [item('n51e066'), ...(isMade ? [item('n51e067')] : [])],
            refused: isMade ? [{ item: 'n51e068', reason }] : [],
            complete: true,
            failure: null,
          },
        });
      });
      await page.route(/datasets\/references\/stac(?:\?|$)/, async (route) => {
        await route.fulfill({ status: 201, json: { id } });
      });
      await page.getByRole('button', { name: words.datasets.byAddress, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: text.kinds.stac }).click();
      await dialog.getByLabel(text.address).fill('https://archive.example/collection.json');
      await dialog.getByRole('button', { name: text.look }).click();
      await dialog.getByText('Copernicus DEM').waitFor();
      await takePicture(page, `references-stac-${language}`);
      await check('looked at');
      await dialog.getByRole('button', { name: text.registerAll }).click();
      await dialog.getByText(text.registered(2)).waitFor();
      await dialog.getByText(reason).waitFor();
      await takePicture(page, `references-stac-done-${language}`);
      await check('registered');
      await page.keyboard.press('Escape');
    });

    test('its dataset tells where it is and whether it has changed, and its file is copied', async () => {
      let [state, copied] = ['unchanged', 0];
      const reason = { en: 'The file was replaced.', ru: 'Файл заменён.', kk: 'Файл ауыстырылған.' }[
        language
      ];
      await page.route(`**/datasets/${id}`, async (route) => {
        const dataset: object = await (await route.fetch()).json();
        const reference = {
          address: place,
          state,
          reason: state === 'unchanged' ? null : reason,
          checked_at: '2026-11-30T10:00:00.000Z',
          copying: copied === 1,
        };
        if (copied > 0) copied += 1;
        await route.fulfill({ json: copied > 2 ? dataset : { ...dataset, reference } });
      });
      await page.route(`**/datasets/${id}/copy`, async (route) => {
        copied = 1;
        await route.fulfill({ json: {} });
      });
      state = 'changed';
      await page.goto(`${service.baseUrl}/#/datasets/${id}`);
      const section = page.locator('section[aria-labelledby=reference]');
      await section.getByText(reason).waitFor();
      assert.equal(await section.getByRole('button', { name: text.copy }).isDisabled(), true);
      await section.scrollIntoViewIfNeeded();
      await takePicture(page, `references-changed-${language}`);
      await check('changed');
      state = 'unchanged';
      await page.reload();
      await section.getByText(text.states.unchanged, { exact: true }).waitFor();
      await section.scrollIntoViewIfNeeded();
      await takePicture(page, `references-unchanged-${language}`);
      await section.getByRole('button', { name: text.copy }).click();
      await section.waitFor({ state: 'detached' });
      await check('copied');
    });
  });
}
