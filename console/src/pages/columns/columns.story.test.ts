import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { en } from './words/en.ts';
import { kk } from './words/kk.ts';
import { ru } from './words/ru.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { coloursOf } from '../../../../test/console/map-pixels.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const allWords = { en, ru, kk };

/** Units with a plan and facts, one of them twice, a village and a total. */
const rows = [
  ...['110000000', '150000000', '190000000', '230000000'].map((code, at) => ({
    Код: code,
    Область: `Область ${at}`,
    'Год 2019': 10 + at,
    '2020 план': 20 + at,
    '2020 факт': at === 0 ? 'н/д' : 21 + at,
    Площадь: 100 + at,
  })),
  { Код: "'110000000", Область: 'Повтор', 'Год 2019': 1, '2020 план': 1, '2020 факт': 1, Площадь: 1 },
  { Код: '113230100', Область: 'Село', 'Год 2019': 2, '2020 план': 2, '2020 факт': 2, Площадь: 2 },
  { Код: '999999999', Область: 'Итого', 'Год 2019': 9, '2020 план': 9, '2020 факт': 9, Площадь: 9 },
];

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(baseUrl + path, init);
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text);
}

const { id: category } = await ask<{ id: string }>('/categories', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Таблицы', code: 'columns-story' }),
});

async function uploadTable(): Promise<string> {
  const features = rows.map((properties) => ({ type: 'Feature', geometry: null, properties }));
  const form = new FormData();
  for (const [name, value] of Object.entries({
    category_id: category,
    file_type: 'vector_with_kato',
    name: 'Посевы',
  }))
    form.set(name, value);
  form.set('file', new File([JSON.stringify({ type: 'FeatureCollection', features })], 'table.geojson'));
  const { id } = await ask<{ id: string }>('/datasets', { method: 'POST', body: form });
  await eventually('the table is read', async () => {
    const { status } = await ask<{ status: string }>(`/datasets/${id}/status`);
    return status === 'awaiting_mapping';
  });
  return id;
}

for (const setting of settingsOf(0)) {
  const { language, width, gpu } = setting;
  describe(titleOf('an agronomist turns a table into a map', setting), async () => {
    const text = allWords[language];
    const id = await uploadTable();
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(visit(browser, { baseUrl, language, width }));
    const roleOf = (column: string) => page.getByLabel(text.role(column), { exact: true });
    const extract = (used: string) => page.getByRole('button', { name: text.extract(used, '6') });

    test('the page of the dataset leads to its columns', async () => {
      await page.goto(`${baseUrl}/#/datasets/${id}`);
      await page.getByRole('link', { name: words.dataset.chooseColumns }).click();
      await page.getByRole('heading', { name: text.title('Посевы') }).waitFor();
    });

    test('codes and periods are suggested, and one group of columns that begin on the same day', async () => {
      const chosen = async (column: string) => await roleOf(column).inputValue();
      assert.equal(await chosen('Код'), 'kato');
      assert.deepEqual(
        [
          await chosen('Год 2019'),
          await chosen('2020 план'),
          await chosen('2020 факт'),
          await chosen('Площадь'),
        ],
        ['value', 'none', 'value', 'none'],
      );
      await page.getByText(text.leftOut(1)).waitFor();
      await page.getByText(text.firstRows('7')).waitFor();
      await page.getByText(text.of('5', '7'), { exact: true }).waitFor();
      await check('the suggestion');
    });

    test('the small map shows which units have rows', async () => {
      await eventually('units are drawn', async () => {
        const colours = await coloursOf(page);
        return ['#78b493', '#e8a33d'].every((colour) => (colours.get(colour) ?? 0) > 20);
      });
    });

    test('a column without a period asks for one before anything is extracted', async () => {
      await roleOf('Площадь').selectOption('value');
      await page.getByText(text.faults.start('Площадь')).waitFor();
      assert.equal(await extract('3').isDisabled(), true);
      await page.getByLabel(text.from, { exact: true }).fill('2021-06-30');
      await page.getByLabel(text.readings.end).check();
      await eventually('it can be extracted', async () => await extract('3').isEnabled());
      await check('a period by hand');
    });

    test('after the extraction the match of the whole table is there, with what does not match', async () => {
      await extract('3').click();
      await page.getByText(text.allRows('7')).waitFor();
      const { year_columns: mapped } = await ask<{ year_columns: readonly object[] }>(`/datasets/${id}`);
      assert.deepEqual(mapped, [
        { column: 'Год 2019', start_date: '2019-12-31', end_date: null },
        { column: '2020 факт', start_date: '2020-12-31', end_date: null },
        { column: 'Площадь', start_date: '2021-06-30', end_date: null },
      ]);
      for (const [title, total] of [
        [text.unknownCodes, 2],
        [text.repeated, 1],
        [text.texts, 1],
      ] as const)
        await page.getByText(`${title}: ${total}`).last().click();
      await page.getByText('999999999').last().waitFor();
      await check('the match');
    });

    test('a unit of several rows is shown on the map and in its row', async () => {
      await page.getByTitle(text.toMap('110000000')).click();
      await page.locator('#row-1.marked').waitFor();
      assert.match(page.url(), /unit=110000000/);
      await check('a unit');
    });

    test('the present mapping can be changed and extracted again', async () => {
      await roleOf('Площадь').selectOption('none');
      await extract('2').click();
      await eventually('the table has another mapping', async () => {
        const now = await ask<{ status: string; year_columns: readonly object[] }>(`/datasets/${id}`);
        return now.status === 'ready' && now.year_columns.length === 2;
      });
    });
  });
}
