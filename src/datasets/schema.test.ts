import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyVerbatim } from '../json/verbatim-json.ts';
import { Dataset, type DatasetRow, DatasetSummary, toDataset, toDatasetSummary } from './schema.ts';

const id = '0190c8f0-0000-7000-8000-00000000000a';
const row: DatasetRow = {
  id,
  category_id: id,
  dg_id: null,
  start_date: '2024-01-01',
  end_date: null,
  name: 'Қала',
  description: null,
  unit: 'people',
  filename: 'a.zip',
  files: [{ kind: 'original', encoding: 'identity', key: `originals/${id}`, madeFrom: null }],
  view_state: null,
  progress: null,
  sld_filename: null,
  sld_content_type: null,
  file_type: 'vector_with_kato',
  size_bytes: 1,
  content_type: 'application/zip',
  meta: null,
  automated: false,
  status: 'ready',
  attribute_columns: '[{"name":"kato","samples":["10"]},{"name":"2024"}]',
  column_formats: null,
  kato_column: 'kato',
  year_columns: '[{"column":"2024","start_date":"2024-01-01","end_date":null}]',
  mapping_version: 1,
  observation_set_id: 7,
  failure: null,
  parse_error: null,
  bbox: null,
  created_at: new Date(0),
  updated_at: new Date(1),
};
const rows = [row, { ...row, attribute_columns: null, year_columns: null, bbox: [-1.5, 0, 1, 2] }];

test('a dataset is what its schema says: these fields in this order, and no others', () => {
  for (const each of rows) {
    const dataset = toDataset(each);
    assert.equal(JSON.stringify(dataset), JSON.stringify(Dataset.strict().parse(dataset)));
    const summary = toDatasetSummary(each);
    assert.equal(JSON.stringify(summary), JSON.stringify(DatasetSummary.strict().parse(summary)));
  }
});

test('the meta of a dataset is written as the user sent it', () => {
  const meta = '{ "b": 1.50, "a": 12345678901234567890, "toJSON": 1 }';
  assert.ok(stringifyVerbatim(toDataset({ ...row, meta })).includes(`"meta":${meta},"automated"`));
});
