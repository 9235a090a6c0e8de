import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { en as columnsEn } from '../../pages/columns/words/en.ts';
import { kk as columnsKk } from '../../pages/columns/words/kk.ts';
import { ru as columnsRu } from '../../pages/columns/words/ru.ts';
import { en } from './words/en.ts';
import { kk } from './words/kk.ts';
import { ru } from './words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { odsWorkbook } from '../../../../test/support/tables/ods-workbooks.ts';
import { olderWorkbook, record } from '../../../../test/support/tables/older-workbooks.ts';
import { type Sheet, workbook } from '../../../../test/support/tables/workbooks.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';

const tableWords = { en, ru, kk };
const columnsWords = { en: columnsEn, ru: columnsRu, kk: columnsKk };

/** Two sheets, titles, a header of two lines, a row of column numbers, damaged codes, a total and a source. */
const sown = workbook([
  { name: 'Мазмұны', rows: [['1. Посевы'], ['2. Урожай']] },
  {
    name: 'Посевы',
    rows: [
      ['Посевные площади по областям'],
      ['тыс. га'],
      [],
      ['Код', 'Область', '2021', null, '2022', null],
      [null, null, 'план', 'факт', 'план', 'факт'],
      ['А', 'Б', 1, 2, 3, 4],
      [null, 'Всего', 10, 20.5, 30, 40],
      [110000000, 'Акмолинская', 5, '5 123,5', 7, '–'],
      ['39 00 00 000', 'Костанайская', 5, 15.25, 23, 40],
      ['Источник: формы 29-сх'],
    ],
    merges: ['A1:F1', 'A4:A5', 'B4:B5', 'C4:D4', 'E4:F4'],
  },
]);

/** Statistics as offices publish them: a merged title, years below a heading, raised footnotes, a hidden column. */
const harvest: readonly Sheet[] = [
  {
    name: 'Валовой сбор',
    rows: [
      ['Валовой сбор зерновых и бобовых культур, тыс. тонн', null, null, null],
      ['Регионы', 'Годы', null, null],
      [null, '2021', '2022', '2023'],
      ['Акмолинская область', 4154.5, { runs: ['5 123,5'], raised: '1' }, 3990],
      ['Костанайская область', 3120.25, 4870.5, '…'],
      ['1) С учётом хозяйств населения', null, null, null],
    ],
    merges: ['A1:D1', 'A2:A3', 'B2:D2'],
    hidden: { columns: [4] },
  },
];

const named = 'Область;2021;2022\nАкмолинская обл.;1,5;2,5\nҚостанай облысы;3;4\n';
const long = 'КАТО\tГод\tУрожайность\n110000000\t2021\t10,5\n110000000\t2022\t11\n390000000\t2021\t9\n';

