import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startCountingApp } from '../../test/support/areas/counting-app.ts';
import { getRaw, send, sendJson } from '../../test/support/datasets.ts';
import { readPdf } from '../../test/support/maps/pdf.ts';
import { readParquet } from '../../test/support/tables/parquet.ts';
import { insertValueTable } from '../../test/support/tables/value-table.ts';
import type { RegisterComparison } from './schema.ts';

const { app, ...rest } = await startCountingApp({ hasWorker: false });
after(async () => await rest.close());
const balance = await insertValueTable(app, {
  name: 'Баланс',
  unit: 'тыс. га',
  dates: [['2024-11-01', null]],
  values: { '101000000': [1180.25], '102000000': ['н/д'], '103000000': [12.4] },
});
const other = await insertValueTable(app, {
  name: 'Учёт',
  unit: 'Га',
  dates: [['2024-01-01', '2024-12-31']],
  values: { '101000000': [1_000_000.5], '102000000': [500] },
});
const path = (a: string, b: string, query = '') => `/datasets/${a}/compare/${b}${query}`;

describe('the files of two registers', () => {
  test('have one ETag for equal content, and come as CSV, workbook and Parquet with the same figures', async () => {
    const query = '?a_factor=1000&lang=ru';
    const { body, headers } = await send<RegisterComparison>(app, path(balance, other, query));
    const etag = headers.get('etag') ?? '';
    assert.equal(
      (await send(app, path(balance, other, query), { headers: { 'if-none-match': etag } })).status,
      304,
    );
    const csv = await send(app, `${path(balance, other)}.csv${query}`);
    const [head, first] = csv.text.split('\r\n');
    assert.equal(head, 'kato,name,level,a,b,difference,share,reasons');
    const [row] = body.rows;
    assert.ok(row !== undefined);
    assert.ok(
      first?.startsWith(`101000000,"'=Западный, район",district,1180250,1000000.5,-180249.5,${row.share},`),
      first,
    );
    assert.match(csv.text, /Во втором реестре этой территории нет/);
    assert.equal(
      (await send(app, path(balance, other, query), { headers: { accept: 'text/csv' } })).text,
      csv.text,
    );
    const { bytes } = await getRaw(app, `${path(balance, other)}.parquet${query}`);
    assert.deepEqual(
      (await readParquet(bytes)).rows.map(({ kato, difference }) => [kato, difference]),
      body.rows.map(({ kato, difference }) => [kato, difference]),
    );
    const book = await getRaw(app, `${path(balance, other)}.xlsx${query}`);
    assert.equal(book.headers.get('content-disposition')?.includes('registers.xlsx'), true);
  });

  test('have a map of the differences on a sheet and in a report, in the language of the reader', async () => {
    const sheet = await getRaw(app, `${path(balance, other)}/sheet.pdf?a_factor=1000&lang=kk`);
    assert.equal(sheet.headers.get('content-type'), 'application/pdf');
    const text = JSON.stringify(readPdf(sheet.bytes));
    assert.ok(text.includes('Тізілімдер қатар'), text.slice(0, 2000));
    const report = await send(app, `${path(balance, other)}/report.html?a_factor=1000&lang=ru`);
    assert.equal(report.status, 200);
    for (const words of ['Реестры рядом', 'Карта расхождений', '−180 250', 'умножены на 1 000', '<path d="M'])
      assert.ok(report.text.replaceAll('\u00a0', ' ').includes(words), words);
    assert.ok(report.text.includes('=Западный, район') && !report.text.includes('<script'));
  });

  test('say if one of them is invented, on the sheet across the map and in a sentence, and in the report', async () => {
    const invented = await insertValueTable(app, {
      name: 'Пример',
      unit: 'Га',
      dates: [['2024-01-01', null]],
      values: { '101000000': [1], '102000000': [2] },
    });
    const sheetOf = async () => {
      const { bytes } = await getRaw(app, `${path(other, invented)}/sheet.pdf?lang=ru`);
      return readPdf(bytes).pages[0] ?? assert.fail();
    };
    const reportText = async () => (await send(app, `${path(other, invented)}/report.html?lang=ru`)).text;
    const sentence = 'Только для демонстрации. Рассчитано по вымышленным данным: Пример';
    const plain = await sheetOf();
    assert.ok(!plain.isMarked && !/вымышлен/i.test(plain.text + (await reportText())));
    const said = await sendJson(app, 'PUT', `/datasets/${invented}/metadata`, { origin: 'invented' });
    assert.equal(said.status, 200, said.text);
    const sheet = await sheetOf();
    // Lines end without a space.
    const solid = (text: string): string => text.replaceAll(/\s/g, '');
    assert.ok(sheet.isMarked && solid(sheet.text).includes(solid(`${sentence}.`)), sheet.text);
    const report = await reportText();
    assert.ok(report.includes(sentence), report);
  });
});
