import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  assertComputed,
  assertGolden,
  createLandscapeClient,
  expected,
  golden,
  type LandscapeClient,
  nodeCodes,
  nodeOf,
  outputGroup,
  outputOf,
  type Period,
  type Run,
} from '../../support/landscape.ts';
import { type Service, startService } from '../../support/service.ts';

/** What each node reads: leaves by key and nodes by code; the elevation is an input of every node. */
const reads: Readonly<Record<string, string>> = {
  '01': 'dem',
  '02': 'dem',
  '03': 'precipitation pet',
  '04': 'ndvi',
  '05': 'land-cover',
  '11': 'soil-texture 01',
  '12': 'precipitation 03',
  '13': 'land-cover 04',
  '14': 'precipitation soil-texture soil-organic-carbon ndvi 01',
  '21': 'land-cover temperature-sum soil-texture soil-salinity distance-water 01 03 05',
  '22': 'land-cover snow-depth 01 03 05',
  '23': 'land-cover precipitation temperature-sum soil-texture soil-organic-carbon soil-salinity 01 05',
  '24': 'land-cover distance-water 01 04 05',
  '25': 'land-cover distance-water distance-road 02 05',
  '26': 'land-cover protected-areas soil-salinity 05 11 12 13 14',
  '31': '21 22 23 24 25',
  '32': '21 22 23 24 25',
  '33': '26 31',
  '34': '05 26 32 33',
};
const parameters: Readonly<Record<string, object>> = {
  '32': { tie_priority: [1, 2, 3, 4, 5] },
  '33': { v1_min_s_e12: 3, v1_min_s_e3: 4, v2_min_s_e3: 3, v2_min_s_e4: 5 },
};
const units: Readonly<Record<string, string>> = {
  '01': 'percent',
  '02': 'm',
  '04': 'percent',
  '14': 't/ha/yr',
};
const periods: Readonly<Record<string, Period>> = {
  dem: { start_date: '2000-02-11', end_date: '2000-02-22' },
  precipitation: { start_date: '1991-01-01', end_date: '2020-12-31' },
  pet: { start_date: '1981-01-01', end_date: '2010-12-31' },
  ndvi: { end_date: '2022-09-30' },
};
const afterNdvi = ['04', '13', '14', '24', '26', '31', '32', '33', '34'];

interface DatasetBody {
  readonly id: string;
  readonly bbox: readonly number[];
  readonly [field: string]: unknown;
}
interface Result {
  readonly group: string;
  readonly title: string;
  readonly node: string;
  readonly group_id: string;
  readonly latest: { readonly id: string } | null;
  readonly cog_url: string | null;
  readonly sld_url: string | null;
}

