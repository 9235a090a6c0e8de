import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { leaves } from '../support/graph.ts';
import { firstRun, goldenPins } from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';

interface Gaps {
  readonly is_estimate: boolean;
  readonly unit: string;
  readonly grid_ha: number;
  readonly without_zone_ha: number;
  readonly inputs: readonly {
    readonly group: string;
    readonly dataset_id: string;
    readonly missing_ha: number;
    readonly alone_ha: number;
  }[];
}

interface GapPlace {
  readonly is_on_grid: boolean;
  readonly zone: number | null;
  readonly missing: readonly string[];
}

claim(
  ['D6 gaps'],
  'a run tells how much of its grid has no zone, and which inputs have no value',
  async (client) => {
    const run = await firstRun(client);
    const gaps = await client.get<Gaps>(`/landscape/runs/${run.id}/gaps`);
    const zoning = run.nodes.at(-1)?.outputs?.[0]?.dataset_id ?? assert.fail();
    const { values } = await readCog(client, zoning);
    const holes = values.filter((value) => value === 0).length;
    assert.deepEqual([gaps.is_estimate, gaps.unit], [false, 'ha']);
    // Pixels of the golden grid differ by less than a hundredth.
    assert.ok(
      Math.abs(gaps.without_zone_ha / gaps.grid_ha - holes / values.length) < 0.01,
      JSON.stringify(gaps),
    );
    assert.deepEqual(
      gaps.inputs.map(({ group }) => group),
      leaves.map(({ key }) => `landscape-in-${key}`),
    );
    for (const { missing_ha: missing, alone_ha: alone } of gaps.inputs)
      assert.ok(alone <= missing && missing < gaps.grid_ha);
    assert.ok(gaps.inputs.some(({ missing_ha: missing }) => missing > 0));
    await client.expect(404, 'GET', '/landscape/runs/00000000-0000-4000-8000-000000000000/gaps');
  },
);

claim(['D6 gaps place'], 'a place tells its zone, or the inputs that have no value there', async (client) => {
  const run = await firstRun(client);
  const path = `/landscape/runs/${run.id}/gaps`;
  const zoning = run.nodes.at(-1)?.outputs?.[0]?.dataset_id ?? assert.fail();
  const { bbox } = await client.get<{ bbox: readonly [number, number, number, number] }>(
    `/datasets/${zoning}`,
  );
  const [west, south, east, north] = bbox;
  const sides = Array.from({ length: 8 }, (_, i) => (i + 0.5) / 8);
  let [zones, holes] = [0, 0];
  for (const [across, down] of sides.flatMap((x) => sides.map((y) => [x, y] as const))) {
    const place = `?lon=${west + across * (east - west)}&lat=${north + down * (south - north)}`;
    const { zone, missing, is_on_grid: isOn } = await client.get<GapPlace>(path + place);
    if (zone !== null) zones += 1;
    else if (isOn && missing.length > 0) holes += 1;
  }
  assert.ok(zones > 0 && holes > 0, `${zones} zones, ${holes} holes`);
  const far = await client.get<GapPlace>(`${path}?lon=${east + 5}&lat=${north}`);
  assert.deepEqual([far.is_on_grid, far.zone, far.missing], [false, null, []]);
  for (const query of ['?lon=1', '?lat=1', '?lon=x&lat=1', '?lon=181&lat=1'])
    await client.expect(400, 'GET', path + query);
});

claim(['D6 gaps estimate'], 'before a run its gaps are estimated from a sample', async (client) => {
  const run = await firstRun(client);
  const overrides = await goldenPins(client);
  const exact = await client.get<Gaps>(`/landscape/runs/${run.id}/gaps`);
  const estimate = await client.read<Gaps>(200, 'POST', '/landscape/gaps', { json: { overrides } });
  assert.equal(estimate.is_estimate, true);
  assert.ok(Math.abs(estimate.grid_ha / exact.grid_ha - 1) < 0.001);
  const isNear = (one: number, other: number) => Math.abs(one - other) < 0.02 * exact.grid_ha;
  assert.ok(isNear(estimate.without_zone_ha, exact.without_zone_ha), JSON.stringify([estimate, exact]));
  for (const [index, { missing_ha: missing }] of exact.inputs.entries())
    assert.ok(isNear(estimate.inputs[index]?.missing_ha ?? Number.NaN, missing));
  await client.expect(422, 'POST', '/landscape/gaps', {
    json: { overrides: { 'landscape-in-nothing': run.id } },
  });
});
