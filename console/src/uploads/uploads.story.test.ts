import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { settingsOf, titleOf, visit } from '../../../test/support/browser/browser.ts';
import { projectRoot } from '../../../test/support/project.ts';
import { clear, clearedService, sharedBrowser } from '../../../test/console/shared.ts';

const example = (name: string): string => join(projectRoot, 'examples', name);
const folder = await temporaryFolder();
const picture = join(folder, 'soil.tif');
await writeFile(picture, 'GIF89a');

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a GIS officer drops files and goes on working', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const service = await clearedService();
    const { page, words, check } = await closeAfterTests(
      visit(browser, { baseUrl: service.baseUrl, language, width }),
    );
    before(async () => {
      await clear(service.baseUrl);
      await page.reload();
    });

    test('the first visit says what this is', async () => {
      await page.getByRole('heading', { level: 1, name: words.welcome.title }).waitFor();
      await check('first visit');
    });

    test('a file that is chosen while the page still asks what there is, is taken', async () => {
      // The button of the list replaces that of the first visit while the file dialog is open.
      const answers = Promise.withResolvers<void>();
      await page.route('**/datasets?*', async (route) => {
        await answers.promise;
        await route.fallback();
      });
      await page.reload();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: words.datasets.upload }).click(),
      ]);
      answers.resolve();
      await page.getByRole('heading', { level: 1, name: words.welcome.title }).waitFor();
      await chooser.setFiles(picture);
      const tray = page.getByRole('complementary', { name: words.upload.title });
      await tray.getByText(words.upload.notTiff).waitFor();
      await tray.getByRole('button', { name: `${words.upload.dismiss}: soil.tif` }).click();
      await page.unroute('**/datasets?*');
    });

    test('good files become ready, and a bad one says what to do before it is sent', async () => {
      const files = [example('akmola-rayony.zip'), example('zhabay-dem.tif'), picture, example('README.md')];
      await page.locator('input[type=file]').setInputFiles(files);
      const tray = page.getByRole('complementary', { name: words.upload.title });
      for (const name of ['akmola-rayony.zip', 'zhabay-dem.tif']) {
        const row = tray.getByRole('listitem').filter({ hasText: name });
        await row.getByText(words.statuses.ready).waitFor({ timeout: 60_000 });
      }
      await tray
        .getByRole('listitem')
        .filter({ hasText: 'soil.tif' })
        .getByText(words.upload.notTiff)
        .waitFor();
      await tray.getByText(words.upload.unknownKind).waitFor();
      await page.getByRole('link', { name: 'zhabay-dem' }).waitFor();
      await check('tray');
      const answer = await fetch(`${service.baseUrl}/datasets?q=soil`);
      const { total }: { total?: number } = Object(await answer.json());
      assert.equal(total, 0);
    });

    test('a row stays until it is dismissed, and leads to its dataset', async () => {
      const tray = page.getByRole('complementary', { name: words.upload.title });
      await tray.getByRole('button', { name: `${words.upload.dismiss}: soil.tif` }).click();
      assert.equal(await tray.getByText('soil.tif').count(), 0);
      await tray
        .getByRole('listitem')
        .filter({ hasText: 'zhabay-dem.tif' })
        .getByRole('link', { name: words.upload.open })
        .click();
      await page.getByRole('heading', { level: 1, name: 'zhabay-dem' }).waitFor();
      await page.getByText('EPSG:4326').waitFor();
      await check('dataset');
    });

    test('a dataset gets another name, and goes for good when that is wanted', async () => {
      // The tray is folded after the page has changed.
      await page.getByRole('button', { name: words.upload.title, expanded: false }).waitFor();
      await page.getByRole('button', { name: words.dataset.edit }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(words.dataset.name).fill('Рельеф Жабая');
      await check('edit dialog');
      await dialog.getByRole('button', { name: words.dataset.save }).click();
      await page.getByRole('heading', { level: 1, name: 'Рельеф Жабая' }).waitFor();
      await page.getByRole('button', { name: words.dataset.remove }).click();
      await check('delete dialog');
      await page.getByRole('dialog').getByRole('button', { name: words.dataset.remove }).click();
      await page.getByRole('link', { name: 'akmola-rayony' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Рельеф Жабая' }).count(), 0);
      // Its row in the tray is removed as well.
      assert.equal(await page.getByText('zhabay-dem.tif').count(), 0);
    });
  });
}