describe('the Landscape Program on the golden leaves', () => {
  let service: Service;
  let client: LandscapeClient;
  let first: Run;
  let filled: ReadonlyMap<string, string>;

  const datasetOf = async (id: string) => (await client.json<DatasetBody>(`/datasets/${id}`)).body;
  const metaOf = async (run: Run, code: string) => Object((await datasetOf(outputOf(run, code)))['meta']);
  const bodyOf = async (path: string) => {
    const response = await fetch(service.baseUrl + path);
    const body = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), body };
  };

  before(async () => {
    service = await startService({ env: { LOG_LEVEL: 'warn' } });
    client = createLandscapeClient(service.baseUrl);
    filled = await client.fillAll({ periods });
    assert.equal(nodeCodes.length, 19);
  });
  after(async () => await service[Symbol.asyncDispose]());

  test('a first run computes all nodes, with the golden values', async () => {
    first = await client.run();
    assertComputed(first, nodeCodes);
    await assertGolden(client, first, 'default');
  });

  test('each node names what it read, and its fingerprint is the hash of that and of its parameters', () => {
    for (const code of nodeCodes) {
      const names = ['dem', ...(reads[code] ?? '').split(' ')];
      const inputs = new Map(
        names.map((name) =>
          nodeCodes.includes(name)
            ? [outputGroup(name), outputOf(first, name)]
            : [`landscape-in-${name}`, filled.get(name)],
        ),
      );
      const node = nodeOf(first, code);
      assert.deepEqual(new Map(node.inputs?.map(({ group, dataset_id: id }) => [group, id])), inputs, code);
      const sorted = [...inputs].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const text = JSON.stringify({ inputs: sorted, node: code, params: parameters[code] ?? {} });
      assert.equal(node.fingerprint, createHash('sha256').update(text).digest('hex'), code);
    }
  });

  test('each output is a dataset of its group that says where it comes from', async () => {
    const { body: results } = await client.json<Result[]>('/landscape/results');
    const { body: categories } = await client.json<{ id: string; code: string }[]>('/categories');
    for (const code of nodeCodes) {
      const { id, bbox, ...dataset } = await datasetOf(outputOf(first, code));
      const result = results.find(({ node }) => node === code);
      const meta = Object(dataset['meta']);
      const { invalid_pixels: invalidPixels, ...origin } = meta;
      assert.deepEqual(
        { ...origin, name: dataset['name'], group: dataset['dg_id'], unit: dataset['unit'] },
        {
          run_id: first.id,
          node: code,
          fingerprint: nodeOf(first, code).fingerprint,
          graph_version: 1,
          name: result?.title,
          group: result?.group_id,
          unit: units[code] ?? null,
        },
      );
      assert.ok(Object.values(invalidPixels).every((count) => count === 0));
      const { automated, status, file_type: fileType, category_id: category } = dataset;
      assert.deepEqual([automated, status, fileType], [true, 'ready', 'raster']);
      assert.equal(category, categories.find(({ code: each }) => each === 'landscape')?.id);
      assert.deepEqual(
        bbox.map((degrees) => Math.round(degrees * 100) / 100),
        [69, 50.07, 69.06, 50.1],
      );
      assert.equal((await client.json(`/datasets/${id}/report`)).status, 200);
    }
  });

  test('the dates of an output are the earliest and the latest of what it stands on', async () => {
    const periodOf = async (code: string) => {
      const { start_date: start, end_date: end } = await datasetOf(outputOf(first, code));
      return [start, end];
    };
    assert.deepEqual(await periodOf('01'), ['2000-02-11', '2000-02-22']);
    assert.deepEqual(await periodOf('03'), ['1981-01-01', '2020-12-31']);
    assert.deepEqual(await periodOf('34'), ['1981-01-01', '2022-09-30']);
  });

  test('the results list each output with the paths of its COG and its legend', async () => {
    const { body: results } = await client.json<Result[]>('/landscape/results');
    assert.deepEqual(
      results.map(({ node, group, latest }) => [node, group, latest?.id]),
      nodeCodes.map((code) => [code, outputGroup(code), outputOf(first, code)]),
    );
    for (const { cog_url: cog, sld_url: sld, latest, group_id: groupId } of results) {
      assert.equal(cog, `/datasets/${latest?.id}.cog`);
      assert.equal(sld, `/dataset-groups/${groupId}/sld`);
      assert.deepEqual([(await bodyOf(cog)).status, (await bodyOf(cog)).type], [200, 'image/tiff']);
      const legend = await bodyOf(sld);
      assert.deepEqual([legend.status, legend.type], [200, 'application/xml']);
      assert.equal((await bodyOf(`/datasets/${latest?.id}/sld`)).body, legend.body);
    }
  });

  test('a second run like the first reuses everything, and so does one with other windows', async () => {
    for (const input of [undefined, { params: { window_size: 256 } }]) {
      const run = await client.run(input);
      assertComputed(run, []);
      for (const code of nodeCodes) {
        assert.equal(outputOf(run, code), outputOf(first, code));
        assert.equal(nodeOf(run, code).fingerprint, nodeOf(first, code).fingerprint);
      }
    }
  });

  test('a threshold of the zones changes the zones and what follows from them', async () => {
    assertComputed(await client.run({ params: { v2_min_s_e4: 4 } }), ['33', '34']);
  });

  for (const [set, computed] of [
    ['tie_reversed', ['32', '34']],
    ['strict', ['33', '34']],
    ['loose', ['33', '34']],
    ['inverted_e3', ['33', '34']],
  ] as const) {
    test(`the parameters "${set}" give their golden values`, async () => {
      const run = await client.run({ params: expected.params[set] ?? {} });
      assertComputed(run, computed);
      await assertGolden(client, run, set);
    });
  }

  test('a fresher vegetation index changes what follows from it', async () => {
    await client.fill('ndvi', await golden('ndvi'), { end_date: '2023-09-30' });
    const run = await client.run();
    assertComputed(run, afterNdvi);
    await assertGolden(client, run, 'default');
  });

  test('an upload that is older changes nothing, and its report says so', async () => {
    for (const period of [{ end_date: '2023-09-29' }, {}]) {
      const id = await client.fill('ndvi', await golden('ndvi'), period);
      const { body } = await client.json<{ warnings: { code: string }[] }>(`/datasets/${id}/report`);
      assert.ok(body.warnings.some(({ code }) => code === 'not_freshest'));
      assertComputed(await client.run(), []);
    }
  });

  test('a fresher elevation changes everything, because it is the grid', async () => {
    const newGrid = await client.fill('dem', await golden('dem'), { end_date: '2024-01-01' });
    const run = await client.run();
    assertComputed(run, nodeCodes);
    for (const { inputs } of run.nodes) assert.ok(inputs?.some(({ dataset_id: id }) => id === newGrid));
    await assertGolden(client, run, 'default');
  });

  test('an output that was deleted is computed again, and so is what follows from it', async () => {
    const before = await client.run();
    for (const [code, computed] of [
      ['34', ['34']],
      ['03', ['03', '12', '21', '22', '26', '31', '32', '33', '34']],
    ] as const) {
      const { status } = await fetch(`${service.baseUrl}/datasets/${outputOf(before, code)}`, {
        method: 'DELETE',
      });
      assert.equal(status, 204);
      const run = await client.run();
      assertComputed(run, computed);
      assert.deepEqual(await client.read(before.id), before, 'a run keeps the ids of what was deleted');
      await assertGolden(client, run, 'default');
    }
  });

  for (const stage of [0, 1, 2, 3]) {
    test(`from stage ${stage} on everything can be computed anew`, async () => {
      const run = await client.run({ from_stage: stage });
      assertComputed(
        run,
        nodeCodes.filter((code) => Number(code[0]) >= stage),
      );
      await assertGolden(client, run, 'default');
    });
  }

  test('a pinned leaf is read instead of the freshest one, and its pixels out of range are counted', async () => {
    const pinned = await client.fill('precipitation', await golden('precipitation-out-of-range'));
    const overrides = { 'landscape-in-precipitation': pinned };
    const run = await client.run({ overrides });
    assertComputed(run, ['03', '12', '14', '21', '22', '23', '26', '31', '32', '33', '34']);
    assert.deepEqual(run.overrides, overrides);
    for (const code of ['03', '12', '14', '23']) {
      const meta = await metaOf(run, code);
      assert.equal(meta.invalid_pixels['landscape-in-precipitation'], 1);
      assert.deepEqual(meta.overrides, overrides);
    }
    assert.deepEqual((await metaOf(run, '34')).overrides, overrides);
    await assertGolden(client, run, 'default');
    assertComputed(await client.run({ overrides }), []);
  });

  test('a pinned output is read by the nodes that follow, while the node that makes it is left as it is', async () => {
    const pinned = outputOf(first, '04');
    const run = await client.run({ overrides: { [outputGroup('04')]: pinned } });
    assertComputed(run, ['13', '24', '26', '31', '32', '33', '34']);
    assert.notEqual(outputOf(run, '04'), pinned);
    for (const code of ['13', '24']) {
      const read = nodeOf(run, code).inputs?.find(({ group }) => group === outputGroup('04'));
      assert.equal(read?.dataset_id, pinned);
    }
    assert.equal((await metaOf(run, '13')).overrides[outputGroup('04')], pinned);
    await assertGolden(client, run, 'default');
  });
});