const file = (name: string, content: Uint8Array | string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

interface Observation {
  readonly kato_code: string;
  readonly start_date: string;
  readonly value: unknown;
}

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an agronomist turns a spreadsheet into a map', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { baseUrl } = await clearedService();
    const { page, words, check } = await closeAfterTests(visit(browser, { baseUrl, language, width }));
    // Other stories of the process use the same service until this one begins.
    before(async () => {
      await clear(baseUrl);
      await page.reload();
    });
    const text = tableWords[language];
    const columns = columnsWords[language];
    const choose = async (chosen: ReturnType<typeof file>): Promise<void> =>
      await page.locator('input[type=file]').first().setInputFiles(chosen);
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: text.send });
    const cell = (content: string) => dialog.getByRole('cell', { name: content, exact: true });
    /** Id of the dataset whose columns are shown. */
    const sentId = async (): Promise<string> => {
      await page.waitForURL(/#\/datasets\/[\da-f-]{36}\/columns/);
      return /datasets\/([\da-f-]{36})/.exec(page.url())?.[1] ?? assert.fail(page.url());
    };

    test('a workbook is shown as the table that it becomes, with its remarks', async () => {
      await choose(file('Посевы.xlsx', sown));
      await cell('5123,5').or(cell('5123.5')).waitFor();
      await cell('110000000').waitFor();
      await cell('390000000').waitFor();
      await dialog.getByLabel(text.columnRole('2022 факт'), { exact: true }).waitFor();
      assert.equal(await dialog.getByLabel(text.sheet).inputValue(), '1');
      assert.equal(await dialog.getByLabel(text.headerFirst).inputValue(), '4');
      assert.equal(await cell('Источник: формы 29-сх').count(), 0);
      await dialog.getByText(text.remarks(5)).or(dialog.locator('summary')).first().click();
      await check('a spreadsheet');
    });

    test('what is understood wrongly is put right before it is sent', async () => {
      const role = dialog.getByLabel(text.columnRole('2021 план'));
      await role.selectOption('note');
      await eventually('the role is another', async () => (await role.inputValue()) === 'note');
      await dialog.getByLabel(text.sheet).selectOption('0');
      await dialog.getByRole('alert').waitFor();
      assert.equal(await send.isDisabled(), true);
      await check('a sheet without a table');
      await dialog.getByLabel(text.sheet).selectOption('1');
      await cell('390000000').waitFor();
    });

    test('it is sent with its original, its columns are suggested, and its values are right', async () => {
      await dialog.getByLabel(text.name).fill('Посевные площади');
      await send.click();
      const id = await sentId();
      const extract = page.getByRole('button', { name: columns.extract('2', '4').split(/\d/)[0] ?? '' });
      await extract.waitFor();
      await check('columns');
      await extract.click();
      await eventually('the dataset is ready', async () => {
        const { status } = Object(await (await fetch(`${baseUrl}/datasets/${id}`)).json());
        return status === 'ready';
      });
      const { name, warnings } = Object(await (await fetch(`${baseUrl}/datasets/${id}`)).json());
      assert.equal(name, 'Посевные площади');
      assert.ok(!JSON.stringify(warnings ?? []).includes('files_left_out'));
      const observed: { data: readonly Observation[] } = Object(
        await (await fetch(`${baseUrl}/datasets/${id}/observations?page_size=100`)).json(),
      );
      const of2021 = observed.data.filter(({ start_date: start }) => start === '2021-01-01');
      const values = Object.fromEntries(of2021.map(({ kato_code: code, value }) => [code, value]));
      assert.deepEqual(values, { 110000000: 5123.5, 390000000: 15.25 });
    });

    test('names are matched to codes, which become a column', async () => {
      await page.goto(`${baseUrl}/#/datasets`);
      await choose(file('Урожай.csv', named));
      await cell('Қостанай облысы').waitFor();
      await eventually('the codes are found', async () => await send.isEnabled());
      await check('names');
      await send.click();
      const dataset = Object(await (await fetch(`${baseUrl}/datasets/${await sentId()}`)).json());
      const [first] = dataset.attribute_columns;
      assert.deepEqual([first.name, first.samples], [text.codeColumn, ['110000000', '390000000']]);
    });

    test('a long table that was copied and pasted is turned wide', async () => {
      await page.goto(`${baseUrl}/#/datasets`);
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(long)});
        const paste = { clipboardData, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new ClipboardEvent('paste', paste));
      })()`);
      await dialog.getByRole('columnheader', { name: '2022' }).waitFor();
      await check('a long table');
      await dialog.getByRole('checkbox').uncheck();
      await dialog.getByRole('columnheader', { name: 'Урожайность' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });

    for (const [name, written] of [
      ['Сбор.xls', olderWorkbook(harvest)],
      ['Сбор.ods', odsWorkbook(harvest)],
    ] as const)
      test(`${name} of an office is a table in the same way`, async () => {
        await page.goto(`${baseUrl}/#/datasets`);
        await choose(file(name, written));
        await cell('5123,5').or(cell('5123.5')).waitFor();
        await dialog.getByLabel(text.withoutHidden).waitFor();
        await dialog.locator('summary').first().click();
        await eventually('the codes are found', async () => await send.isEnabled());
        await check(name);
        await send.click();
        const id = await sentId();
        const dataset = Object(await (await fetch(`${baseUrl}/datasets/${id}`)).json());
        assert.equal(dataset.file_type, 'vector_with_kato');
        assert.ok(!JSON.stringify(dataset.warnings ?? []).includes('files_left_out'));
        const [code] = dataset.attribute_columns;
        assert.deepEqual([code.name, code.samples], [text.codeColumn, ['110000000', '390000000']]);
      });

    test('what cannot be read ends in a sentence', async () => {
      await page.goto(`${baseUrl}/#/datasets`);
      const old = record(0x409, Buffer.alloc(6));
      await choose(file('Старый.xls', old));
      await dialog.getByText(text.faults.oldExcel('')).waitFor();
      await check('an old workbook');
      await dialog.getByRole('button', { name: words.shell.cancel }).click();
      await choose(file('Битый.xlsx', 'PK\u0003\u0004 nothing'));
      await dialog.getByText(text.faults.damaged('')).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });
  });
}
