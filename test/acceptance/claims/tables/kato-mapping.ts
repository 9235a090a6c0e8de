import assert from 'node:assert/strict';
import { katoTable } from '../../../support/geo/generated-files.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { statusesAtOnce } from '../../support/errors.ts';
import {
  type Dataset,
  getDataset,
  makeMapped,
  makeTable,
  map,
  process,
  settle,
  upload,
} from '../../support/datasets.ts';
import { featureFile } from '../../support/files.ts';
import {
  askObservations,
  brief,
  type ObservationPage,
  readObservations,
} from '../../support/observations.ts';
import {
  failedRaster,
  failedTable,
  sharedRaster,
  sharedTable,
  sharedVector,
  unmappedTable,
} from '../../support/shared.ts';

const y2022 = { column: 'y2022', start_date: '2022-12-31' } as const;

claim(
  ['4.4 mapping', '3.1 mapping', '4.4 mapping rule 3', '2.3 YearColumn.column', '2.3 YearColumn.start_date'],
  'a mapping is stored as it was sent and answered with the dataset in extracting',
  async (client) => {
    const { id } = await makeTable(client, [{ kato: '710000000', a: 1, b: 2, c: 3 }]);
    const year_columns = [
      { column: 'c', start_date: '2020-01-01' },
      { column: 'a', start_date: '2021-01-01', end_date: '2021-12-31' },
      { column: 'b', start_date: '2022-06-30', end_date: null },
    ];
    const json = { kato_column: 'kato', year_columns };
    const mapped = await client.read<Dataset>(200, 'POST', `/datasets/${id}/mapping`, { json });
    assert.deepEqual([mapped.id, mapped.status, mapped.kato_column], [id, 'extracting', 'kato']);
    for (const dataset of [mapped, await settle(client, id)]) {
      const stored = dataset.year_columns?.map((each) => ({ end_date: null, ...Object(each) }));
      assert.deepEqual(
        stored,
        year_columns.map((each) => ({ end_date: null, ...each })),
      );
    }
  },
);

/** A mapping of these columns of the unmapped table. */
const of = (...year_columns: readonly unknown[]) => ({ kato_column: 'kato', year_columns });
const y2023 = { column: 'y2023', start_date: '2023-01-01' } as const;

/** Mappings that are 422, with the places of their faults. */
const refused: readonly (readonly [rows: string, json: object, fields: readonly string[]])[] = [
  ['2.3 MappingInput.kato_column | 2.3 MappingInput.year_columns', {}, ['kato_column', 'year_columns']],
  ['2.3 MappingInput.kato_column', { ...of(y2022), kato_column: 1 }, ['kato_column']],
  ['2.3 MappingInput.year_columns | 4.4 mapping rule 4 | 8 year_columns', of(), ['year_columns']],
  ['D1 containers', { ...of(), year_columns: { 0: y2022 } }, ['year_columns']],
  ['D1 containers', { ...of(), year_columns: null }, ['year_columns']],
  ['D3K item | D1 nested names', of(y2022, 'y2023', null), ['year_columns.1', 'year_columns.2']],
  [
    '2.3 YearColumn.column | 2.3 YearColumn.start_date',
    of({}, { ...y2022, start_date: null }),
    ['year_columns.0.column', 'year_columns.0.start_date', 'year_columns.1.start_date'],
  ],
  [
    '2.3 YearColumn.start_date',
    of({ column: 'y2022', start_date: '2022-02-30', end_date: 'x' }),
    ['year_columns.0.end_date', 'year_columns.0.start_date'],
  ],
  [
    '2.3 YearColumn.end_date | 4.4 mapping rule 3',
    of({ ...y2022, end_date: '2022-12-30' }),
    ['year_columns.0.end_date'],
  ],
  [
    'D1 order columns',
    { ...of(y2022, { ...y2023, column: 2 }), kato_column: 'nothing' },
    ['year_columns.1.column'],
  ],
  [
    '4.4 mapping rule 2 | D3K unknown column | D1 order columns',
    { ...of(y2022, { ...y2022, column: 'Y2023' }), kato_column: 'code' },
    ['kato_column', 'year_columns.1.column'],
  ],
  ['D3K mapped once', of(y2022, { ...y2023, column: 'kato' }), ['year_columns.1.column']],
  [
    'D3K mapped once',
    of(y2022, { ...y2022, start_date: '2020-01-01' }, y2023, y2022),
    ['year_columns.1.column', 'year_columns.3.column'],
  ],
];

claim(
  [...new Set(refused.flatMap(([rows]) => rows.split(' | '))), '4.4 mapping'],
  'a wrong mapping is 422, each fault by its place: first those of the fields, then those of the columns',
  async (client) => {
    const { id } = await unmappedTable(client);
    for (const [, json, fields] of refused) {
      await client.invalid(fields, 'POST', `/datasets/${id}/mapping`, { json });
    }
    const { status, kato_column, year_columns } = await getDataset(client, id);
    assert.deepEqual([status, kato_column, year_columns], ['awaiting_mapping', null, null]);
  },
);

claim(
  ['4.4 mapping rule 1', '4.4 mapping', 'D1 order fields', 'D1 order type'],
  'only a table can be mapped: others are 422, whatever their state, once the fields are right',
  async (client) => {
    const json = of(y2022);
    for (const { id } of [
      await sharedRaster(client),
      await sharedVector(client),
      await failedRaster(client),
    ]) {
      await client.refused(422, 'POST', `/datasets/${id}/mapping`, { json });
      const wrong = { ...of(y2022), kato_column: 1 };
      await client.invalid(['kato_column'], 'POST', `/datasets/${id}/mapping`, { json: wrong });
    }
  },
);

