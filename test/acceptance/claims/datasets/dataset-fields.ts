import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { makeGroup, unique } from '../../support/catalogue.ts';
import { getDataset, makeTable, process, sharedCategory, upload } from '../../support/datasets.ts';
import { geojsonFile, smallRaster } from '../../support/files.ts';
import {
  failedRaster,
  failedTable,
  readyOnes,
  sharedRaster,
  sharedTable,
  sharedVector,
  unmappedTable,
} from '../../support/shared.ts';
import { assertKeys, datasetFields } from '../../support/errors.ts';
import { dateTime, lowerCaseUuid } from '../../support/values.ts';

claim(
  [
    '2.3 Dataset.id',
    '2.3 Dataset.name',
    '2.3 Dataset.filename',
    '2.3 Dataset.size_bytes',
    '2.3 Dataset.content_type',
    '2.3 Dataset.automated',
    '2.3 Dataset.status',
    '2.3 Dataset.file_type',
    '2.3 Dataset.created_at, updated_at',
    '3.1 upload',
    '4.4 upload',
    'D3 automated',
    'D3 bbox when',
  ],
  'an upload with no more than it must have is answered with the whole dataset, null for what is not given',
  async (client) => {
    const file = smallRaster();
    const { id, storage_key, created_at, updated_at, ...rest } = await upload(client, file);
    assert.match(id, lowerCaseUuid);
    assert.ok(storage_key.length > 0);
    assert.match(created_at, dateTime);
    assert.match(updated_at, dateTime);
    assert.deepEqual(rest, {
      category_id: await sharedCategory(client),
      dg_id: null,
      start_date: null,
      end_date: null,
      name: 'relief.tif',
      description: null,
      unit: null,
      filename: 'relief.tif',
      cog_storage_key: null,
      sld_storage_key: null,
      sld_filename: null,
      sld_content_type: null,
      file_type: 'raster',
      size_bytes: file.size,
      content_type: 'application/octet-stream', // sent by the client of these claims
      meta: null,
      automated: false,
      status: 'pending',
      attribute_columns: null,
      kato_column: null,
      year_columns: null,
      parse_error: null,
    });
  },
);

claim(
  [
    '2.3 Dataset.category_id',
    '2.3 Dataset.dg_id',
    '2.3 Dataset.start_date',
    '2.3 Dataset.end_date',
    '2.3 Dataset.description',
    '2.3 Dataset.unit',
    '2.3 Dataset.meta',
    '4.4 upload description',
    '4.4 upload unit',
    '4.4 upload name',
    '4.4 upload automated',
    '4.4 upload dg_id',
    '4.4 upload start_date',
    '4.4 upload end_date',
    '4.4 upload meta',
  ],
  'every field that is sent with an upload comes back, at once and later',
  async (client) => {
    const said = {
      name: 'Лесной покров',
      description: 'строка 1\r\nстрока 2',
      unit: '%',
      dg_id: (await makeGroup(client)).id,
      start_date: '2020-02-29',
      end_date: '2020-02-29',
    };
    const file = smallRaster();
    const sent = { ...said, automated: 'true', meta: '{"b":[1,null],"a":"ж"}' };
    const made = await upload(client, file, sent);
    for (const dataset of [made, await getDataset(client, made.id.toUpperCase())]) {
      const expected = { ...said, automated: true, meta: { b: [1, null], a: 'ж' } };
      const { name, description, unit, dg_id, start_date, end_date, automated, meta } = dataset;
      assert.deepEqual({ name, description, unit, dg_id, start_date, end_date, automated, meta }, expected);
    }
  },
);

claim(
  ['2.3 no heavy fields', '4.4 get', '2.3 FileType'],
  'a dataset of any type has the fields of the contract and no others',
  async (client) => {
    for (const dataset of await readyOnes(client)) {
      const own = dataset.file_type === 'raster' ? [...datasetFields, 'bbox'] : datasetFields;
      assertKeys(dataset, own, dataset.file_type);
    }
  },
);

