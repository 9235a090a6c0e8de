import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { installDebianPackages } from '../scripts/debian-packages.ts';
import { openGdalChildren } from '../src/geo/parent/children.ts';
import { createGdalEngine } from '../src/geo/parent/gdal-engine.ts';
import { createLandscapeEngine } from '../src/landscape/compute/driver.ts';
import type { InputRecipe, InputWork } from '../src/landscape/compute/input-work.ts';
import { hold, type Row, secondsOf } from './contest.ts';

const execute = promisify(execFile);
const classes = 12;
const system = 'EPSG:32642';
/** Metres of a pixel, and the corner of the grid. */
const [pixel, left, top] = [30, 400_000, 5_700_000];

/** The size of the comparison: side of the grid in pixels, and number of rounds. */
export interface InputSize {
  readonly side: number;
  readonly rounds: number;
}

/**
 * Compares making an input of polygons, and of distances to lines, with gdal_rasterize and gdal_proximity on the same grid, in turn. Both
 * begin with a FlatGeobuf in longitude and latitude and end with compressed tiles; ours includes the child process.
 */
export async function* inputRows({ side, rounds }: InputSize): AsyncGenerator<Row> {
  installDebianPackages(['gdal-bin', 'python3-gdal']);
  const folder = await mkdtemp(join(tmpdir(), 'steppe-inputs-'));
  try {
    const children = await openGdalChildren({
      deadlineSeconds: 600,
      log: { info: () => undefined, warn: () => undefined },
    });
    const [geo, landscape] = [createGdalEngine(children), createLandscapeEngine(children)];
    const { signal } = new AbortController();
    const gridPath = join(folder, 'grid.tif');
    drawGrid(gridPath, side);
    const own = async (features: string, recipe: InputRecipe) => {
      const scratch = await mkdtemp(join(folder, 'scratch-'));
      const made = await mkdtemp(join(folder, 'made-'));
      const sources: InputWork['sources'] = [
        { role: 'grid', key: 'grid', path: gridPath },
        { role: 'features', key: 'features', path: features },
      ];
      const work = {
        recipe,
        sources,
        classes: recipe.method === 'rasterize' ? Array.from({ length: classes }, (_, i) => i + 1) : null,
        folder: made,
      };
      return await secondsOf(async () => await landscape.makeInput({ work, scratch, signal }));
    };
    const prepare = async (name: string, text: string) => {
      const path = join(folder, `${name}.geojson`);
      await writeFile(path, text);
      const scratch = join(folder, name);
      await mkdir(scratch);
      const { features } = await geo.writeFeatures({ inputPath: path, scratch, signal });
      if (features === undefined) throw new Error('a FlatGeobuf holds these features');
      return features.path;
    };
    const extent = [left, top - side * pixel, left + side * pixel, top].map(String);
    const written = ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'ZLEVEL=1', '-q'];
    const size = ['-ot', 'Byte', '-te', ...extent, '-ts', String(side), String(side)];
    /** Brings features into the plane of the grid, and burns them. */
    const burn = async (features: string, path: string, what: readonly string[]) => {
      const plane = join(folder, 'plane.fgb');
      for (const each of [plane, path]) await rm(each, { force: true });
      await execute('ogr2ogr', ['-t_srs', system, '-lco', 'SPATIAL_INDEX=NO', plane, features]);
      await execute('gdal_rasterize', [...what, ...written, ...size, plane, path]);
    };

    const soil = await prepare('soil', soilMap(side));
    const table = Array.from({ length: classes }, (_, i) => ({ value: String(i + 1), number: i + 1 }));
    const recipe = {
      method: 'rasterize',
      attribute: 'c',
      table,
      unmapped: 'refuse',
      minCoverage: 0.5,
    } as const;
    const name = `of ${(side * side).toLocaleString('en')} pixels`;
    yield await hold(
      {
        name: `attribute ${name}, by centres`,
        peer: 'ogr2ogr and gdal_rasterize',
        unit: 's',
        goal: { atMost: 1 },
        own: async () => await own(soil, { ...recipe, rule: 'centre' }),
        other: async () =>
          await secondsOf(
            async () => await burn(soil, join(folder, 'burned.tif'), ['-a', 'c', '-a_nodata', '0']),
          ),
      },
      rounds,
    );
    const roads = await prepare('roads', roadNetwork(side));
    yield await hold(
      {
        name: `distances ${name}, in the grid`,
        peer: 'ogr2ogr, gdal_rasterize and gdal_proximity',
        unit: 's',
        goal: { atMost: 1 },
        own: async () =>
          await own(roads, {
            method: 'distance',
            measure: 'grid',
            limitMetres: null,
            beyond: 'no_data',
            where: null,
          }),
        other: async () =>
          await secondsOf(async () => {
            const [burned, distances] = [join(folder, 'roads.tif'), join(folder, 'distances.tif')];
            await rm(distances, { force: true });
            await burn(roads, burned, ['-burn', '1']);
            const options = written.filter((each) => each !== '-q');
            await execute('gdal_proximity.py', [burned, distances, '-distunits', 'GEO', '-q', ...options]);
          }),
      },
      rounds,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function drawGrid(path: string, side: number): void {
  const raster = gdal.drivers
    .get('GTiff')
    .create(path, side, side, 1, 'Byte', { TILED: 'YES', SPARSE_OK: 'TRUE' });
  raster.srs = gdal.SpatialReference.fromUserInput(system);
  raster.geoTransform = [left, pixel, 0, top, 0, -pixel];
  raster.close();
}

/** The box of the grid in degrees, roughly. */
const boxOf = (side: number) => {
  const [width, height] = [(side * pixel) / 72_000, (side * pixel) / 111_200];
  return { west: 67.57, south: 51.44 - height, width, height };
};

/** Polygons that share their borders, with some twenty positions each. */
function soilMap(side: number): string {
  const { west, south, width, height } = boxOf(side);
  const count = 60;
  const place = (column: number, row: number) => {
    const wave = 0.3 * Math.sin(12.9898 * column + 78.233 * row);
    return [
      west + (width * (column + wave)) / count,
      south + (height * (row + 0.3 * Math.cos(37.719 * column + 4.581 * row))) / count,
    ];
  };
  const features = [];
  for (let column = 0; column < count; column += 1) {
    for (let row = 0; row < count; row += 1) {
      const ring = [
        ...side5((t) => place(column + t, row)),
        ...side5((t) => place(column + 1, row + t)),
        ...side5((t) => place(column + 1 - t, row + 1)),
        ...side5((t) => place(column, row + 1 - t)),
      ];
      features.push({
        type: 'Feature',
        properties: { c: 1 + ((7 * column + 3 * row) % classes) },
        geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
      });
    }
  }
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const side5 = (at: (share: number) => number[]) => [0, 0.2, 0.4, 0.6, 0.8].map(at);

/** Winding lines across the grid. */
function roadNetwork(side: number): string {
  const { west, south, width, height } = boxOf(side);
  const features = Array.from({ length: 60 }, (_, line) => ({
    type: 'Feature',
    properties: { kind: 'road' },
    geometry: {
      type: 'LineString',
      coordinates: Array.from({ length: 200 }, (_unused, step) => {
        const along = step / 199;
        const across = ((line * 0.618) % 1) + 0.03 * Math.sin(step / 5 + line);
        const [x, y] = line % 2 === 0 ? [along, across] : [across, along];
        return [west + width * x, south + height * y];
      }),
    },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}
