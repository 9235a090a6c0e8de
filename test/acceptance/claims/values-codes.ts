import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeMapped, makeTable, map } from '../support/datasets.ts';
import { geojsonFile, point } from '../support/files.ts';
import { expectWarning, readVector, warningsOf } from '../support/geojson.ts';
import { readObservations } from '../support/observations.ts';

/** A layer whose features have ids beside their properties. */
function withIds(
  features: readonly { readonly id?: unknown; readonly properties: object }[],
  name?: string,
): File {
  const listed = features.map((each) => ({ type: 'Feature', ...each, geometry: point(70, 50) }));
  return geojsonFile({ type: 'FeatureCollection', features: listed }, name);
}

claim(
  ['D9 ids'],
  'ids of features are a column id, beside properties and in a table by KATO',
  async (client) => {
    const features = [
      { id: '110000000', properties: { name: 'Акмолинская', v: 1.5 } },
      { id: '150000000', properties: { name: 'Актюбинская', v: 2 } },
    ];
    const { dataset, collection } = await readVector(client, withIds(features));
    assert.deepEqual(
      collection.features[0]?.properties.rows,
      features.map(({ id, properties }) => ({ id, ...properties })),
    );
    assert.deepEqual(await warningsOf(client, dataset.id), []);
    const table = await makeTable(client, withIds(features));
    const names = table.attribute_columns?.map(({ name }) => name) ?? [];
    assert.deepEqual(names.toSorted(), ['id', 'name', 'v']);
    await map(client, table.id, 'id', [{ column: 'v', start_date: '2020-01-01' }]);
    assert.deepEqual(
      (await readObservations(client, table.id)).map(({ kato_code, value }) => [kato_code, value]),
      [
        ['110000000', 1.5],
        ['150000000', 2],
      ],
    );
  },
);

claim(
  ['D9 ids'],
  'an id that is a number keeps its digits, and a feature without one has none',
  async (client) => {
    const file = withIds([{ id: 7, properties: { a: 1 } }, { properties: { a: 2 } }]);
    const { collection } = await readVector(client, file);
    const [first, second] = collection.features[0]?.properties.rows ?? [];
    assert.deepEqual(first, { id: 7, a: 1 });
    const { id = null, ...rest } = { ...Object(second) };
    assert.deepEqual([id, rest], [null, { a: 2 }]);
  },
);

claim(
  ['D9 ids left out', 'D9 languages'],
  'beside a property id the ids of features are left out, with a warning',
  async (client) => {
    const file = withIds([
      { id: 'x', properties: { id: 1 } },
      { id: 'y', properties: { id: 2 } },
    ]);
    const { dataset, collection } = await readVector(client, file);
    assert.deepEqual(collection.features[0]?.properties.rows, [{ id: 1 }, { id: 2 }]);
    await expectWarning(client, dataset.id, 'ids_left_out');
  },
);

/** Spellings of codes, and what they are. */
const spellings = [
  ['110000000', '110000000'],
  ['150000000.0', '150000000'],
  ["'190000000", '190000000'],
  ['23 00 00 000', '230000000'],
  ['27\u00a00000000', '270000000'],
  ['\u200b310000000\u200b', '310000000'],
  [' 350000000 ', '350000000'],
  [390000000, '390000000'],
  ['43000000', '43000000'],
  ['470000', '470000'],
  ['55000000000', '55000000000'],
  ['всего', 'всего'],
] as const;

claim(
  ['D9 codes', 'D9 codes padding', 'D9 codes repaired', 'D9 languages'],
  'codes are what they were before a spreadsheet had them, repairs are counted, and nothing is padded',
  async (client) => {
    const rows = spellings.map(([kato], v) => ({ kato, v }));
    const { id } = await makeMapped(client, rows, 'v');
    const found = await readObservations(client, id);
    const codes = found.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0)).map(({ kato_code }) => kato_code);
    assert.deepEqual(
      codes,
      spellings.map(([, code]) => code),
    );
    // .0, the apostrophe, blanks, U+00A0 and U+200B; white space at the ends may count as a repair or not.
    await expectWarning(client, id, 'codes_repaired', /\b[56]\b/);
    const { features } = await client.get<{ features: readonly unknown[] }>(`/datasets/${id}.geojson`);
    assert.equal(features.length, 8);
  },
);
