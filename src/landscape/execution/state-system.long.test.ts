import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { SpatialReference } from 'gdal-async';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import type { LandscapeRun } from '../runs/schema.ts';

const runs = await closeAfterTests(startRuns());
// Imported after the engines have chosen its drivers.
const { default: gdal } = await import('gdal-async');
const folder = await temporaryFolder();

interface Place {
  readonly srs: SpatialReference;
  readonly transform: readonly number[];
  readonly side: number;
}
const grid = { transform: [12_500_000, 1000, 0, 5_552_220, 0, -1000], side: 4 };
/** The golden land with a margin, so that these sources cover the grid. */
const pulkovo = {
  srs: gdal.SpatialReference.fromEPSG(28_412),
  transform: [12_496_930, 1000, 0, 5_555_150, 0, -1000],
  side: 10,
};
const degrees = {
  srs: gdal.SpatialReference.fromEPSG(4326),
  transform: [68.95, 0.015, 0, 50.14, 0, -0.01],
  side: 10,
};

/** Puts the golden raster of a leaf, repeated to the size of a place, there into its group. */
async function fill(key: string, { srs, transform, side }: Place): Promise<string> {
  const golden = gdal.open(fixture(`landscape/golden/${key}.tif`));
  const from = golden.bands.get(1);
  const path = join(folder, `${key}.tif`);
  const raster = gdal.open(path, 'w', 'GTiff', side, side, 1, from.dataType ?? 'Float32');
  raster.srs = srs;
  raster.geoTransform = [...transform];
  const to = raster.bands.get(1);
  to.noDataValue = from.noDataValue;
  if (typeof from.scale === 'number' && from.scale !== 1) to.scale = from.scale;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) to.pixels.set(x, y, from.pixels.get(x % 4, y % 4));
  for (const each of [raster, golden]) each.close();
  return await runs.addBytes(`landscape-in-${key}`, Readable.from([await readFile(path)]));
}

interface Output {
  readonly pixels: readonly number[];
  readonly transform: readonly number[] | null;
  readonly system: string | undefined;
}

async function outputsOf(run: LandscapeRun): Promise<ReadonlyMap<string, Output>> {
  const outputs = new Map<string, Output>();
  for (const { node_code: code, outputs: made } of run.nodes ?? []) {
    const { object_key: key } = await runs.db
      .selectFrom('dataset_files')
      .select('object_key')
      .where('dataset_id', '=', made?.[0]?.dataset_id ?? '')
      .where('kind', '=', 'cog')
      .executeTakeFirstOrThrow();
    const raster = gdal.open(join(runs.store.root, key));
    const { x, y } = raster.rasterSize;
    const pixels = [...raster.bands.get(1).pixels.read(0, 0, x, y)];
    outputs.set(code, {
      pixels,
      transform: raster.geoTransform,
      system: raster.srs?.getAuthorityCode(null),
    });
    raster.close();
  }
  return outputs;
}

test('a run in zone 12 of QazTRF-23, with inputs in Pulkovo 1942 and in degrees, has the pixels of one on WGS 84', async () => {
  const others: Record<string, string> = {};
  for (const [number, { key }] of leaves.entries())
    if (key !== 'dem') others[`landscape-in-${key}`] = await fill(key, number % 2 === 0 ? pulkovo : degrees);
  const systems = {
    state: gdal.SpatialReference.fromEPSG(10_946),
    // QazTRF-23 has no shift from WGS 84.
    wgs84: gdal.SpatialReference.fromProj4(
      '+proj=tmerc +lat_0=0 +lon_0=69 +k=1 +x_0=12500000 +y_0=0 +datum=WGS84 +units=m',
    ),
  };
  const found = new Map<string, Awaited<ReturnType<typeof outputsOf>>>();
  for (const [name, srs] of Object.entries(systems)) {
    const overrides = { ...others, 'landscape-in-dem': await fill('dem', { srs, ...grid }) };
    const run = await runs.execute({ overrides, from_stage: 0 });
    assert.equal(run.error, null);
    found.set(name, await outputsOf(run));
  }
  for (const { code } of nodes) {
    const [one, other] = [found.get('state')?.get(code), found.get('wgs84')?.get(code)];
    assert.ok(one !== undefined && other !== undefined, code);
    assert.equal(one.system, '10946');
    assert.deepEqual(one.transform, other.transform);
    assert.ok(new Set(one.pixels).size > 1 || code === '05', `${code} has one value`);
    // The two ellipsoids differ by a tenth of a millimetre, and a factor by its last digit.
    for (const [at, value] of one.pixels.entries()) {
      const expected = other.pixels[at] ?? NaN;
      assert.ok(
        Math.abs(value - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
        `${code}: ${value}, not ${expected}`,
      );
    }
  }
});
