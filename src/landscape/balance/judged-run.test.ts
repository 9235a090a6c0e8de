import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Balance } from './balance-schema.ts';
import type { Conflicts } from './conflicts-schema.ts';
import type { Sensitivity } from './sensitivity-schema.ts';
import type { Stability } from './stability-schema.ts';
import { nodeByCode } from '../graph/graph.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { readPicture } from '../../../test/acceptance/support/maps.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { send } from '../../../test/support/datasets.ts';
import { isLongTier } from '../../../test/support/tier.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fillDemonstration, outputPixels } from '../../../test/support/landscape/layer-landscape.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';

const runs = await closeAfterTests(startRuns({ districts: true }));
await fillDemonstration(runs);
const run = await runs.execute();
const other = await runs.execute({
  params: { v1_min_s_e12: 2, v1_min_s_e3: 5, v2_min_s_e4: 4, tie_priority: [3, 2, 1, 5, 4] },
});
const pinnedGroup = nodeByCode('32')?.output.group ?? '';
const leader = run.nodes?.find(({ node_code: code }) => code === '32')?.outputs?.[0]?.dataset_id ?? '';
const pinned = await runs.execute({ overrides: { [pinnedGroup]: leader } });
const app = await closeAfterTests(
  startTestApp({
    databaseTarget: runs.target,
    storeFolder: runs.store.root,
    messageQueue: runs.messageQueue,
  }),
);
const pathOf = ({ id }: Pick<LandscapeRun, 'id'>, path: string) =>
  `${app.baseUrl}/landscape/runs/${id}/${path}`;
const ask = async (path: string, init: RequestInit = {}, of = run) => await fetch(pathOf(of, path), init);
const read = async <T>(path: string, of = run): Promise<T> => {
  const { status, body } = await send<T>(app, `/landscape/runs/${of.id}/${path}`);
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
  return body;
};
const query = (params: LandscapeRun['params']) =>
  new URLSearchParams(
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
  ).toString();

/** Grid of the demonstration, and hectares of a pixel in a row, integrated over the radii of curvature. */
const grid = { width: 900, height: 660, left: 68, top: 52.8, step: 1 / 600 };
const hectaresOfRow = Array.from({ length: grid.height }, (_, row) => {
  const [a, squared] = [6_378_137, 0.00669437999014];
  const at = (latitude: number) => {
    const [sine, cosine] = [Math.sin((latitude * Math.PI) / 180), Math.cos((latitude * Math.PI) / 180)];
    return (a ** 2 * (1 - squared) * cosine) / (1 - squared * sine ** 2) ** 2;
  };
  const north = grid.top - row * grid.step;
  const mean = (at(north) + 4 * at(north - grid.step / 2) + at(north - grid.step)) / 6;
  return (mean * ((grid.step * Math.PI) / 180) ** 2) / 10_000;
});

/** Hectares of the wanted pixels. */
function counted(isWanted: (pixel: number) => boolean): number {
  let sum = 0;
  for (let i = 0; i < grid.width * grid.height; i += 1)
    if (isWanted(i)) sum += hectaresOfRow[Math.floor(i / grid.width)] ?? 0;
  return sum;
}

const isNear = (figure: number | undefined, expected: number, name: string) =>
  assert.ok(
    Math.abs((figure ?? Number.NaN) - expected) <= 1e-6 * Math.max(1, expected),
    `${name}: ${figure}, not ${expected}`,
  );

