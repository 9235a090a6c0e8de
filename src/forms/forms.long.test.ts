import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { getRaw, insertGroup, type Refusal, send, sendForm, sendJson } from '../../test/support/datasets.ts';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { workbook } from '../../test/support/tables/workbooks.ts';
import type { DatasetAreas } from '../areas/areas-schema.ts';
import { openPackage } from '../geo/formats/spreadsheet/package.ts';
import { readXlsx } from '../geo/formats/spreadsheet/xlsx.ts';
import { checkStore } from '../object-store/fsck.ts';
import type { FilledForm, FormLayout, FormTemplate } from './form-schema.ts';

const { app, db, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());
const folder = await temporaryFolder();
const group = await insertGroup(db);
const raster = await addRaster(zones);

const template = workbook([
  {
    name: 'Баланс',
    rows: [
      ['Код', 'Класс 11', 'Класс 22', 'Среднее', 'Всего'],
      ['101000000', null, 7, null, { formula: 'B2+C2', value: 7 }],
      ['102000000', null, null, null, { formula: 'B3+C3', value: 0 }],
      ['109999999', null, null, null, { formula: 'B4+C4', value: 0 }],
    ],
  },
]);

/** Damage to templates and forms; the objects of other tests' rasters lie elsewhere. */
const damage = async () =>
  (await checkStore(db, app.services.objectStore)).damage.filter(
    ({ subject }) => !subject.startsWith('test/'),
  );

const add = async (file: File) =>
  await sendForm<FormTemplate & Refusal>(app, `/dataset-groups/${group}/templates`, [['file', file]]);

async function cellsOf(file: string): Promise<ReadonlyMap<string, string>> {
  const path = join(folder, 'filled.xlsx');
  await writeFile(path, (await getRaw(app, file)).bytes);
  const [sheet] = readXlsx(await openPackage(path)).sheets;
  return new Map(sheet?.cells.map(([row, column, kind, text]) => [`${row} ${column}`, `${kind}${text}`]));
}

