import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { filesOfDataset } from '../../../src/datasets/files.ts';
import { createDrawingPool } from '../../../src/maps/service/pool.ts';
import { createRasterPoints } from '../../../src/maps/service/raster-points.ts';
import { publishObject, writeDraft } from '../../../src/object-store/ledger.ts';
import { temporaryFolder } from '../for-tests.ts';
import { groupId, insertRaster } from '../geo/rasters.ts';
import type { startRuns } from './runs.ts';

/** A grid in degrees. */
export const grid = { width: 530, height: 240, left: 70, top: 50, step: 0.002 };

export interface DrawnLeaf {
  readonly width: number;
  readonly height: number;
  readonly affine: readonly [number, number, number, number, number, number];
  readonly epsg: number;
  readonly dataType?: string;
  readonly noData?: number;
  value(column: number, row: number): number;
}

const floats = { noData: -9999 } as const;
const classes = { dataType: 'Byte', noData: 0 } as const;
const onGrid = {
  width: grid.width,
  height: grid.height,
  affine: [grid.left, grid.step, 0, grid.top, 0, -grid.step],
  epsg: 4326,
} as const;
/** A few pixels that cover far more than the grid. */
const wide = { width: 8, height: 8, affine: [60, 5, 0, 70, 0, -5], epsg: 4326 } as const;
/** Pixels three times as wide as those of the grid; the raster ends before the right edge of the grid. */
const coarse = { width: 150, height: 200, affine: [70, 0.006, 0, 50, 0, -0.006], epsg: 4326 } as const;
const metresPerDegree = (Math.PI / 180) * 6_378_137;
/** A raster in Web Mercator, over the whole grid and beyond. */
const mercator = {
  width: 900,
  height: 1200,
  affine: [69.9 * metresPerDegree, 180, 0, mercatorY(50.05), 0, -180],
  epsg: 3857,
} as const;

function mercatorY(latitude: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 6_378_137;
}

const isIn = (x: number, y: number, [left, top, right, bottom]: readonly [number, number, number, number]) =>
  x >= left && x < right && y >= top && y < bottom;

/** Leaves with gaps of all kinds; leaves that are not named have a value everywhere. */
export const drawnLeaves: Readonly<Record<string, DrawnLeaf>> = {
  dem: { ...onGrid, ...floats, value: (x, y) => (isIn(x, y, [10, 140, 60, 160]) ? -9999 : 180) },
  'land-cover': {
    ...onGrid,
    ...classes,
    value: (x, y) =>
      y < 50 ? 80 : isIn(x, y, [300, 140, 340, 150]) ? 77 : isIn(x, y, [340, 140, 350, 150]) ? 0 : 30,
  },
  'protected-areas': { ...onGrid, ...classes, value: (x, y) => (isIn(x, y, [0, 0, 90, 200]) ? 1 : 0) },
  precipitation: {
    ...coarse,
    ...floats,
    value: (x, y) => (isIn(x, y, [50, 60, 60, 70]) || isIn(x, y, [71, 61, 72, 62]) ? -9999 : 360),
  },
  pet: { ...wide, value: () => 820 },
  'temperature-sum': { ...wide, value: () => 2250 },
  'snow-depth': { ...wide, value: () => 26 },
  'soil-texture': {
    ...mercator,
    ...classes,
    value: (x, y) => (isIn(x, y, [400, 400, 501, 470]) ? 0 : 4),
  },
  'soil-organic-carbon': { ...wide, value: () => 30 },
  'soil-salinity': { ...onGrid, value: (x, y) => (isIn(x, y, [0, 40, 200, 150]) && y % 7 === 0 ? 500 : 0.5) },
  ndvi: {
    ...onGrid,
    ...floats,
    value: (x, y) => (isIn(x, y, [20, 145, 120, 155]) || (x * 31 + y * 17) % 997 === 0 ? -9999 : 0.4),
  },
  'distance-water': { ...wide, value: () => 4000 },
  'distance-road': {
    ...onGrid,
    ...floats,
    value: (x, y) => (isIn(x, y, [440, 215, 530, 240]) ? -9999 : 900),
  },
};

/** Gaps in a suitability for tourism that replaces the computed one. */
export const drawnTourism: DrawnLeaf = {
  ...onGrid,
  ...classes,
  value: (x, y) => (isIn(x, y, [400, 90, 450, 120]) ? 0 : 3),
};

/** Pixels of the grid in which a leaf has no value, row by row, found by independent arithmetic. */
export function missingPixels(leaf: DrawnLeaf, band: 'float' | 'class' | 'void'): Uint8Array {
  return Uint8Array.from({ length: grid.width * grid.height }, (_, i) =>
    band !== 'void' && isMissing(leaf, i % grid.width, Math.floor(i / grid.width), band) ? 1 : 0,
  );
}