describe('a run that is judged', () => {
  test('says that its land is being counted, and has the figures once it is', async () => {
    const early = await ask('balance?wait=0');
    assert.equal(early.status, 202);
    assert.equal(early.headers.get('retry-after'), '1');
    const tile = await ask('conflicts/tiles/8/177/84.png');
    assert.equal(tile.status, 503);
    assert.ok(tile.headers.get('retry-after') !== null);
    const worker = runs.start();
    try {
      const balance = await read<Balance>('balance?by=region&wait=60');
      assert.ok(balance.units.length > 0);
    } finally {
      await worker.stop();
    }
  });

  test('has the areas that counting the rasters of real runs finds, of its own case and of another', async () => {
    for (const each of [run, other]) {
      const balance = await read<Balance>(`balance?by=all&${query(each.params)}`);
      const codes = await outputPixels(runs, each, '34');
      for (const [place, code] of balance.codes.entries())
        isNear(
          balance.raster.functional[place],
          counted((pixel) => codes[pixel] === code),
          `code ${code}`,
        );
      isNear(
        balance.raster.not_allocable_ha,
        counted((pixel) => codes[pixel] === 40),
        'not allocable',
      );
      isNear(
        balance.raster.no_data_ha,
        counted((pixel) => codes[pixel] === 0),
        'no data',
      );
    }
    const [own, asked] = [
      await read<Balance>('balance', other),
      await read<Balance>(`balance?${query(other.params)}`),
    ];
    assert.deepEqual(own.units, asked.units);
    assert.deepEqual(own.params, asked.params);
    assert.notDeepEqual(own.run_params, asked.run_params);
  });

  test('adds up: classes, holes and what lies outside are each unit, and units are the raster', async () => {
    for (const by of ['district', 'region'] as const) {
      const { units, raster, outside_units: outside } = await read<Balance>(`balance?by=${by}`);
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
      const mapped = [];
      for (const row of units) {
        const all = sum(row.ha) + row.not_allocable_ha + row.no_data_ha;
        mapped.push(all);
        isNear(all + row.outside_raster_ha, row.area_ha, row.name);
        isNear(sum(row.zones), sum(row.ha), row.name);
        isNear(sum(row.functional), sum(row.ha), row.name);
      }
      isNear(sum(mapped) + outside.area_ha, raster.area_ha, by);
    }
    const akmola = await read<Balance>('balance?by=district&kato=110000000');
    assert.ok(akmola.units.length > 1 && akmola.units.every(({ kato }) => kato.startsWith('11')));
  });

  test('loses and gains what the difference of two real runs says', async () => {
    const { cases, params } = await read<Sensitivity>('sensitivity?by=all');
    const lowered = cases.find(({ param, to }) => param === 'v1_min_s_e3' && to === params.v1_min_s_e3 - 1);
    const changed = await runs.execute({ params: { v1_min_s_e3: params.v1_min_s_e3 - 1 } });
    const [before, after] = [await outputPixels(runs, run, '34'), await outputPixels(runs, changed, '34')];
    isNear(
      lowered?.raster?.changed_ha,
      counted((pixel) => before[pixel] !== after[pixel]),
      'changed',
    );
    const gained = (zone: number) => (pixel: number) =>
      Math.floor((after[pixel] ?? 0) / 10) === zone && Math.floor((before[pixel] ?? 0) / 10) !== zone;
    for (const { zone, gained_ha: figure } of lowered?.raster?.zones ?? [])
      isNear(figure, counted(gained(zone)), `V${zone}`);
    assert.equal(cases.filter(({ invalid }) => invalid !== null).length, 1);
  });

  test('is contested where its suitability rasters say so', async () => {
    const conflicts = await read<Conflicts>('conflicts?by=all');
    const suited: Uint8Array[] = [];
    for (const code of ['21', '22', '23', '24', '25']) suited.push(await outputPixels(runs, run, code));
    const codes = await outputPixels(runs, run, '34');
    const bestAt = (pixel: number) => {
      const own = suited.map((each) => each[pixel] ?? 0);
      const s = Math.max(...own);
      return { s, sectors: own.flatMap((value, index) => (value === s ? [index + 1] : [])) };
    };
    const isZoned = (pixel: number) => codes[pixel] !== 0 && codes[pixel] !== 40;
    isNear(conflicts.allocable_ha, counted(isZoned), 'allocable');
    const contested = counted(
      (pixel) => isZoned(pixel) && bestAt(pixel).s >= 3 && bestAt(pixel).sectors.length > 1,
    );
    isNear(conflicts.contested_ha, contested, 'contested');
    const [largest] = conflicts.rows;
    const isLargest = (pixel: number) => {
      const { s, sectors } = bestAt(pixel);
      return isZoned(pixel) && s === largest?.s && sectors.join() === largest.sectors.join();
    };
    isNear(largest?.ha, counted(isLargest), 'the largest set');
    assert.match(conflicts.chosen_by_order.sentence ?? '', /^On \d+ % of the allocable land/);
  });

  // This takes four more runs.
  if (isLongTier)
    test('keeps its codes where the rasters of real runs do', async () => {
      const stability = await read<Stability>('stability?by=all');
      const before = await outputPixels(runs, run, '34');
      let kept = (pixel: number) => before[pixel] !== 0 && before[pixel] !== 40;
      for (const at of [0, 1, 2, 3]) {
        const order = run.params.tie_priority;
        const swapped = order.map(
          (sector, index) => order[index === at ? at + 1 : index === at + 1 ? at : index] ?? sector,
        );
        const after = await outputPixels(
          runs,
          await runs.execute({ params: { tie_priority: swapped } }),
          '34',
        );
        const soFar = kept;
        kept = (pixel) => soFar(pixel) && before[pixel] === after[pixel];
      }
      isNear(stability.order.ha, counted(kept), 'order');
      assert.ok(stability.both.ha <= Math.min(stability.order.ha, stability.thresholds.ha));
    });

  test('is drawn as a real run with these parameters is, and contested land and stability over it', async () => {
    const place = '8/177/84.png';
    const pictureOf = async (path: string, of = run) => {
      const answer = await ask(path, {}, of);
      assert.equal(answer.status, 200, await answer.clone().text());
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { bytes, colours: readPicture(bytes).colours, etag: answer.headers.get('etag') };
    };
    const whatIf = await pictureOf(`whatif/tiles/${place}?${query(other.params)}`);
    const own = await pictureOf(`whatif/tiles/${place}`, other);
    assert.deepEqual(whatIf.bytes, own.bytes);
    const zoning = other.nodes?.find(({ node_code: code }) => code === '34')?.outputs?.[0]?.dataset_id ?? '';
    const drawn = await fetch(`${app.baseUrl}/datasets/${zoning}/tiles/${place}`);
    assert.deepEqual(whatIf.colours, readPicture(Buffer.from(await drawn.arrayBuffer())).colours);
    assert.ok(whatIf.colours.size > 3);
    const base = await pictureOf(`whatif/tiles/${place}`);
    assert.notDeepEqual(base.bytes, whatIf.bytes);
    const again = await ask(`whatif/tiles/${place}`, { headers: { 'if-none-match': base.etag ?? '' } });
    assert.equal(again.status, 304);
    for (const [name, colours] of [
      ['conflicts', (await read<Conflicts>('conflicts')).sets.map(({ color }) => color)],
      ['stability', (await read<Stability>('stability')).legend.map(({ color }) => color)],
    ] as const) {
      const { colours: shown } = await pictureOf(`${name}/tiles/${place}`);
      assert.ok(shown.size > 1, name);
      for (const colour of shown)
        assert.ok(colour === 'none' || colours.includes(colour), `${name} ${colour}`);
    }
    assert.equal((await ask('whatif/tiles/8/0/0.png?empty=204')).status, 204);
  });

  test('is asked for again by its ETag, in three languages, and its cells by ranges', async () => {
    const answer = await ask('conflicts', { headers: { 'accept-language': 'ru' } });
    const etag = answer.headers.get('etag') ?? '';
    assert.equal(answer.headers.get('content-language'), 'ru');
    assert.match(await answer.text(), /"sentence":"На \d+ % распределяемых земель/);
    const again = await ask('conflicts', { headers: { 'accept-language': 'ru', 'if-none-match': etag } });
    assert.equal(again.status, 304);
    const kazakh = await read<Conflicts>('conflicts?lang=kk');
    assert.match(kazakh.chosen_by_order.sentence ?? '', /жердің \d+ %-ында/);
    assert.ok(kazakh.sets.some(({ title }) => title.includes('Егіншілік')));
    const part = await ask('layers/cells.cog', { headers: { range: 'bytes=0-3' } });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()).subarray(0, 2), Buffer.from('II'));
    assert.equal((await ask('layers/none.cog')).status, 404);
  });

  test('is refused with a reason where zones do not follow from cells, before its end, and for what does not exist', async () => {
    for (const path of ['balance', 'sensitivity', 'conflicts', 'stability', 'whatif/tiles/0/0/0.png']) {
      const answer = await ask(path, { headers: { 'accept-language': 'en' } }, pinned);
      assert.equal(answer.status, 409, path);
      assert.match(await answer.text(), /pinned landscape-32-leading-sector/);
    }
    const queued = await runs.create();
    assert.equal((await ask('balance', {}, queued)).status, 409);
    assert.equal((await ask('balance?kato=999999999')).status, 404);
    assert.equal(
      (await ask('balance', {}, { ...run, id: '00000000-0000-4000-8000-000000000000' })).status,
      404,
    );
    assert.equal((await ask('balance?v1_min_s_e3=6')).status, 400);
    assert.equal((await ask('balance?tie_priority=1,2,9')).status, 400);
  });
});