claim(
  ['4.4 mapping rule 1', 'D3K state', 'D1 order fields', 'D1 order state', '7 409 mapping'],
  'a failed table cannot be mapped: 409, looked at after the fields and before the columns',
  async (client) => {
    const { id } = await failedTable(client);
    const json = { ...of(y2022), kato_column: 'no such' };
    await client.refused(409, 'POST', `/datasets/${id}/mapping`, { json });
    await client.invalid(['kato_column', 'year_columns'], 'POST', `/datasets/${id}/mapping`, { json: {} });
  },
);

/** Enough rows for an extraction or parse to last until the next request. */
const manyRows = 1500;
const manyYears = Array.from({ length: 20 }, (_, index) => 2001 + index);

claim(
  ['D3K state', '4.4 mapping rule 1'],
  'a table cannot be mapped before it is read, and of several mappings at once one is taken',
  async (client) => {
    const file = new File([katoTable(manyRows, manyYears.length)], 'many.geojson');
    const { id } = await upload(client, file, { file_type: 'vector_with_kato' });
    const json = of(...manyYears.map((year) => ({ column: String(year), start_date: `${year}-01-01` })));
    await client.refused(409, 'POST', `/datasets/${id}/mapping`, { json });
    assert.equal((await settle(client, id)).status, 'awaiting_mapping');
    const ask = async () => await client.ask('POST', `/datasets/${id}/mapping`, { json });
    assert.deepEqual(await statusesAtOnce(5, ask), { 200: 1, 409: 4 });
    assert.equal((await settle(client, id)).status, 'ready');
    const { total } = (await askObservations(client, id, '?page_size=1')).read<ObservationPage>();
    assert.equal(total, manyRows * manyYears.length);
  },
);

claim(
  ['3.1 re-map', '4.4 mapping rule 1', 'D3K re-map'],
  'a re-map replaces mapping, observations and map',
  async (client) => {
    const { id } = await makeTable(client, [{ kato: '710000000', other: '750000000', a: 1, b: 'x' }]);
    await map(client, id, 'kato', [{ column: 'a', start_date: '2020-01-01', end_date: '2020-12-31' }]);
    const before = await client.expect(200, 'GET', `/datasets/${id}.geojson`);
    const mapped = await map(client, id, 'other', [{ column: 'b', start_date: '2021-01-01' }]);
    assert.equal(mapped.kato_column, 'other');
    assert.deepEqual((await readObservations(client, id)).map(brief), [
      ['750000000', '2021-01-01', null, null, 'x'],
    ]);
    const after = await client.expect(200, 'GET', `/datasets/${id}.geojson`);
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
    assert.ok(!after.text.includes('710000000') && !after.text.includes('periods'));
  },
);

claim(
  ['D3K re-map fails', '3.1 failure', 'D3 retry', 'D3 report failed', '4.4 geojson rule 1'],
  'a re-map that fails leaves the observations of before, and a retry goes back to extracting',
  async (client) => {
    const { id } = await makeMapped(client, [{ kato: '710000000', text: 'слово '.repeat(200), a: 1 }], 'a');
    const before = await readObservations(client, id);
    const json = { kato_column: 'text', year_columns: [{ column: 'a', start_date: '2021-01-01' }] };
    await client.expect(200, 'POST', `/datasets/${id}/mapping`, { json });
    const failed = await settle(client, id);
    assert.equal(failed.status, 'failed');
    assert.match(failed.parse_error ?? '', /"text".*map the column that holds KATO codes/);
    assert.deepEqual(await readObservations(client, id), before);
    await client.refused(409, 'POST', `/datasets/${id}/mapping`, { json });
    await client.refused(409, 'GET', `/datasets/${id}.geojson`);
    await client.expect(200, 'GET', `/datasets/${id}/report`);
    const retried = await client.read<Dataset>(200, 'POST', `/datasets/${id}/retry`);
    assert.deepEqual(
      [retried.status, retried.parse_error, retried.kato_column],
      ['extracting', null, 'text'],
    );
    assert.equal((await settle(client, id)).status, 'failed');
    assert.deepEqual(await readObservations(client, id), before);
  },
);

claim(['D3K no columns'], 'a table without columns fails: there is nothing to map', async (client) => {
  const file = featureFile(null, {});
  const { parse_error } = await process(client, 'failed', file, { file_type: 'vector_with_kato' });
  assert.match(parse_error ?? '', /no columns/);
});

claim(['4.4 mapping rule 2'], 'columns are what the file calls them, whatever that is', async (client) => {
  const strange = { '': '710000000', __proto__x: 1, 'год 2020': 2, 'a.b[0]"': 3 };
  const { id, attribute_columns } = await makeTable(client, [strange]);
  const names = Object.keys(strange);
  assert.deepEqual(
    attribute_columns?.map(({ name }) => name),
    names,
  );
  const years = names.slice(1).map((column, index) => ({ column, start_date: `202${index}-01-01` }));
  await map(client, id, '', years);
  assert.deepEqual(
    (await readObservations(client, id)).map(({ value }) => value),
    [1, 2, 3],
  );
});

claim(['2.3 Dataset.attribute_columns'], 'the columns stay known after the mapping', async (client) => {
  const names = (await sharedTable(client)).attribute_columns?.map(({ name }) => name);
  assert.deepEqual(names, ['kato', 'y2022', 'y2023', 'note']);
});

checkedElsewhere('src/tables/remap.test.ts', {
  'readers see the old observations or the new ones, never a mix, while the mapping changes': ['D3K re-map'],
});
