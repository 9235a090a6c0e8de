import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { firstRun, goldenPins, outputOf, type Run, succeed } from '../support/landscape.ts';
import { readPicture } from '../support/maps.ts';
import { readCog, readTiff } from '../support/rasters.ts';

interface Land {
  readonly area_ha: number;
  readonly not_allocable_ha: number;
  readonly no_data_ha: number;
  readonly ha: readonly number[];
  readonly zones: readonly number[];
  readonly functional: readonly number[];
}

interface Balance {
  readonly cells: readonly (readonly [s: number, e: number, mask: number])[];
  readonly codes: readonly number[];
  readonly params: { readonly v1_min_s_e3: number; readonly tie_priority: readonly number[] };
  readonly units: readonly (Land & { readonly kato: string; readonly outside_raster_ha: number })[];
  readonly raster: Land;
  readonly outside_units: Land;
  readonly chosen_by_order: { readonly share: number; readonly sentence: string };
}

const pathOf = (run: Run, rest: string) => `/landscape/runs/${run.id}/${rest}`;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const isNear = (one: number, other: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(other)), `${one}, not ${other}`);

/** Asks until the land is counted. */
async function judged<T>(client: Client, run: Run, path: string): Promise<T> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await fetch(client.baseUrl + pathOf(run, path));
    if (answer.status !== 202) {
      assert.equal(answer.status, 200, await answer.clone().text());
      return JSON.parse(await answer.text());
    }
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  }
  return assert.fail('the land is not counted');
}

claim(
  ['D6 balance', 'D6 balance waits'],
  'hectares of cells give zones by unit, for the parameters of a run and for others',
  async (client) => {
    const run = await firstRun(client);
    const balance = await judged<Balance>(client, run, 'balance?by=region&wait=60');
    const { raster, units, outside_units: outside } = balance;
    isNear(sum(raster.ha) + raster.not_allocable_ha + raster.no_data_ha, raster.area_ha);
    for (const row of units) {
      isNear(sum(row.ha) + row.not_allocable_ha + row.no_data_ha + row.outside_raster_ha, row.area_ha);
      isNear(sum(row.zones), sum(row.functional));
    }
    isNear(
      sum(units.map((row) => row.area_ha - row.outside_raster_ha)) + outside.area_ha,
      raster.area_ha,
      1e-6,
    );
    const { values } = await readCog(client, outputOf(run, '34'));
    const shares = balance.codes.map(
      (code) => values.filter((value) => value === code).length / values.length,
    );
    // Pixels of the golden grid differ by less than a hundredth.
    for (const [place, share] of shares.entries())
      isNear((raster.functional[place] ?? Number.NaN) / raster.area_ha, share, 0.01);
    const other = await judged<Balance>(client, run, 'balance?by=region&v1_min_s_e3=1&tie_priority=5');
    assert.deepEqual([other.params.v1_min_s_e3, other.params.tie_priority[0]], [1, 5]);
    assert.deepEqual(other.cells, balance.cells);
    const pins = { ...(await goldenPins(client)), 'landscape-31-max-suitability': outputOf(run, '31') };
    const pinned = await succeed(client, { overrides: pins });
    await client.expect(409, 'GET', pathOf(pinned, 'balance'));
    await client.expect(404, 'GET', '/landscape/runs/00000000-0000-4000-8000-000000000000/balance');
  },
);

interface Sensitivity {
  readonly cases: readonly {
    readonly kind: string;
    readonly invalid: string | null;
    readonly inert: boolean;
    readonly raster: {
      readonly changed_ha: number;
      readonly zones: readonly { readonly gained_ha: number }[];
    } | null;
  }[];
}

claim(['D6 sensitivity'], 'each step of a parameter tells what it moves', async (client) => {
  const { cases } = await judged<Sensitivity>(client, await firstRun(client), 'sensitivity?by=all');
  assert.deepEqual(
    cases.map(({ kind }) => kind),
    [...Array<string>(8).fill('threshold'), ...Array<string>(4).fill('order')],
  );
  for (const { invalid, inert, raster } of cases) {
    assert.equal(invalid === null, raster !== null);
    assert.equal(inert, raster?.changed_ha === 0);
  }
  assert.ok(cases.some(({ invalid }) => invalid !== null) && cases.some(({ inert }) => !inert));
});

interface Conflicts {
  readonly least_s: number;
  readonly contested_ha: number;
  readonly contested_share: number;
  readonly tie_priority: readonly number[];
  readonly rows: readonly {
    readonly sectors: readonly number[];
    readonly s: number;
    readonly ha: number;
    readonly winner: number;
  }[];
  readonly sets: readonly { readonly color: string }[];
  readonly chosen_by_order: { readonly share: number; readonly sentence: string };
}

