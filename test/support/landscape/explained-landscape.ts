import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import type { LandscapeRun } from '../../../src/landscape/runs/schema.ts';
import type { RasterPoints } from '../../../src/maps/service/raster-points.ts';
import { openGapLandscape } from './gap-landscape.ts';
import type { startRuns } from './runs.ts';
import { variedGrid, variedLeaves } from './varied-landscape.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;
type Frame = Parameters<typeof variedLeaves>[0];

/** Makes runs over varied landscapes and reads all pixels of their outputs. */
export async function openExplainedLandscapes(runs: Runs) {
  const landscape = await openGapLandscape(runs);
  const opened = new Map<string, ReturnType<RasterPoints['open']>>();
  /** Caches rows of datasets for a second, as an api does. */
  const rasterPoints: RasterPoints = {
    ...landscape.rasterPoints,
    async open(id, signal) {
      const known = opened.get(id) ?? landscape.rasterPoints.open(id, signal);
      opened.set(id, known);
      return await known;
    },
  };
  return {
    ...landscape,
    rasterPoints,
    /** Draws the leaves of a landscape; returns their datasets by group, for pins. */
    async draw(frame: Frame): Promise<Record<string, string>> {
      const drawn = variedLeaves(frame);
      const pins: Record<string, string> = {};
      for (const { key, group } of leaves) pins[group] = await landscape.add(drawn[key] ?? assert.fail(key));
      return pins;
    },
    /** Pixels of each output of a run, by code of the node. */
    async outputsOf(run: LandscapeRun): Promise<ReadonlyMap<string, Float64Array>> {
      const found = new Map<string, Float64Array>();
      for (const { node_code: code, outputs } of run.nodes ?? []) {
        const [output] = outputs ?? [];
        if (output !== undefined)
          found.set(code, await readPixels(runs, landscape.folder, output.dataset_id));
      }
      return found;
    },
  };
}

async function readPixels({ db, store }: Runs, folder: string, id: string): Promise<Float64Array> {
  const { object_key: key } = await db
    .selectFrom('dataset_files')
    .select('object_key')
    .where('dataset_id', '=', id)
    .where('kind', '=', 'cog')
    .executeTakeFirstOrThrow();
  const path = join(folder, `${id}.tif`);
  await writeFile(path, await buffer(await store.read(key)));
  const { default: gdal } = await import('gdal-async');
  const dataset = gdal.open(path);
  const { width, height } = variedGrid;
  const pixels = new Float64Array(width * height);
  dataset.bands.get(1).pixels.read(0, 0, width, height, pixels);
  dataset.close();
  return pixels;
}

type ToEarth = (x: number, y: number) => { readonly x: number; readonly y: number };
const waysToEarth = new Map<number, ToEarth>();

/** Middle of a pixel of the grid of a landscape, in degrees. */
export async function placeOn({ epsg, left, top, step }: Frame, column: number, row: number) {
  const [x, y] = [left + (column + 0.5) * step, top - (row + 0.5) * step];
  if (epsg === 4326) return { lon: x, lat: y };
  const toEarth = waysToEarth.get(epsg) ?? (await wayToEarth(epsg));
  waysToEarth.set(epsg, toEarth);
  const { x: lon, y: lat } = toEarth(x, y);
  return { lon, lat };
}

async function wayToEarth(epsg: number): Promise<ToEarth> {
  const { default: gdal } = await import('gdal-async');
  const earth = gdal.SpatialReference.fromProj4('+proj=longlat +datum=WGS84 +no_defs');
  const transformation = new gdal.CoordinateTransformation(gdal.SpatialReference.fromEPSG(epsg), earth);
  return (x, y) => transformation.transformPoint(x, y);
}
