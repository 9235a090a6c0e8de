import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/support/app.ts';
import { insertCategory, send, setState, upload } from '../../test/support/datasets.ts';
import { onePoint } from '../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { insertLargeTable } from '../../test/support/tables/ready-table.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;
const square = '{"type":"Polygon","coordinates":[[[70,50],[71,50],[71,51],[70,50]]]}';
await sql`insert into districts (kato_code, level, name, geometry) values ('100000001', 'district', 'West', ${square})`.execute(
  db,
);
const table = await insertLargeTable(app, 2);
const { id: vector } = await upload(app, { category_id: await insertCategory(db), file_type: 'vector' });
await setState(app.services, vector, { status: 'ready' }, { fgb: onePoint });
await sql`insert into vector_features values (${vector}, 'made', 1, '{60,50,60,50}'::float8[])`.execute(db);

interface Feature {
  readonly id: string | number;
  readonly geometry: object | null;
  readonly properties: object;
}

async function featuresOf(path: string): Promise<readonly Feature[]> {
  const { status, text } = await send(app, `/ogc/collections/${path}`);
  assert.equal(status, 200, text);
  const { features, ...feature } = JSON.parse(text);
  return features ?? [feature];
}

test('features are shown without their geometry, or with some of their properties, as clients ask for them', async () => {
  for (const [collection, name] of [
    [vector, 'a'],
    [table, 'value'],
    ['districts', 'name'],
  ] as const) {
    const [whole] = await featuresOf(`${collection}/items`);
    assert.ok(whole?.geometry, collection);
    for (const path of [`${collection}/items`, `${collection}/items/${whole.id}`]) {
      const [flat] = await featuresOf(`${path}?skipGeometry=true&properties=${name}`);
      assert.deepEqual(
        [flat?.geometry, Object.keys(flat?.properties ?? {}), flat?.id],
        [null, [name], whole.id],
      );
      const [same] = await featuresOf(`${path}?skipGeometry=false`);
      assert.deepEqual([same?.geometry, same?.properties], [whole.geometry, whole.properties]);
    }
    const { status, text } = await send(app, `/ogc/collections/${collection}/items?properties=${name},other`);
    assert.deepEqual([status, /names “other”, which is not a property/.test(text)], [400, true], text);
  }
});
