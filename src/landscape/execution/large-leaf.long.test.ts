import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import gdal from 'gdal-async';
import type { LandscapePlan } from '../runs/plan-schema.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { createLandscapeClient, golden, leaves } from '../../../test/support/landscape/landscape.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startService } from '../../../test/support/service.ts';
import { append, begin } from '../../../test/support/http/tus.ts';

/** A larger raster for a run by hand; 27e9 pixels cover Kazakhstan in 10 m, which takes about twenty minutes on an idle machine. */
const wanted = process.env['STEPPE_LARGE_RASTER_PIXELS'];
const pixels = Number(wanted ?? 1.05e9);
/** Aspect ratio of a map of Kazakhstan. */
const aspect = 216 / 125;
const blockSide = 512;
/** Stored blocks along the diagonal; the others are sparse. */
const storedBlocks = 200;
const leaf = 'land-cover';
const deadlineSeconds = 20;
const pollEveryMs = 500;
const countWithinSeconds = 60 + pixels / 2e6;
const land = [10, 30, 40, 60, 80] as const;

interface Status {
  readonly status: string;
  readonly progress?: number;
  readonly parse_error: string | null;
}

const folder = await temporaryFolder();

/** Draws a tiled BigTIFF of land cover, most of whose tiles are not stored, although all pixels are read. */
function drawLandCover(): { readonly path: string; readonly width: number; readonly height: number } {
  const path = join(folder, 'land-cover.tif');
  const [width, height] = [Math.round(Math.sqrt(pixels * aspect)), Math.round(Math.sqrt(pixels / aspect))];
  const blocks = [`BLOCKXSIZE=${blockSide}`, `BLOCKYSIZE=${blockSide}`];
  const options = ['BIGTIFF=YES', 'TILED=YES', ...blocks, 'SPARSE_OK=TRUE', 'COMPRESS=DEFLATE'];
  const raster = gdal.open(path, 'w', 'GTiff', width, height, 1, gdal.GDT_Byte, options);
  raster.srs = gdal.SpatialReference.fromEPSG(32_642);
  raster.geoTransform = [300_000, 10, 0, 5_650_000, 0, -10]; // around the golden leaves
  const band = raster.bands.get(1);
  band.noDataValue = 0;
  const block = new Uint8Array(blockSide * blockSide);
  for (let number = 0; number < storedBlocks; number += 1) {
    block.fill(land[number % land.length] ?? 10);
    const at = (size: number) =>
      Math.floor(((number / storedBlocks) * (size - blockSide)) / blockSide) * blockSide;
    band.pixels.write(at(width), at(height), blockSide, blockSide, block);
  }
  raster.close();
  return { path, width, height };
}

test('a leaf of billions of pixels is uploaded, checked while it tells how far it is, and planned with', async (t) => {
  const { path, width, height } = drawLandCover();
  await using service = await startService({
    env: {
      LOG_LEVEL: 'warn',
      ENGINE_DEADLINE_SECONDS: String(deadlineSeconds),
      LANDSCAPE_MAX_PIXELS: '1e12',
    },
  });
  const client = createLandscapeClient(service.baseUrl);
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> =>
    (await client.json<T>(path, init)).body;
  for (const other of leaves) if (other !== leaf) await client.fill(other, await golden(other));

  const bytes = new Uint8Array(await readFile(path));
  const values = { filename: 'land-cover.tif', slot: `landscape-in-${leaf}`, end_date: '2025-12-31' };
  const upload = await begin(service.baseUrl, bytes.length, values);
  const sent = await append(service.baseUrl + upload, 0, bytes);
  assert.equal(sent.status, 204, await sent.text());
  const dataset = sent.headers.get('location') ?? assert.fail('no dataset');
  const id = dataset.slice(dataset.lastIndexOf('/') + 1);

  const begunMs = performance.now();
  const told: number[] = [];
  let now = await ask<Status>(`${dataset}/status`);
  while (now.status === 'pending' || now.status === 'processing') {
    await sleep(pollEveryMs);
    now = await ask<Status>(`${dataset}/status`);
    if (now.progress !== undefined && now.progress !== told.at(-1)) told.push(now.progress);
  }
  const seconds = (performance.now() - begunMs) / 1000;
  assert.equal(now.status, 'ready', now.parse_error ?? '');
  assert.ok(seconds > deadlineSeconds, `it was ready after ${seconds} s, within the time of every file`);
  assert.ok(told.length >= 3, told.join(' '));
  assert.deepEqual(
    told,
    told.toSorted((one, other) => one - other),
  );

  const report = await ask<{ raster: { width: number; height: number } }>(`${dataset}/report`);
  assert.deepEqual([report.raster.width, report.raster.height], [width, height]);
  const plan = await ask<LandscapePlan>('/landscape/plans', { method: 'POST', body: '{}' });
  assert.deepEqual([plan.missing, plan.error], [[], null]);
  const read = plan.inputs.find(({ group }) => group === `landscape-in-${leaf}`);
  assert.equal(read?.dataset?.id, id);
  assert.ok(plan.nodes.length > 0 && plan.nodes.every(({ action }) => action === 'compute'));

  const gigapixels = ((width * height) / 1e9).toFixed(2);
  t.diagnostic(
    `${gigapixels} gigapixels in ${bytes.length} bytes: checked in ${seconds.toFixed(0)} s, ${told.length} words of progress`,
  );
  // Counting takes longer than the check; it is tested only for a given size.
  if (wanted === undefined) return;
  const countingMs = performance.now();
  const counted = async () => {
    const answer = await fetch(`${service.baseUrl}${dataset}/statistics`);
    const text = await answer.text();
    return answer.status === 200 && text;
  };
  const statistics = await eventually('its pixels are counted', counted, countWithinSeconds);
  const { bands }: { bands: { valid: number; nodata: number }[] } = JSON.parse(statistics);
  assert.equal((bands[0]?.valid ?? 0) + (bands[0]?.nodata ?? 0), width * height);
  t.diagnostic(`counted ${((performance.now() - countingMs) / 1000).toFixed(0)} s later`);
});
