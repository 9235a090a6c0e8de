import assert from 'node:assert/strict';
import type { Client } from '../../client.ts';
import { claim } from '../../claim.ts';
import { process } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';
import { failedRaster, nowhereRaster, sharedPoints, sharedRaster } from '../../support/shared.ts';

interface Statistics {
  readonly dataset_id: string;
  readonly pixels: number;
  readonly area_ha: number | null;
  readonly bands: readonly {
    readonly index: number;
    readonly valid: number;
    readonly nodata: number;
    readonly min: number | null;
    readonly max: number | null;
    readonly mean: number | null;
    readonly p2: number | null;
    readonly p98: number | null;
    readonly histogram: {
      readonly min: number;
      readonly max: number;
      readonly counts: readonly number[];
    } | null;
    readonly classes:
      | readonly { readonly value: number; readonly pixels: number; readonly hectares: number | null }[]
      | null;
    readonly no_data_ha: number | null;
  }[];
}

/** Repeats the request until the pixels are counted. */
async function countedOf(client: Client, id: string) {
  for (;;) {
    const answer = await client.ask('GET', `/datasets/${id}/statistics`);
    if (answer.status === 200) return { ...answer.read<Statistics>(), etag: answer.headers.get('etag') };
    assert.equal(answer.status, 404, answer.text);
    assert.match(answer.text, /being counted/);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const sumOf = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((sum, number) => sum + (number ?? NaN), 0);

function assertArea(area: number | null, expected: number): void {
  assert.ok(Math.abs((area ?? NaN) / expected - 1) <= 1e-6, `${area} ha instead of ${expected}`);
}

claim(
  ['D7 statistics', 'D7 statistics classes', 'D7 statistics hectares'],
  'statistics are those of all pixels, and the hectares of classes and no data are those of the raster',
  async (client) => {
    const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1], noData: 7 });
    const { id } = await process(client, 'ready', file);
    const { bands, ...whole } = await countedOf(client, id);
    assert.deepEqual([whole.dataset_id, whole.pixels, bands.length], [id, 1200, 1]);
    const [band] = bands;
    assert.ok(band?.histogram && band.classes);
    const stored = Array.from({ length: 1200 }, (_, i) => ((i % 40) * 7 + Math.floor(i / 40) * 13) % 251);
    const values = stored.filter((value) => value !== 7).toSorted((a, b) => a - b);
    assert.deepEqual([band.index, band.valid, band.nodata], [1, values.length, 1200 - values.length]);
    assert.deepEqual([band.min, band.max], [values[0], values.at(-1)]);
    assert.ok(Math.abs((band.mean ?? NaN) - sumOf(values) / values.length) < 1e-9);
    assert.equal(band.p2, values[Math.ceil(0.02 * values.length) - 1]);
    assert.equal(band.p98, values[Math.ceil(0.98 * values.length) - 1]);
    assert.equal(sumOf(band.histogram.counts), values.length);
    assert.deepEqual(
      band.classes.map(({ value, pixels }) => [value, pixels]),
      [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]),
    );
    // From pyproj, for a geodesic polygon of 16,000 points.
    assertArea(whole.area_ha, 93_812.213_942);
    assertArea(sumOf([...band.classes.map(({ hectares }) => hectares), band.no_data_ha]), 93_812.213_942);
  },
);

claim(
  ['D7 statistics hectares'],
  'hectares of a zone of UTM far outside of it are those of the earth, not of the plane; nowhere there are none',
  async (client) => {
    const size = { width: 100, height: 80 };
    const file = tiffFile({ ...size, corner: [-800_000, 5_900_000], pixelSize: 1000, epsg: 32_642 });
    const { id } = await process(client, 'ready', file);
    // From pyproj; the planar area is 800,000.
    assertArea((await countedOf(client, id)).area_ha, 770_674.071_267);
    const nowhere = await countedOf(client, (await nowhereRaster(client)).id);
    assert.deepEqual([nowhere.area_ha, nowhere.bands[0]?.no_data_ha], [null, null]);
    assert.ok(nowhere.bands[0]?.classes?.every(({ hectares }) => hectares === null));
  },
);

claim(
  ['D7 statistics refusals', 'D7 statistics ETag'],
  'statistics are of ready rasters alone, and of the same raster the same',
  async (client) => {
    const { id } = await sharedRaster(client);
    const { etag, dataset_id: _id, ...first } = await countedOf(client, id);
    assert.match(etag ?? '', /^"[^"]+"$/);
    await client.expect(304, 'GET', `/datasets/${id}/statistics`, {
      headers: { 'if-none-match': etag ?? '' },
    });
    const again = await process(client, 'ready', tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] }));
    const { etag: _etag, dataset_id: _other, ...second } = await countedOf(client, again.id);
    assert.deepEqual(second, first);
    const vector = await sharedPoints(client);
    await client.refused(422, 'GET', `/datasets/${vector.id}/statistics`);
    const failed = await failedRaster(client);
    assert.match(await client.refused(409, 'GET', `/datasets/${failed.id}/statistics`), /failed/);
    await client.refused(404, 'GET', '/datasets/00000000-0000-4000-8000-000000000000/statistics');
  },
);
