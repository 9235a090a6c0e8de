import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { exampleFigures } from '../../../src/landscape/compute/input-work.ts';
import { createMatchTally } from '../../../src/tables/match/match-tally.ts';
import { createTableFacts } from '../../../src/tables/match/table-facts.ts';
import type { TestApp } from '../app.ts';
import { insertGroup, send, sendForm, sendJson } from '../datasets.ts';
import { book, formFields } from './form-requests.ts';
import { countedPolygon } from './status-requests.ts';

/** Makes the atlas of a run. */
export async function makeAtlas(app: TestApp, run: string): Promise<void> {
  const { status, text } = await send(app, `/landscape/runs/${run}/atlas.pdf?wait=0`);
  assert.equal(status, 202, text);
  const { db, objectStore } = app.services;
  const key = 'test/atlas.pdf';
  await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
  await objectStore.put(key, Readable.from([Buffer.from('%PDF-1.4')]));
  await db.updateTable('results').set({ state: 'made', object_key: key }).execute();
}

/** Makes and counts the limits and the conditions of a run, over rasters that can be drawn; the others stay wanted or failed. */
export async function countLimits(
  app: TestApp,
  { doneRun, uncountedRun }: { readonly doneRun: string; readonly uncountedRun: string },
  rasters: readonly string[],
): Promise<void> {
  const { db } = app.services;
  const queries = [
    'limits?sector=23',
    'where?conditions=slope<5',
    'limits?sector=22',
    'where?conditions=slope<6',
  ];
  for (const [index, query] of queries.entries()) {
    const url = `/landscape/runs/${doneRun}/${query}&wait=0`;
    assert.equal((await send(app, url)).status, 202);
    const files = await db
      .selectFrom('dataset_files')
      .select(['kind', 'object_key'])
      .where('dataset_id', '=', rasters[index] ?? '')
      .execute();
    await db
      .updateTable('objects')
      .set({ sha256: Buffer.alloc(32, index) })
      .where(
        'key',
        'in',
        files.map(({ object_key: key }) => key),
      )
      .execute();
    const keyOf = (kind: string) => files.find((file) => file.kind === kind)?.object_key ?? null;
    await db
      .updateTable('landscape_layers')
      .set({ state: 'made', cog_key: keyOf('cog'), mesh_key: keyOf('view_mesh') })
      .where('state', '=', 'pending')
      .execute();
    assert.equal((await send(app, url)).status, 202);
    const figures = JSON.stringify({ tuples: [], raster: [], units: [], sets: [] });
    const failure = JSON.stringify({ english: 'the raster has no areas' });
    const isCounted = index < 2;
    await db
      .updateTable('area_counts')
      .set(isCounted ? { state: 'counted', figures } : { state: 'failed', failure, is_final: true })
      .where('state', '=', 'pending')
      .execute();
  }
  const url = `/landscape/runs/${doneRun}/input-sensitivity?wait=0`;
  assert.equal((await send(app, url)).status, 202);
  const moves = JSON.stringify({ blocks: 1, ofBlocks: 1, inputs: [] });
  await db.updateTable('input_moves').set({ state: 'made', figures: moves }).execute();
  const where = `/landscape/runs/${uncountedRun}/where?conditions=slope<5&wait=0`;
  assert.equal((await send(app, where)).status, 202);
  for (let i = 0; i < 15; i += 1) {
    const layer = {
      id: randomUUID(),
      key: `crowd ${i}`,
      layer: `where 01<${9 + i}`,
      state: 'pending',
    } as const;
    await db
      .insertInto('landscape_layers')
      .values({ ...layer, run_id: uncountedRun })
      .execute();
  }
}

