import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createClient } from '../support/client.ts';
import { type Answer, type DatasetBody, send, sendForm, sendJson } from '../support/datasets.ts';
import { eventually } from '../support/processes.ts';
import { writeGeoPackage } from '../support/geo/geopackages.ts';
import { startService } from '../support/service.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';

/** Names that have a meaning in JavaScript, JSON, SQL, CSV or terminals, or differ only by case. */
const names = [
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then'],
  ['', ' ', '\t', '😀', '\u202Eabc', 'Қазақ', '.', '..', '/', '$1', '%s', '{{x}}'],
  ['"', "'", '\\', '`', '";drop table datasets;--', '<script>', 'a,b', 'a\nb', '=1+1'],
  ['name', 'Name', 'NAME', 'rows', 'geometry', 'null', '2020', '1e3', 'n'.repeat(10_000)],
].flat();

/** Code of a district that has a geometry. */
const district = '101000000';

/** Texts that JSON can represent and PostgreSQL cannot store. */
const unstorable = ['a\u0000b', '\ud800', 'x\udfff'];
const storable = ['a\ufffdb', '\ufffd', 'x\ufffd'];

type Columns = readonly { readonly name: string; readonly samples?: readonly string[] }[];

const folder = await temporaryFolder();
const service = await closeAfterTests(startService());
const category = await createClient(service.baseUrl).createCategory('attributes');

