import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Lineage } from './lineage-schema.ts';
import { readRunWarning } from './run-warning.ts';
import type { DatasetMetadata } from '../../metadata/schema.ts';
import type { LandscapeResult } from '../groups/results.ts';
import type { LandscapeSlot } from '../groups/slots.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, sendJson, upload } from '../../../test/support/datasets.ts';
import { groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { insertRun } from '../../../test/support/landscape/stored-runs.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db } = app.services;
const categoryId = await insertCategory(db);

const dem = 'landscape-in-dem';
const salinity = 'landscape-in-soil-salinity';
const texture = 'landscape-in-soil-texture';
const own = 'Invented data, for demonstration only';
const computed = 'For demonstration only. Computed from invented data:';

async function originOf(id: string, language = 'en') {
  const { body } = await send<Lineage>(app, `/datasets/${id}/lineage`, {
    headers: { 'accept-language': language },
  });
  return [body.origin, body.warning];
}

async function say(id: string, origin: string | null): Promise<void> {
  const { status } = await sendJson(app, 'PUT', `/datasets/${id}/metadata`, { origin });
  assert.equal(status, 200);
}

/** Inserts a run whose node 11 reads elevation, salinity and texture. */
async function insertSoils() {
  const inputs = {
    [dem]: await insertRaster(db, { dg_id: await groupId(db, dem) }),
    [salinity]: await insertRaster(db, { dg_id: await groupId(db, salinity) }),
    [texture]: await insertRaster(db, { dg_id: await groupId(db, texture) }),
  };
  const output = await insertRaster(db, { dg_id: await groupId(db, 'landscape-11-soil-quality') });
  const above = await insertRaster(db);
  const run = await insertRun(db, [
    { code: '11', inputs, output },
    { code: '21', inputs: { 'landscape-11-soil-quality': output, [dem]: inputs[dem] ?? '' }, output: above },
  ]);
  return { inputs, output, above, run };
}

describe('the origin of a dataset', () => {
  test('is unknown until it is stated, can be changed, and can be taken back', async () => {
    const { id } = await upload(app, { category_id: categoryId });
    assert.deepEqual(await originOf(id), [null, null]);
    for (const [origin, warning] of [
      ['measured', null],
      ['invented', own],
      [null, null],
    ] as const) {
      await say(id, origin);
      const { fields } = (await send<DatasetMetadata>(app, `/datasets/${id}/metadata`)).body;
      assert.deepEqual([fields.origin ?? null, await originOf(id)], [origin, [origin, warning]]);
    }
    const refused = await sendJson(app, 'PUT', `/datasets/${id}/metadata`, { origin: 'guessed' });
    assert.equal(refused.status, 422);
  });

  test('can be in the meta of an upload, so that it is known from the start', async () => {
    const metaOf = async (meta: object) =>
      (await upload(app, { category_id: categoryId, meta: JSON.stringify(meta) })).id;
    assert.deepEqual(await originOf(await metaOf({ origin: 'invented' })), ['invented', own]);
    assert.deepEqual(await originOf(await metaOf({ origin: 'a field survey' })), [null, null]);
  });
});

describe('the origin of a result', () => {
  test('is derived if the origins of all uploads are stated', async () => {
    const { inputs, above } = await insertSoils();
    for (const id of Object.values(inputs).slice(1)) await say(id, 'measured');
    assert.deepEqual(await originOf(above), [null, null]);
    await say(inputs[dem] ?? '', 'derived');
    assert.deepEqual(await originOf(above), ['derived', null]);
  });

  test('is invented if any input is, whatever is said of the result, and names it in each language', async () => {
    const { inputs, output, above, run } = await insertSoils();
    await say(inputs[salinity] ?? '', 'invented');
    await say(above, 'measured');
    for (const id of [output, above])
      assert.deepEqual(await originOf(id), ['invented', `${computed} Topsoil salinity`]);
    assert.deepEqual(await originOf(above, 'ru'), [
      'invented',
      'Только для демонстрации. Рассчитано по вымышленным данным: Засоление верхнего слоя почвы',
    ]);
    assert.match(
      String((await originOf(above, 'kk'))[1]),
      /^Тек көрсету үшін\. Ойдан шығарылған деректерден .+: [А-Яа-яҚқ]/,
    );
    assert.equal(await readRunWarning(db, [run], 'en'), `${computed} Topsoil salinity`);
  });

  test('stays invented when the invented input is deleted', async () => {
    const { inputs, above } = await insertSoils();
    const invented = inputs[texture] ?? '';
    await say(invented, 'invented');
    assert.equal((await send(app, `/datasets/${invented}`, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await originOf(above), ['invented', `${computed} Topsoil texture`]);
  });

  test('is in legends, slots, results, records and catalogues', async () => {
    const { inputs, output } = await insertSoils();
    await say(inputs[salinity] ?? '', 'invented');
    const warning = `${computed} Topsoil salinity`;
    const { body: slots } = await send<LandscapeSlot[]>(app, '/landscape/slots');
    assert.deepEqual(
      slots.flatMap(({ code, origin, warning: text }) => (text === undefined ? [] : [[code, origin, text]])),
      [[salinity, 'invented', own]],
    );
    const { body: results } = await send<LandscapeResult[]>(app, '/landscape/results');
    assert.equal(results.find(({ node }) => node === '11')?.warning, warning);
    const { text: record } = await send(app, `/datasets/${output}/metadata.xml`);
    assert.match(record, new RegExp(`<gmd:statement><gco:CharacterString>${warning}\\. `));
    const { text: catalogue } = await send(app, '/catalog.jsonld');
    assert.ok(catalogue.includes(`"dct:description":"${warning}"`));
    const { text: items } = await send(app, `/stac/search?ids=${output},${inputs[dem]}`);
    assert.equal(items.split(`"processing:lineage":"${warning}"`).length, 2);
  });
});