function isMissing(leaf: DrawnLeaf, column: number, row: number, band: 'float' | 'class'): boolean {
  const [left, resX, , top, , resY] = leaf.affine;
  const lon = grid.left + (column + 0.5) * grid.step;
  const lat = grid.top - (row + 0.5) * grid.step;
  const [x, y] = leaf.epsg === 3857 ? [lon * metresPerDegree, mercatorY(lat)] : [lon, lat];
  const u = (x - left) / resX;
  const v = (y - top) / resY;
  if (!(u >= 0 && v >= 0 && u < leaf.width && v < leaf.height)) return true;
  const isValid = (i: number, j: number): boolean => {
    const value = leaf.value(
      Math.max(0, Math.min(leaf.width - 1, i)),
      Math.max(0, Math.min(leaf.height - 1, j)),
    );
    return value !== leaf.noData && value !== 77 && value !== 500;
  };
  const isOnGrid = leaf.affine[1] === grid.step && leaf.affine[0] === grid.left;
  if (band === 'class' || isOnGrid) {
    const near = (place: number) => (isOnGrid ? Math.round(place - 0.5) : Math.floor(place));
    return !isValid(near(u), near(v));
  }
  const [i, j] = [Math.floor(u - 0.5), Math.floor(v - 0.5)];
  const [a, b] = [u - 0.5 - i, v - 0.5 - j];
  const weights = [
    [isValid(i, j), (1 - a) * (1 - b)],
    [isValid(i + 1, j), a * (1 - b)],
    [isValid(i, j + 1), (1 - a) * b],
    [isValid(i + 1, j + 1), a * b],
  ] as const;
  return weights.reduce((sum, [valid, weight]) => (valid ? sum + weight : sum), 0) < 0.5;
}

/** Area in hectares of a pixel in a row of the grid, integrated over the radii of curvature of the ellipsoid. */
export function hectaresOfRow(row: number): number {
  const [a, squared] = [6_378_137, 0.00669437999014];
  const north = grid.top - row * grid.step;
  const at = (latitude: number) => {
    const [sine, cosine] = [Math.sin((latitude * Math.PI) / 180), Math.cos((latitude * Math.PI) / 180)];
    return (a ** 2 * (1 - squared) * cosine) / (1 - squared * sine ** 2) ** 2;
  };
  const mean = (at(north) + 4 * at(north - grid.step / 2) + at(north - grid.step)) / 6;
  return (mean * ((grid.step * Math.PI) / 180) ** 2) / 10_000;
}

type Runs = Awaited<ReturnType<typeof startRuns>>;

/** Converts and stores drawn rasters like uploads, and reads pixels of stored rasters. */
export async function openGapLandscape({ db, store, engines }: Runs) {
  const { writeRaster } = await import('../geo/geotiffs.ts');
  const folder = await temporaryFolder();
  const { signal } = new AbortController();
  const put = async (path: string) => {
    const key = `test/${randomUUID()}`;
    await using draft = await writeDraft(db, store, key, createReadStream(path));
    await db.transaction().execute(async (trx) => await publishObject(trx, draft.key));
    return key;
  };
  const pool = createDrawingPool({ objectStore: store, threads: 1, log: pino({ level: 'silent' }) });
  const datasets = {
    read: async (id: string) =>
      await db
        .selectFrom('datasets')
        .selectAll()
        .select(filesOfDataset)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
        .then((row) => ({ ...row, view_state: 'made' as const, sld_key: null, group_code: null })),
    waitForJob: () => {
      throw new Error('no view is being made');
    },
  };
  const files = new Map<string, string>();
  return {
    folder,
    /** Files of the leaves by key, as drawn. */
    files,
    rasterPoints: createRasterPoints({ pool, datasets }),
    /**
     * Adds a raster.
     * @param group code of its group, if any
     */
    async add(leaf: DrawnLeaf, group?: string, key?: string): Promise<string> {
      const inputPath = join(folder, `${randomUUID()}.tif`);
      if (key !== undefined) files.set(key, inputPath);
      writeRaster(inputPath, leaf);
      const scratch = await mkdtemp(join(folder, 'scratch-'));
      const { cogPath, meshPath = '' } = await engines.geo.convertRaster({ inputPath, scratch, signal });
      const dg_id = group === undefined ? null : await groupId(db, group);
      const id = await insertRaster(db, { dg_id }, await put(cogPath));
      const file = { dataset_id: id, kind: 'view_mesh', encoding: 'identity' } as const;
      await db
        .insertInto('dataset_files')
        .values({ ...file, object_key: await put(meshPath) })
        .execute();
      return id;
    },
    close: async () => await pool.close(),
  };
}