claim(
  ['2.3 Dataset.storage_key', 'D3 keys'],
  'object keys hold nothing of what the client calls its file',
  async (client) => {
    const word = unique('secretname');
    const dataset = await process(client, 'ready', smallRaster(`${word}.tif`), { name: word });
    assert.equal(dataset.filename, `${word}.tif`);
    for (const key of [dataset.storage_key, dataset.cog_storage_key ?? '']) {
      assert.match(key, /^[\w./-]+$/);
      assert.ok(!key.includes(word) && !key.includes('secretname'), key);
    }
  },
);

claim(
  ['2.3 Dataset.cog_storage_key', '2.3 Dataset.bbox', '8 bbox', '1.2 raster', 'D3 bbox WGS 84'],
  'a raster alone gets a COG and a bbox',
  async (client) => {
    const raster = await sharedRaster(client);
    assert.equal(typeof raster.cog_storage_key, 'string');
    const expected = [71.2, 50.8, 71.6, 51.1];
    assert.equal(raster.bbox?.length, 4);
    for (const [index, value] of expected.entries()) {
      assert.ok(Math.abs((raster.bbox?.[index] ?? NaN) - value) < 1e-9, String(raster.bbox));
    }
    for (const other of [await sharedVector(client), await sharedTable(client)]) {
      assert.equal(other.cog_storage_key, null);
      assert.ok(!('bbox' in other));
    }
  },
);

claim(
  ['2.3 Dataset.attribute_columns', '2.3 AttributeColumn', 'D3K columns'],
  'a table shows its columns in file order with up to five distinct samples as text',
  async (client) => {
    const table = geojsonFile(
      `{"type":"FeatureCollection","features":[${[
        '{"kato":"110000000","я":1.50,"empty":null,"n":1}',
        '{"kato":"110000000","я":"б","n":2,"later":true}',
        '{"kato":" ","я":"","n":3}',
        '{"kato":"710000000","я":"б","n":4}',
        '{"kato":"710000000","n":5}',
        '{"kato":"710000000","n":6}',
      ]
        .map((properties) => `{"type":"Feature","geometry":null,"properties":${properties}}`)
        .join(',')}]}`,
    );
    const { attribute_columns } = await makeTable(client, table);
    assert.deepEqual(attribute_columns, [
      { name: 'kato', samples: ['110000000', '710000000'] },
      { name: 'я', samples: ['1.5', 'б'] },
      { name: 'empty', samples: [] },
      { name: 'n', samples: ['1', '2', '3', '4', '5'] },
      { name: 'later', samples: ['true'] },
    ]);
  },
);

claim(
  ['2.3 Dataset.kato_column', '2.3 Dataset.year_columns', '2.3 YearColumn.end_date'],
  'a mapped table shows its mapping, an unmapped one has none',
  async (client) => {
    const mapped = await sharedTable(client);
    assert.equal(mapped.kato_column, 'kato');
    const [first, second] = mapped.year_columns ?? [];
    assert.deepEqual(
      [{ end_date: null, ...Object(first) }, second],
      [
        { column: 'y2022', start_date: '2022-12-31', end_date: null },
        { column: 'y2023', start_date: '2023-01-01', end_date: '2023-12-31' },
      ],
    );
    const waiting = await unmappedTable(client);
    assert.deepEqual([waiting.kato_column, waiting.year_columns], [null, null]);
  },
);

claim(
  ['2.3 Dataset.parse_error', '3.1 failure', 'D3 parse_error', 'D3R unreadable'],
  'what could not be read is failed with one sentence for people, and nothing of the machine',
  async (client) => {
    for (const { parse_error, ...failed } of [await failedRaster(client), await failedTable(client)]) {
      assert.ok(!('bbox' in failed));
      assert.match(parse_error ?? '', /^[A-Z][^\n]{10,}\.$/);
      assert.doesNotMatch(parse_error ?? '', /\/tmp|\/home|originals\/|Error:|ERROR|gdal|ogr|at \w+ \(|vsi/i);
    }
    assert.equal((await sharedRaster(client)).parse_error, null);
  },
);
