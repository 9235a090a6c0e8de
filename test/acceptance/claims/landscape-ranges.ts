import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { getDataset, once } from '../support/datasets.ts';
import { type Leaf, leaves } from '../support/graph.ts';
import { outputOf, pixelsOf, pinSlots, succeed, plainValues } from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';

interface Probe {
  readonly value: number;
  readonly is: 'valid' | 'invalid' | 'missing';
}

/** A value that every leaf can have while another is probed. */
const plain: Readonly<Record<string, number>> = { dem: 300, ...plainValues };

/** A node that has a value wherever the leaf has one. */
const readers: Readonly<Record<string, string>> = {
  dem: '01',
  'land-cover': '05',
  'protected-areas': '26',
  precipitation: '03',
  pet: '03',
  'temperature-sum': '21',
  'snow-depth': '22',
  'soil-texture': '11',
  'soil-organic-carbon': '14',
  'soil-salinity': '21',
  ndvi: '04',
  'distance-water': '24',
  'distance-road': '25',
};

/** Both ends of a range and what lies beyond; every class, and what is none. */
function probesOf({ valid }: Leaf): readonly Probe[] {
  const probe = (is: Probe['is']) => (value: number) => ({ value, is });
  if ('classes' in valid) {
    const unknown = [Math.max(...valid.classes) + 1, 35.5, -1, 255, 1000];
    return [
      ...valid.classes.map(probe('valid')),
      ...unknown.map(probe('invalid')),
      probe('missing')(Number.NaN),
    ];
  }
  const [min, max] = valid;
  const step = Math.max(1, Math.abs(max)) / 1000;
  return [
    ...[min, max].map(probe('valid')),
    ...[min - step, max + step, Infinity, -Infinity].map(probe('invalid')),
    probe('missing')(Number.NaN),
  ];
}

const probes = leaves.map((leaf) => ({ leaf, values: probesOf(leaf) }));
const total = probes.reduce((sum, { values }) => sum + values.length, 0);
const firstPixel = (key: string) => {
  const before = probes.slice(
    0,
    probes.findIndex(({ leaf }) => leaf.key === key),
  );
  return before.reduce((sum, { values }) => sum + values.length, 0);
};

/** One row of pixels; in each of them one leaf is probed, and all others are plain. */
const probeRun = once(async (client) => {
  const rasters = probes.map(({ leaf: { key }, values }) => {
    const from = firstPixel(key);
    const row = Array.from({ length: total }, (_, pixel) => values[pixel - from]?.value ?? plain[key] ?? 0);
    return [key, { rows: [row] }] as const;
  });
  return await succeed(client, { overrides: await pinSlots(client, Object.fromEntries(rasters)) });
});

for (const { leaf, values } of probes) {
  const { key, code: group, title } = leaf;
  if (key === 'protected-areas') continue;
  claim(
    [`L2 ${key}`, 'L2 invalid', 'L2 leaf nodata', 'L2 types', 'L8.4 invalid pixels'],
    `${title}: what is valid counts, the ends included; what is not has no value, and is counted`,
    async (client) => {
      const run = await probeRun(client);
      const output = outputOf(run, readers[key] ?? '');
      const raster = await readCog(client, output);
      const from = firstPixel(key);
      for (const [at, { value, is }] of values.entries()) {
        assert.equal(raster.values[from + at] !== raster.noData, is === 'valid', `${key} ${value}`);
      }
      const { meta } = await getDataset(client, output);
      const invalid = values.filter((probe) => probe.is === 'invalid').length;
      assert.equal(Object(meta?.['invalid_pixels'])[group], invalid);
    },
  );
}

claim(
  ['L2 protected-areas', 'L2 protected nodata', 'L8.4 invalid pixels'],
  'Protected areas: 1 makes sensitivity 4 at least, 2 makes it 5; whatever else there is counts as 0',
  async (client) => {
    const output = outputOf(await probeRun(client), '26');
    const { values } = await readCog(client, output);
    const from = firstPixel('protected-areas');
    const [none, regulated, strict, ...others] = values.slice(from, from + 9);
    assert.deepEqual([regulated, strict], [4, 5]);
    assert.ok(none !== undefined && none >= 1 && none < 4);
    assert.deepEqual(
      others,
      Array.from(others, () => none),
    );
    const { meta } = await getDataset(client, output);
    assert.equal(Object(meta?.['invalid_pixels'])['landscape-in-protected-areas'], 5);
  },
);

claim(
  ['L3.1 allocable', 'L3.2 05'],
  'water, built-up land and ice are no land to allocate, every other class is',
  async (client) => {
    const run = await probeRun(client);
    const values = await pixelsOf(client, run, '05');
    const from = firstPixel('land-cover');
    const land = values.slice(from, from + 11);
    assert.deepEqual(land, [1, 1, 1, 1, 3, 1, 4, 2, 1, 1, 1]);
    const zoning = (await pixelsOf(client, run, '34')).slice(from, from + 11);
    for (const code of ['21', '22', '23', '24', '25', '26']) {
      const rated = (await pixelsOf(client, run, code)).slice(from, from + 11);
      assert.deepEqual(
        rated.map((value) => value !== 0),
        land.map((value) => value === 1),
        code,
      );
    }
    assert.deepEqual(
      zoning.map((value) => value === 40),
      land.map((value) => value !== 1),
    );
  },
);
