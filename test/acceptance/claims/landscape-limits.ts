import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { firstRun, goldenPins, outputOf, pixelsOf, type Run, succeed } from '../support/landscape.ts';

interface LimitedClass {
  readonly class: number;
  readonly ha: number;
  readonly relieved_ha: number | null;
  readonly limits: readonly {
    readonly factor: string;
    readonly alone_ha: number;
    readonly with_others_ha: number;
  }[];
  readonly subclasses: readonly { readonly subclass: string; readonly ha: number }[];
}
interface Limits {
  readonly factors: readonly { readonly factor: string; readonly letter: string; readonly title: string }[];
  readonly raster: {
    readonly area_ha: number;
    readonly classes: readonly LimitedClass[];
    readonly not_allocable_ha: number;
    readonly no_data_ha: number;
  };
}
interface Where {
  readonly conditions: string;
  readonly raster: Readonly<Record<'area_ha' | 'meets_ha' | 'fails_ha' | 'no_data_ha', number>>;
}
interface Sensitivity {
  readonly sample: { readonly is_whole: boolean };
  readonly inputs: readonly {
    readonly is_moved: boolean;
    readonly decreased: { readonly changed_share: number; readonly standard_error: number } | null;
  }[];
}

const pathOf = (run: Run, rest: string) => `/landscape/runs/${run.id}/${rest}`;

/** Asks until a job has made it; an answer without a wait says to ask again. */
async function made<T>(client: Client, path: string): Promise<T> {
  const early = await client.ask('GET', `${path}&wait=0`);
  if (early.status !== 200) {
    assert.equal(early.status, 202, early.text);
    assert.equal(early.headers.get('retry-after'), '1');
    assert.equal(early.read<{ status: string }>().status, 'pending');
  }
  for (;;) {
    const answer = await client.ask('GET', path);
    if (answer.status === 200) return answer.read<T>();
    assert.equal(answer.status, 202, answer.text);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

function assertNear(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) <= 1e-9 * Math.max(1, expected), `${found}, not ${expected}`);
}

claim(
  ['D6 limits', 'D6 limits relieved', 'D6 made at request'],
  'classes, limits and subclasses add up to the raster, and relieving a factor lowers no class',
  async (client) => {
    const run = await firstRun(client);
    for (const sector of ['21', '23', '25']) {
      const { raster, factors } = await made<Limits>(
        client,
        pathOf(run, `limits?sector=${sector}&by=region`),
      );
      const pixels = await pixelsOf(client, run, sector);
      const areas = raster.classes.map(({ ha }) => ha);
      assertNear(sum(areas) + raster.not_allocable_ha + raster.no_data_ha, raster.area_ha);
      for (const { class: rating, ha, limits, subclasses } of raster.classes) {
        const count = pixels.filter((value) => value === rating).length;
        // Pixels of the golden grid are nearly alike.
        assert.ok(Math.abs(ha / raster.area_ha - count / pixels.length) < 1e-3, `class ${rating}`);
        if (rating === 5) continue;
        assertNear(sum(subclasses.map((each) => each.ha)), ha);
        const single = subclasses.filter(({ subclass }) => subclass.length === 2);
        assertNear(sum(limits.map((each) => each.alone_ha)), sum(single.map((each) => each.ha)));
      }
      for (const { factor } of factors) {
        const path = pathOf(run, `limits?sector=${sector}&by=region&relieved=${factor}`);
        const relieved = (await made<Limits>(client, path)).raster.classes;
        assertNear(sum(relieved.map((each) => each.relieved_ha ?? NaN)), sum(areas));
        for (let least = 0; least < 5; least += 1) {
          const better = (of: (each: LimitedClass) => number) => sum(relieved.slice(0, least + 1).map(of));
          assert.ok(better((each) => each.relieved_ha ?? 0) >= better((each) => each.ha) - 1e-9);
        }
      }
    }
    await client.expect(400, 'GET', pathOf(run, 'limits?sector=24&relieved=snow'));
  },
);

claim(['D6 limits'], 'a sector that a run has pinned has no limits', async (client) => {
  const first = await firstRun(client);
  const overrides = { ...(await goldenPins(client)), 'landscape-25-tourism': outputOf(first, '25') };
  const run = await succeed(client, { overrides });
  await client.expect(409, 'GET', pathOf(run, 'limits?sector=25'));
  await made(client, pathOf(run, 'limits?sector=24&by=region'));
});

claim(
  ['D6 limits map'],
  'tiles of limits are pictures whose legend is in the language of the client',
  async (client) => {
    const run = await firstRun(client);
    await made(client, pathOf(run, 'limits?sector=23&by=region'));
    const tile = await client.ask('GET', pathOf(run, 'limits/tiles/0/0/0.png?sector=23'));
    assert.deepEqual([tile.status, tile.headers.get('content-type')], [200, 'image/png']);
    const legends = [];
    for (const lang of ['en', 'ru', 'kk']) {
      const path = pathOf(run, `limits/legend.json?sector=23&lang=${lang}`);
      legends.push(await client.get<{ entries: { label: string; colour: string }[] }>(path));
    }
    const colours = legends.map(({ entries }) => entries.map(({ colour }) => colour).join());
    assert.equal(new Set(colours).size, 1);
    assert.equal(new Set(legends.map(({ entries }) => entries[0]?.label)).size, 3);
  },
);

claim(
  ['D6 where'],
  'conditions are met where the rasters meet them, and a fault names its character',
  async (client) => {
    const run = await firstRun(client);
    const found = await made<Where>(client, pathOf(run, 'where?conditions=S23>=3;E<=4&by=region'));
    assert.equal(found.conditions, '23>=3;26<=4');
    const [crop, sensitivity] = [await pixelsOf(client, run, '23'), await pixelsOf(client, run, '26')];
    const meets = crop.filter(
      (value, i) => value >= 3 && (sensitivity[i] ?? 0) >= 1 && (sensitivity[i] ?? 9) <= 4,
    );
    const { area_ha: area, meets_ha: met, fails_ha: fails, no_data_ha: none } = found.raster;
    assertNear(met + fails + none, area);
    assert.ok(Math.abs(met / area - meets.length / crop.length) < 1e-3);
    const tile = await client.ask('GET', pathOf(run, 'where/tiles/0/0/0.png?conditions=E<=4;S23>=3'));
    assert.deepEqual([tile.status, tile.headers.get('content-type')], [200, 'image/png']);
    const fault = await client.ask('GET', pathOf(run, 'where?conditions=S23>=3;hills<4'));
    assert.equal(fault.status, 400);
    assert.match(fault.text, /"hills\\?" at character 8|character 8/);
  },
);

claim(
  ['D6 input sensitivity'],
  'inputs of numbers are moved, classes are not, and the answer stays the same',
  async (client) => {
    const run = await firstRun(client);
    const path = pathOf(run, 'input-sensitivity?delta=10');
    const found = await made<Sensitivity>(client, path);
    assert.equal(found.inputs.length, 13);
    assert.equal(found.inputs.filter(({ is_moved: isMoved }) => !isMoved).length, 3);
    assert.equal(found.sample.is_whole, true);
    for (const { is_moved: isMoved, decreased } of found.inputs) {
      assert.equal(decreased === null, !isMoved);
      assert.equal(decreased?.standard_error ?? 0, 0);
    }
    assert.deepEqual(await made<Sensitivity>(client, path), found);
    await client.expect(400, 'GET', pathOf(run, 'input-sensitivity?delta=0'));
  },
);
