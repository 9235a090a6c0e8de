import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listObservations } from '../../src/datasets/observations.ts';
import { getDataset } from '../../src/datasets/queries.ts';
import { toDataset } from '../../src/datasets/schema.ts';
import { startProcessing } from '../support/processing.ts';

const processing = await startProcessing();
after(async () => await processing.close());

test('columns whose names no database text can hold are offered by names that can be mapped', async () => {
  const path = join(processing.folder, 'names.geojson');
  const properties = String.raw`{"kato\u0000":"100000000","\ud800":1,"\ufffd":2,"\udfff":3}`;
  const feature = `{"type":"Feature","geometry":null,"properties":${properties}}`;
  await writeFile(path, `{"type":"FeatureCollection","features":[${feature}]}`);
  const id = await processing.upload(path, 'vector_with_kato');
  await processing.untilStatus(id, 'awaiting_mapping');
  const { attribute_columns } = toDataset(await getDataset(processing.db, id));
  const names = ['kato\ufffd', '\ufffd_2', '\ufffd', '\ufffd_3'];
  assert.deepEqual(
    attribute_columns?.map(({ name }) => name),
    names,
  );
  const year_columns = names.slice(1).map((column, index) => ({ column, start_date: `202${index}-01-01` }));
  await processing.map(id, { kato_column: 'kato\ufffd', year_columns });
  await processing.untilStatus(id, 'ready');
  const { rows } = await listObservations(processing.db, id, {}, { limit: 10, offset: 0 });
  assert.deepEqual(
    rows.map(({ start_date, value }) => [start_date, value]),
    [
      ['2020-01-01', 1],
      ['2021-01-01', 2],
      ['2022-01-01', 3],
    ],
  );
});