describe('The attributes of a file', () => {
  async function ask<T = DatasetBody>(path: string): Promise<Answer<T>> {
    const answer = await send<T>(service, path);
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    return answer;
  }

  async function settled(id: string): Promise<DatasetBody> {
    const working = ['pending', 'processing', 'parsing', 'extracting'];
    return await eventually(
      'a dataset that is done',
      async () => {
        const { body } = await ask(`/datasets/${id}/status?wait=0`);
        return working.includes(String(body['status'])) ? undefined : (await ask(`/datasets/${id}`)).body;
      },
      120,
    );
  }

  async function upload(content: string | Buffer, filename: string, fileType: string): Promise<DatasetBody> {
    const { status, body, text } = await sendForm(service, '/datasets', [
      ['file_type', fileType],
      ['category_id', category],
      ['file', new File([content], filename)],
    ]);
    assert.equal(status, 201, text);
    return await settled(body.id);
  }

  const collection = (rows: readonly string[]) =>
    `{"type":"FeatureCollection","features":[${rows
      .map((properties) => `{"type":"Feature","properties":${properties},"geometry":null}`)
      .join()}]}`;
  /** A row from pairs, so that names need not be valid names of object members. */
  const rowOf = (cells: readonly (readonly [name: string, value: unknown])[]) =>
    `{${cells.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  const columnsOf = (dataset: DatasetBody): Columns => {
    const columns = dataset['attribute_columns'];
    assert.ok(Array.isArray(columns), JSON.stringify(dataset).slice(0, 500));
    return columns;
  };
  const day = (index: number) => new Date(Date.UTC(1900, 0, 1 + index)).toISOString().slice(0, 10);

  /** Maps the dataset and returns the values of its one row by date, from the observations and the GeoJSON. */
  async function mapped(id: string, kato: string, columns: readonly string[]) {
    const year_columns = columns.map((column, index) => ({ column, start_date: day(index) }));
    const { status, text } = await sendJson(service, 'POST', `/datasets/${id}/mapping`, {
      kato_column: kato,
      year_columns,
    });
    assert.equal(status, 200, text.slice(0, 500));
    const dataset = await settled(id);
    assert.equal(dataset['status'], 'ready', String(dataset['parse_error']));
    const { body } = await ask<{ readonly total: number }>(`/datasets/${id}/observations?page_size=1`);
    const geojson = await ask(`/datasets/${id}.geojson`);
    const output: { features: { properties: { kato: string; data: Record<string, unknown> } }[] } =
      JSON.parse(geojson.text);
    return { total: body.total, features: output.features };
  }

  test('keep every name of a GeoJSON file, in its order, and can be mapped by it', async () => {
    const cells = names.map((name, index): [string, unknown] => [name, index + 0.5]);
    const dataset = await upload(
      collection([rowOf([['k', district], ...cells])]),
      'names.geojson',
      'vector_with_kato',
    );
    assert.equal(dataset['status'], 'awaiting_mapping', String(dataset['parse_error']));
    const expected = [{ name: 'k', samples: [district] }].concat(
      names.map((name, index) => ({ name, samples: [`${index + 0.5}`] })),
    );
    assert.deepEqual(columnsOf(dataset), expected);
    const { total, features } = await mapped(dataset.id, 'k', names);
    assert.equal(total, names.length);
    const [feature] = features;
    assert.deepEqual(
      feature?.properties.data,
      Object.fromEntries(names.map((_, index) => [day(index), index + 0.5])),
    );
    for (const kato of ['__proto__', 'constructor', '']) {
      const rest = names.filter((name) => name !== kato);
      assert.equal((await mapped(dataset.id, kato, rest)).total, rest.length, kato);
    }
  });

  test('keep every name of a GeoPackage', async () => {
    // SQLite ignores case in names, and GDAL keeps the first of several names that differ only by case.
    const given = names.filter((name) => !['Name', 'NAME', 'name', '', 'geometry'].includes(name));
    const path = writeGeoPackage(join(folder, 'names.gpkg'), {
      sql: given
        .map((name) => `alter table places add column "${name.replaceAll('"', '""')}" text default 'v';`)
        .join('\n'),
    });
    const dataset = await upload(await readFile(path), 'names.gpkg', 'vector_with_kato');
    assert.equal(dataset['status'], 'awaiting_mapping', String(dataset['parse_error']));
    assert.deepEqual(
      columnsOf(dataset).map(({ name }) => name),
      ['name', ...given],
    );
    assert.equal((await mapped(dataset.id, 'name', given)).total, given.length);
  });

  test('may be what the database cannot store: they are offered and kept as what comes next to it', async () => {
    const cells = unstorable.map((text): [string, unknown] => [text, text]);
    const file = collection([
      rowOf([['k', '10'], ['v', 'a\u0000b'], ...cells]),
      rowOf([
        ['k', '11'],
        ['v', '\ud800'],
      ]),
    ]);
    const dataset = await upload(file, 'unstorable.geojson', 'vector_with_kato');
    assert.equal(dataset['status'], 'awaiting_mapping', String(dataset['parse_error']));
    assert.deepEqual(
      columnsOf(dataset).map(({ name }) => name),
      ['k', 'v', ...storable],
    );
    for (const column of unstorable) {
      const { status, body } = await sendJson(service, 'POST', `/datasets/${dataset.id}/mapping`, {
        kato_column: 'k',
        year_columns: [{ column, start_date: '2020-01-01' }],
      });
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(Object(body['errors'])), ['year_columns.0.column']);
    }
    assert.equal((await mapped(dataset.id, 'k', ['v', ...storable])).total, 8);
    const vector = await upload(file, 'unstorable.geojson', 'vector');
    assert.equal(vector['status'], 'ready', String(vector['parse_error']));
  });

  test('may have 20,000 columns: all are kept and mapped, and a list of datasets stays short', async () => {
    const years = Array.from({ length: 20_000 }, (_, index) => `day ${index}`);
    const row = rowOf([['k', district], ...years.map((name, index): [string, unknown] => [name, index])]);
    const dataset = await upload(collection([row, row, row]), 'wide.geojson', 'vector_with_kato');
    assert.equal(dataset['status'], 'awaiting_mapping', String(dataset['parse_error']));
    assert.deepEqual(
      columnsOf(dataset).map(({ name }) => name),
      ['k', ...years],
    );
    const { total, features } = await mapped(dataset.id, 'k', years);
    assert.equal(total, 3 * years.length);
    assert.equal(Object.keys(features[0]?.properties.data ?? {}).length, years.length);
    const list = await ask<{ readonly data: readonly { readonly id: string }[] }>('/datasets?page_size=100');
    assert.ok(list.body.data.some(({ id }) => id === dataset.id));
    assert.ok(list.text.length < 100_000, `${list.text.length} characters`);
  });

  test('may be texts of a megabyte: samples show the beginning, and no column of such is mapped', async () => {
    const text = 'ы'.repeat(1_000_000);
    const file = collection([
      rowOf([
        ['k', district],
        ['v', text],
        [text.slice(0, 60_000), text],
      ]),
    ]);
    const dataset = await upload(file, 'long.geojson', 'vector_with_kato');
    const columns = columnsOf(dataset);
    assert.deepEqual(columns[1], { name: 'v', samples: [`${'ы'.repeat(200)}…`] });
    assert.equal(columns[2]?.name, text.slice(0, 60_000));
    const { status } = await sendJson(service, 'POST', `/datasets/${dataset.id}/mapping`, {
      kato_column: 'k',
      year_columns: [{ column: 'v', start_date: day(0) }],
    });
    assert.equal(status, 200);
    const failed = await settled(dataset.id);
    assert.equal(failed['status'], 'failed');
    assert.match(
      String(failed['parse_error']),
      /^Column "v" contains a text of 1000000 characters in row 1; .* map/,
    );
    const vector = await upload(file, 'long.geojson', 'vector');
    assert.equal(vector['status'], 'ready', String(vector['parse_error']));
  });

  test('may be a hundred thousand rows', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) =>
      rowOf([
        ['k', `${index}`],
        ['v', index],
      ]),
    );
    const dataset = await upload(collection(rows), 'long-table.geojson', 'vector_with_kato');
    assert.equal((await mapped(dataset.id, 'k', ['v'])).total, rows.length);
    const { text } = await ask(`/datasets/${dataset.id}/observations?page_size=100&page=1000`);
    assert.ok(text.length < 100_000, `${text.length} characters`);
  });
});