describe('a template of a form', () => {
  test('is kept with a group, and tells what can be filled', async () => {
    const added = await add(new File([template], 'балaнс.xlsx'));
    assert.equal(added.status, 201, added.text);
    const { id } = added.body;
    const list = await send<FormTemplate[]>(app, `/dataset-groups/${group}/templates`);
    assert.deepEqual(list.body, [added.body]);
    assert.deepEqual((await send<FormTemplate>(app, `/form-templates/${id}`)).body, added.body);
    assert.deepEqual((await getRaw(app, `/form-templates/${id}/file`)).bytes, template);
    const layout = await send<FormLayout>(app, `/form-templates/${id}/layout?wait=60`);
    assert.equal(layout.status, 200, layout.text);
    assert.deepEqual(
      layout.body.fields.map(({ id: field, label, units, empty }) => [field, label, units, empty]),
      [
        ['Баланс!B2', 'Класс 11', 2, 2],
        ['Баланс!C2', 'Класс 22', 2, 1],
        ['Баланс!D2', 'Среднее', 2, 2],
      ],
    );
    assert.equal((await send(app, `/form-templates/${id}`, { method: 'DELETE' })).status, 204);
    for (const path of ['', '/file', '/layout'])
      assert.equal((await send(app, `/form-templates/${id}${path}`)).status, 404);
    assert.deepEqual(await damage(), []);
  });

  test('is filled with the figures of the service, and lists what is not filled', async () => {
    const { body } = await add(new File([template], 'form.xlsx'));
    const path = `/form-templates/${body.id}/forms?wait=60`;
    const areas = (classes: number[]) => ({ kind: 'areas', dataset_id: raster, classes });
    const fields = [
      { field: 'Баланс!B2', source: areas([11]) },
      { field: 'Баланс!C2', source: areas([22]), factor: 0.001 },
    ];
    const filled = await sendJson<FilledForm>(app, 'POST', path, { fields });
    assert.equal(filled.status, 200, filled.text);
    const counted = await send<DatasetAreas>(app, `/datasets/${raster}/areas?by=district`);
    const [west, east] = counted.body.rows.map(({ classes }) => classes);
    const cells = await cellsOf(filled.body.file);
    assert.equal(cells.get('1 1'), `n${west?.['11']}`);
    assert.equal(cells.get('2 2'), `n${(east?.['22'] ?? NaN) * 0.001}`);
    assert.deepEqual([cells.get('1 2'), cells.get('1 4'), cells.get('1 0')], ['n7', 'f', 't101000000']);
    // The east has nothing of the first class: 0 ha are a value.
    assert.equal(cells.get('2 1'), 'n0');
    const { left_out: left, sources } = filled.body;
    assert.deepEqual(
      left.cells.map(({ cell, kato, reason }) => [cell, kato, reason]),
      [['C2', '101000000', 'has_content']],
    );
    assert.deepEqual(
      [left.fields.map(({ field }) => field), left.rows.map(({ text }) => text)],
      [['Баланс!D2'], ['109999999']],
    );
    assert.match(sources[1]?.text ?? '', /multiplied by 0\.001$/);
    const again = await sendJson<FilledForm>(app, 'POST', path, { fields });
    assert.equal(again.body.id, filled.body.id);
    const statistic = { kind: 'zonal', dataset_id: raster, stat: 'max' };
    const other = await sendJson<FilledForm>(app, 'POST', `${path}&lang=ru`, {
      fields: [{ field: 'Баланс!C2', source: statistic }],
      overwrite: true,
    });
    assert.deepEqual((await cellsOf(other.body.file)).get('1 2'), 'n22');
    assert.deepEqual(await damage(), []);
  });

  test('is refused with a sentence if it is not a workbook, or one that could run', async () => {
    for (const [name, bytes, sentence] of [
      ['a.xlsm', template, /macros/],
      ['a.xls', template, /before 2007/],
      ['a.csv', template, /\.xlsx or \.ods/],
      ['a.xlsx', Buffer.from('text'), /not a workbook/],
    ] as const) {
      const refused = await add(new File([bytes], name));
      assert.equal(refused.status, 422);
      assert.match(refused.body.error ?? '', sentence);
    }
    const { body } = await add(new File([template], 'a.ods'));
    const russian = { headers: { 'accept-language': 'ru' } };
    const layout = await send<Refusal>(app, `/form-templates/${body.id}/layout?wait=60`, russian);
    assert.equal(layout.status, 422, layout.text);
    assert.match(layout.body.error ?? '', /не является книгой того вида/);
  });

  test('is not filled from what does not exist', async () => {
    const { body } = await add(new File([template], 'form.xlsx'));
    const path = `/form-templates/${body.id}/forms?wait=60`;
    const source = { kind: 'areas', dataset_id: raster };
    const unknown = await sendJson<Refusal>(app, 'POST', path, { fields: [{ field: 'X', source }] });
    assert.equal(unknown.status, 422);
    assert.match(unknown.body.errors?.['fields.0.field'] ?? '', /Баланс!B2/);
    const table = { kind: 'table', dataset_id: raster };
    const wrong = await sendJson<Refusal>(app, 'POST', path, {
      fields: [{ field: 'Баланс!B2', source: table }],
    });
    assert.match(wrong.body.error ?? '', /not a table by KATO/);
    assert.equal((await sendJson(app, 'POST', path, { fields: [] })).status, 422);
    const file = `/form-templates/${body.id}/forms/${raster}/file`;
    assert.equal((await send(app, file)).status, 404);
  });

  test('goes with its group', async () => {
    assert.equal((await send(app, `/dataset-groups/${group}`, { method: 'DELETE' })).status, 204);
    assert.equal((await send(app, `/dataset-groups/${group}/templates`)).status, 404);
  });
});
