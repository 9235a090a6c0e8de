import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { en } from './words/en.ts';
import { kk } from './words/kk.ts';
import { ru } from './words/ru.ts';
import { en as tableEn } from '../spreadsheet/words/en.ts';
import { kk as tableKk } from '../spreadsheet/words/kk.ts';
import { ru as tableRu } from '../spreadsheet/words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';

const placeWords = { en, ru, kk };
const tableWords = { en: tableEn, ru: tableRu, kk: tableKk };

const table = [
  'Район;2021;2022',
  'Акмолинская обл.;1;2',
  'Аккольский;3;4',
  'Есильский;5;6',
  'Зерендинский р-н;7;8',
  'Енбекшильдерский;9;10',
  'Костанайская область;1;2',
  'Костанай;3;4',
  'Южно-Казахстанская;5;6',
  'Каскелен;7;8',
].join('\n');

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('names of places become codes', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { baseUrl } = await clearedService();
    const { page, check } = await closeAfterTests(visit(browser, { baseUrl, language, width }));
    // Other stories of the process use the same service until this one begins.
    before(async () => {
      await clear(baseUrl);
      await page.reload();
    });
    const text = placeWords[language];
    const places = page.getByRole('region', { name: text.title });
    const selectOf = (name: string) => places.getByLabel(text.unitOf(name), { exact: true });
    const send = page.getByRole('dialog').getByRole('button', { name: tableWords[language].send });

    test('what is doubtful comes first, with the reason, and the rest is folded', async () => {
      const content = { name: 'Посевы.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
      await page.locator('input[type=file]').first().setInputFiles(content);
      await places.getByText(text.summary(7, 9)).waitFor();
      await places.getByText(text.reason.divided).first().waitFor();
      await places.getByText(text.reason.unknown).first().waitFor();
      assert.equal(await selectOf('Аккольский').count(), 0);
      await places.getByText(text.certain(5)).click();
      assert.equal(await selectOf('Аккольский').inputValue(), '113200000');
      await places.getByText(text.likely(2)).click();
      assert.equal(await selectOf('Есильский').inputValue(), '114800000');
      await check('names of places');
      if (process.env['STEPPE_PICTURES'] !== undefined)
        await places.screenshot({
          path: `${process.env['STEPPE_PICTURES']}/place-names-${language}-${width}.png`,
        });
    });

    test('an answer is chosen among all units, by keyboard as well, and is sent as the code of the row', async () => {
      const select = selectOf('Южно-Казахстанская');
      await select.focus();
      await select.selectOption('610000000');
      await selectOf('Каскелен').focus();
      await selectOf('Каскелен').selectOption('195200000');
      await places.getByText(text.status.chosen).first().waitFor();
      await places.getByText(text.answered(2, 2)).waitFor();
      await check('answers');
      await eventually('it can be sent', async () => await send.isEnabled());
      await send.click();
      await page.waitForURL(/#\/datasets\/[\da-f-]{36}\/columns/);
      const id = /datasets\/([\da-f-]{36})/.exec(page.url())?.[1] ?? assert.fail(page.url());
      const {
        attribute_columns: [codes],
      } = Object(await (await fetch(`${baseUrl}/datasets/${id}`)).json());
      assert.deepEqual(codes.samples.slice(0, 3), ['110000000', '113200000', '114800000']);
    });
  });
}
