import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { type Dataset, settle } from '../support/datasets.ts';
import { firstRun, outputOf, pixelsOf, type Run } from '../support/landscape.ts';

interface Polygons {
  readonly id: string;
  readonly state: string;
  readonly dataset_id: string;
  readonly zones: number;
  readonly pixels_ha: number;
  readonly polygons_ha: number;
  readonly classes: readonly {
    readonly value: number;
    readonly zones_before: number;
    readonly zones: number;
    readonly pixels_ha: number;
    readonly polygons_ha: number;
    readonly difference_ha: number;
  }[];
}

const pathOf = ({ id }: Run) => `/landscape/runs/${id}/polygons`;

async function made(client: Client, run: Run, body: object): Promise<Polygons> {
  for (;;) {
    const answer = await client.ask('POST', `${pathOf(run)}?wait=20`, { json: body });
    if (answer.status === 200) return answer.read<Polygons>();
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-6 * Math.max(one, other);

claim(
  ['D6 polygons', 'D6 polygons list'],
  'the zones of a run become a vector dataset once, with the hectares of its pixels',
  async (client) => {
    const run = await firstRun(client);
    const polygons = await made(client, run, {});
    assert.equal((await made(client, run, { node: '34', min_area_ha: null, by: null })).id, polygons.id);
    const pixels = await pixelsOf(client, run, '34');
    for (const { value, pixels_ha: whole, polygons_ha: area } of polygons.classes) {
      assert.ok(isNear(whole, area), `class ${value}`);
      const count = pixels.filter((each) => each === value).length;
      // Pixels of the golden grid are nearly alike.
      assert.ok(
        Math.abs(whole / polygons.pixels_ha - count / pixels.filter((each) => each > 0).length) < 1e-3,
      );
    }
    const dataset = await settle(client, polygons.dataset_id);
    assert.equal(dataset.status, 'ready');
    const { file_type: type, automated } = await client.get<Dataset>(`/datasets/${polygons.dataset_id}`);
    assert.deepEqual([type, automated], ['vector', true]);
    const file = await client.ask('GET', `/datasets/${polygons.dataset_id}/download`);
    assert.ok(file.text.startsWith('SQLite format 3'));
    const listed = await client.get<Polygons[]>(pathOf(run));
    assert.equal(listed.filter(({ id }) => id === polygons.id).length, 1);
    await client.expect(404, 'POST', '/landscape/runs/00000000-0000-4000-8000-000000000000/polygons', {
      json: {},
    });
    await client.expect(422, 'POST', pathOf(run), { json: { node: '01' } });
    assert.ok(outputOf(run, '34') !== polygons.dataset_id);
  },
);

claim(['D6 polygons merged'], 'small zones merge, and no hectare is lost', async (client) => {
  const run = await firstRun(client);
  const all = await made(client, run, {});
  const merged = await made(client, run, { min_area_ha: 1e6 });
  assert.ok(merged.zones < all.zones);
  assert.deepEqual(
    merged.classes.map(({ zones_before: before }) => before),
    all.classes.map(({ zones }) => zones),
  );
  const difference = merged.classes.reduce((sum, each) => sum + each.difference_ha, 0);
  assert.ok(Math.abs(difference) <= 1e-6 * merged.pixels_ha);
  assert.ok(isNear(merged.polygons_ha, all.pixels_ha));
  assert.ok(merged.classes.some((each) => Math.abs(each.difference_ha) > 1));
});