/** Makes the polygons of one run; those of another run, and of many more, wait. */
export async function makePolygons(
  app: TestApp,
  { doneRun, uncountedRun }: { readonly doneRun: string; readonly uncountedRun: string },
  { raster, polygons }: { readonly raster: string; readonly polygons: string },
): Promise<void> {
  const { db } = app.services;
  const ask = async (run: string) => {
    const { status } = await sendJson(app, 'POST', `/landscape/runs/${run}/polygons?wait=0`, {});
    assert.equal(status, 202);
  };
  await ask(doneRun);
  const figures = JSON.stringify({ zones: 0, positions: 0, belowMinimum: 0, classes: [] });
  const made = { state: 'made', dataset_id: polygons, figures } as const;
  await db.updateTable('landscape_polygons').set(made).execute();
  await ask(uncountedRun);
  for (let i = 0; i < 16; i += 1) {
    const crowd = { id: randomUUID(), key: `crowd ${i}`, node: '34', state: 'pending' } as const;
    await db
      .insertInto('landscape_polygons')
      .values({
        ...crowd,
        raster_id: raster,
        run_id: uncountedRun,
        min_area_ha: null,
        cut_by: null,
        districts_version: null,
        dataset_id: null,
      })
      .execute();
  }
}

/** Makes the input of one recipe; that of another recipe, and of many more, wait. */
export async function makeInputs(
  app: TestApp,
  { source, made }: { readonly source: string; readonly made: string },
): Promise<void> {
  const { db } = app.services;
  const slot = 'landscape-in-dem';
  const ask = async (scale: number) => {
    const recipe = { method: 'arithmetic', dataset_ids: [source], scale };
    const { status, text } = await sendJson(app, 'POST', `/landscape/slots/${slot}/make?wait=0`, recipe);
    assert.equal(status, 202, text);
  };
  await ask(2);
  const figures = JSON.stringify(exampleFigures);
  await db.updateTable('made_inputs').set({ state: 'made', dataset_id: made, figures }).execute();
  await ask(3);
  for (let i = 0; i < 16; i += 1)
    await db
      .insertInto('made_inputs')
      .values({
        id: randomUUID(),
        key: `crowd ${i}`,
        slot: 'crowd',
        recipe: '{}',
        recipe_version: 1,
        sources: '[]',
        state: 'pending',
        dataset_id: null,
      })
      .execute();
}

/** Counts everything else that a report contains; where no layer of limits can be made, the report has a sentence instead. */
export async function countReport(app: TestApp, run: string, raster: string): Promise<void> {
  const { db } = app.services;
  const counts = JSON.stringify({ pixels: 2, area_ha: null, bands: [] });
  await db.insertInto('raster_statistics').values({ dataset_id: raster, state: 'counted', counts }).execute();
  const path = `/landscape/runs/${run}/report.html?wait=0`;
  assert.equal((await send(app, path)).status, 202);
  await db
    .updateTable('landscape_layers')
    .set({ state: 'failed', failure: JSON.stringify({ english: 'it is damaged' }), is_final: true })
    .where('state', '=', 'pending')
    .where('layer', 'like', 'limits-%')
    .execute();
  assert.equal((await send(app, path)).status, 200);
}

/** Counts the areas of a run compared with itself, and by unit and polygon, because no worker runs. */
export async function countAreas(app: TestApp, run: string, raster: string): Promise<void> {
  const { status } = await send(app, `/landscape/runs/${run}/compare/${run}?node=33&wait=0`);
  assert.equal(status, 202);
  await send(app, `/datasets/${raster}/areas?wait=0`);
  await send(app, `/datasets/${raster}/zonal?wait=0`);
  await sendJson(app, 'POST', `/landscape/runs/${run}/areas?wait=0`, countedPolygon);
  const figures = JSON.stringify({
    tuples: [],
    raster: [],
    units: [{ id: 'union', set: 'union', area_m2: 0, areas: [], outside_m2: 0, values: null }],
    sets: [],
  });
  const { db } = app.services;
  await db
    .updateTable('area_counts')
    .set({ state: 'counted', figures })
    .where('state', '=', 'pending')
    .execute();
}

/** Counts the land of a run, with a raster in place of its layer. */
export async function countLand(
  app: TestApp,
  run: string,
  raster: string,
  state: 'counted' | 'failed' = 'counted',
): Promise<void> {
  const { db } = app.services;
  const path = `/landscape/runs/${run}/balance?wait=0`;
  assert.equal((await send(app, path)).status, 202);
  const files = await db.selectFrom('dataset_files').selectAll().where('dataset_id', '=', raster).execute();
  const keyOf = (kind: string) => files.find((file) => file.kind === kind)?.object_key ?? null;
  // A layer is identified by the digest of its COG.
  await db
    .updateTable('objects')
    .set({ sha256: Buffer.alloc(32, raster) })
    .where('key', '=', keyOf('cog'))
    .execute();
  const made = { state: 'made', cog_key: keyOf('cog'), mesh_key: keyOf('view_mesh') } as const;
  await db.updateTable('landscape_layers').set(made).where('run_id', '=', run).execute();
  assert.equal((await send(app, path)).status, 202);
  const figures = JSON.stringify({ tuples: [], raster: [], units: [], sets: [] });
  const failure = JSON.stringify({ english: 'The raster has other pixels.' });
  const result = state === 'counted' ? { state, figures } : { state, failure, is_final: true };
  await db.updateTable('area_counts').set(result).where('state', '=', 'pending').execute();
}