claim(['D6 conflicts'], 'land for which sectors compete is told by sets of sectors', async (client) => {
  const run = await firstRun(client);
  const conflicts = await judged<Conflicts>(client, run, 'conflicts?by=all&lang=ru');
  assert.equal(conflicts.least_s, 3);
  isNear(sum(conflicts.rows.map(({ ha }) => ha)), conflicts.contested_ha);
  for (const { sectors, s, winner } of conflicts.rows) {
    assert.ok(s >= 3 && sectors.length > 1);
    assert.equal(
      winner,
      conflicts.tie_priority.find((sector) => sectors.includes(sector)),
    );
  }
  assert.equal(conflicts.chosen_by_order.share, conflicts.contested_share);
  assert.match(conflicts.chosen_by_order.sentence, /^На .*% земель/);
  const balance = await judged<Balance>(client, run, 'balance?by=all&lang=ru');
  assert.deepEqual(balance.chosen_by_order, conflicts.chosen_by_order);
});

interface Stability {
  readonly zoned_ha: number;
  readonly thresholds: { readonly ha: number };
  readonly order: { readonly ha: number };
  readonly both: { readonly ha: number };
  readonly legend: readonly { readonly ha: number; readonly color: string }[];
}

claim(['D6 stability'], 'land that keeps its code is told in three figures', async (client) => {
  const found = await judged<Stability>(client, await firstRun(client), 'stability?by=all');
  assert.ok(found.both.ha <= Math.min(found.thresholds.ha, found.order.ha));
  assert.ok(Math.max(found.thresholds.ha, found.order.ha) <= found.zoned_ha);
  isNear(sum(found.legend.map(({ ha }) => ha)), found.zoned_ha);
});

claim(['D6 judged maps'], 'a case, contested land and stability are maps of their own', async (client) => {
  const run = await firstRun(client);
  const { sets } = await judged<Conflicts>(client, run, 'conflicts?by=all');
  const { legend } = await judged<Stability>(client, run, 'stability?by=all');
  const { tiles } = await client.get<{ tiles: readonly [string] }>(
    `/datasets/${outputOf(run, '34')}/tilejson.json`,
  );
  const { bounds } = await client.get<{ bounds: readonly [number, number, number, number] }>(
    `/datasets/${outputOf(run, '34')}/tilejson.json`,
  );
  assert.equal(tiles.length, 1);
  const [west, south, east, north] = bounds;
  const { tileAt } = await import('../support/maps.ts');
  const place = tileAt((west + east) / 2, (south + north) / 2, 14);
  const draw = async (path: string) => {
    const answer = await fetch(client.baseUrl + pathOf(run, path));
    assert.equal(answer.status, 200, path);
    return { etag: answer.headers.get('etag'), ...readPicture(Buffer.from(await answer.arrayBuffer())) };
  };
  const [base, again] = [
    await draw(`whatif/tiles/${place}.png`),
    await draw(`whatif/tiles/${place}.png?v1_min_s_e3=4`),
  ];
  assert.equal(base.etag, again.etag, 'it is the case of the run');
  const other = await draw(`whatif/tiles/${place}.png?v1_min_s_e12=5&v2_min_s_e4=1`);
  assert.notEqual(other.etag, base.etag);
  for (const [name, entries] of [
    ['conflicts', sets],
    ['stability', legend],
  ] as const) {
    const { colours } = await draw(`${name}/tiles/${place}.png`);
    for (const colour of colours)
      assert.ok(colour === 'none' || entries.some(({ color }) => color === colour), colour);
  }
});

claim(['D6 layers'], 'the cells of a run are a raster, and no dataset', async (client) => {
  const run = await firstRun(client);
  const { cells } = await judged<Balance>(client, run, 'balance?by=all');
  const answer = await fetch(client.baseUrl + pathOf(run, 'layers/cells.cog'));
  assert.equal(answer.status, 200);
  const { values } = await readTiff(Buffer.from(await answer.arrayBuffer()));
  const { values: codes } = await readCog(client, outputOf(run, '34'));
  assert.equal(values.length, codes.length);
  const known = new Set(cells.map(([s, e, mask]) => 31 * (5 * (s - 1) + e - 1) + mask));
  for (const [pixel, number] of [...values].entries()) {
    const code = codes[pixel];
    assert.equal(code === 40, number === 776);
    assert.equal(code === 0, number === 0);
    assert.ok(number === 0 || number === 776 || known.has(number));
  }
  const part = await fetch(client.baseUrl + pathOf(run, 'layers/cells.cog'), {
    headers: { range: 'bytes=0-9' },
  });
  assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 10]);
  await client.expect(404, 'GET', pathOf(run, 'layers/none.cog'));
});
