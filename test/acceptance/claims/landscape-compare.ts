import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { endOf, firstRun, goldenPins, type Run, startRun } from '../support/landscape.ts';
import { once } from '../support/datasets.ts';
import { readCog } from '../support/rasters.ts';

interface Comparison {
  readonly counted_from: string;
  readonly params: readonly { readonly name: string; readonly a: unknown; readonly b: unknown }[];
  readonly inputs: readonly unknown[];
  readonly classes: readonly { readonly value: number; readonly title: string }[];
  readonly matrix: {
    readonly from: readonly (number | null)[];
    readonly to: readonly (number | null)[];
    readonly ha: readonly (readonly number[])[];
  };
  readonly changed_ha: number;
  readonly unchanged_ha: number;
  readonly only_a_ha: number;
  readonly only_b_ha: number;
  readonly no_data_ha: number;
  readonly units: readonly Readonly<Record<string, number>>[];
  readonly rest: Readonly<Record<string, number>>;
}

/** A run over the same rasters, with another threshold and another order. */
const strictRun = once(async (client): Promise<Run> => {
  const params = { v1_min_s_e3: 5, tie_priority: [5, 4, 3, 2, 1] };
  const { id } = await startRun(client, { overrides: await goldenPins(client), params });
  return await endOf(client, id);
});

const zonesOf = async (client: Client, { nodes }: Run, code: string) => {
  const id = nodes.find(({ node_code: each }) => each === code)?.outputs?.[0]?.dataset_id ?? assert.fail();
  return { id, ...(await readCog(client, id)) };
};

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const isNear = (one: number, other: number, tolerance = 1e-9) =>
  Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(other));

/** From the balance, which is that of cells, and from the pixels of both rasters. */
for (const [node, from] of [
  ['34', 'balance'],
  ['32', 'pixels'],
] as const)
  claim(
    ['D6 compare'],
    `two runs differ by as many hectares of node ${node} as their rasters do, counted from the ${from}`,
    async (client) => {
      const [a, b] = [await firstRun(client), await strictRun(client)];
      const path = `/landscape/runs/${a.id}/compare/${b.id}?node=${node}&wait=60`;
      const compared = await client.get<Comparison>(path);
      assert.equal(compared.counted_from, from);
      assert.deepEqual(
        compared.params.map(({ name }) => name),
        ['tie_priority', 'v1_min_s_e3'],
      );
      assert.deepEqual(compared.inputs, []);
      const [zonesOfA, zonesOfB] = [await zonesOf(client, a, node), await zonesOf(client, b, node)];
      const { from: rows, to: columns, ha } = compared.matrix;
      const land = sumOf(ha.flat());
      // Pixels of the golden grid differ by less than a hundredth.
      for (const [i, one] of rows.entries())
        for (const [j, other] of columns.entries()) {
          const pixels = zonesOfA.values.filter(
            (value, at) => value === (one ?? 0) && zonesOfB.values[at] === (other ?? 0),
          ).length;
          const share = pixels / zonesOfA.values.length;
          assert.ok(Math.abs((ha[i]?.[j] ?? Number.NaN) / land - share) < 0.01, `${one} to ${other}`);
        }
      assert.ok(compared.changed_ha > 0);
      for (const key of ['changed_ha', 'unchanged_ha', 'only_a_ha', 'only_b_ha', 'no_data_ha'] as const) {
        const inUnits = sumOf(compared.units.map((unit) => unit[key] ?? Number.NaN));
        assert.ok(isNear(inUnits + (compared.rest[key] ?? Number.NaN), compared[key]), key);
      }
      // Rows and columns add up to the areas of each raster by itself.
      for (const [zones, sums] of [
        [zonesOfA, ha.map(sumOf)],
        [zonesOfB, columns.map((_, j) => sumOf(ha.map((row) => row[j] ?? Number.NaN)))],
      ] as const) {
        const { raster } = await client.get<{
          raster: { classes: Readonly<Record<string, number>>; no_data_ha: number };
        }>(`/datasets/${zones.id}/areas?wait=60`);
        for (const [i, value] of rows.entries()) {
          const area = value === null ? raster.no_data_ha : (raster.classes[value] ?? 0);
          assert.ok(isNear(sums[i] ?? Number.NaN, area), `${value}: ${sums[i]}, not ${area}`);
        }
      }
    },
  );

claim(['D6 compare refusals'], 'only classes of runs that have succeeded are compared', async (client) => {
  const [a, b] = [await firstRun(client), await strictRun(client)];
  const path = (one: string, other: string) => `/landscape/runs/${one}/compare/${other}`;
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const what of ['', '/legend.json', '/tiles/0/0/0.png']) {
    await client.expect(422, 'GET', `${path(a.id, b.id)}${what}?node=01`);
    await client.expect(404, 'GET', path(a.id, unknown) + what);
    await client.expect(400, 'GET', `${path(a.id, b.id)}${what}?node=99`);
  }
  await client.expect(400, 'GET', `${path(a.id, b.id)}/legend.json?from=11`);
});

claim(['D6 compare tiles'], 'tiles of what has changed are pictures with a legend', async (client) => {
  const [a, b] = [await firstRun(client), await strictRun(client)];
  const path = `/landscape/runs/${a.id}/compare/${b.id}`;
  const legend = await client.get<{ entries: readonly { label: string; value?: number }[] }>(
    `${path}/legend.json?lang=en`,
  );
  assert.deepEqual(
    legend.entries.slice(-2).map(({ label }) => label),
    ['no class any more', 'unchanged'],
  );
  const one = await client.get<typeof legend>(`${path}/legend.json?lang=en&from=none&to=11`);
  assert.deepEqual(
    one.entries.map(({ label }) => label),
    ['no class → V1 irrigation', 'other places'],
  );
});