/** Stored columns of a table of two columns, as arguments of `setState`. */
export function matchedTable(): Record<string, string> {
  const districts = new Set(['111000000']);
  const facts = createTableFacts(['kato', '2020'], districts);
  facts.add(['"111000000"', '5']);
  const tally = createMatchTally({ yearColumns: [] }, districts);
  tally.add({ katoCode: '111000000', readings: [] }, 0);
  return { facts: JSON.stringify(facts.result()), match: JSON.stringify(tally.result()) };
}

const layout = {
  sheets: ['S'],
  fields: [{ id: 'S!B2', label: 'B', sheet: 0, cells: [[1, 1, '111000000', 'empty']] }],
  ownCells: [],
  unknownRows: [],
  unknownNames: [],
};
const form = {
  filled: 0,
  formulas: 0,
  districtsVersion: 1,
  sources: [],
  leftFields: [],
  leftCells: [],
  leftTotal: 0,
};

/** Creates templates and a filled form in all the states that answers depend on; as many others wait as may. */
export async function createForms(app: TestApp, group: string, raster: string) {
  const { db, objectStore, pool } = app.services;
  const fullGroup = await insertGroup(db);
  await pool.query(
    `insert into form_templates (id, group_id, filename, format, object_key, size_bytes)
     select gen_random_uuid(), $1, 'a.xlsx', 'xlsx', 'test/template-' || i, 1 from generate_series(1, 50) i`,
    [fullGroup],
  );
  const add = async () =>
    (await sendForm<{ id: string }>(app, `/dataset-groups/${group}/templates`, [['file', book]])).body.id;
  const formTemplate = await add();
  const brokenTemplate = await add();
  const wantedTemplate = await add();
  const pending = async (kind: string, columns: object) =>
    await db
      .updateTable('results')
      .set(columns)
      .where('state', '=', 'pending')
      .where('kind', '=', kind)
      .execute();
  const ask = async (id: string) => await send(app, `/form-templates/${id}/layout?wait=0`);
  assert.equal((await ask(formTemplate)).status, 202);
  await pending('template-layout', { state: 'made', content: JSON.stringify(layout) });
  assert.equal((await ask(brokenTemplate)).status, 202);
  const failure = JSON.stringify({ english: 'The workbook is damaged.' });
  await pending('template-layout', { state: 'failed', failure, is_final: true });
  await ask(wantedTemplate);
  const fill = async (of: string) => {
    const body = JSON.stringify(formFields(of)).replaceAll('{mapRaster}', raster);
    const made = await sendJson(app, 'POST', `/form-templates/${formTemplate}/forms?wait=0`, body);
    assert.equal(made.status, 202, made.text);
  };
  await fill('area');
  const key = 'test/form.xlsx';
  await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
  await objectStore.put(key, Readable.from([Buffer.from('PK\u0003\u0004')]));
  await pending('form', { state: 'made', content: JSON.stringify(form), object_key: key });
  const { id: filledForm } = await db
    .selectFrom('results')
    .select('id')
    .where('kind', '=', 'form')
    .executeTakeFirstOrThrow();
  await fill('no_data');
  for (const [kind, most] of [
    ['template-layout', 100],
    ['form', 50],
  ] as const)
    await pool.query(
      `insert into results (id, key, kind, input, state)
       select gen_random_uuid(), $1 || i, $1, '{}', 'pending' from generate_series(1, $2::integer) i`,
      [kind, most],
    );
  return {
    fullGroup,
    formTemplate,
    brokenTemplate,
    wantedTemplate,
    newTemplate: await add(),
    doomedTemplate: await add(),
    filledForm,
  };
}
