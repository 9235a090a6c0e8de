import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import type { GeoEngine } from '../src/geo/engine.ts';
import { openGdalChildren } from '../src/geo/parent/children.ts';
import { createGdalEngine } from '../src/geo/parent/gdal-engine.ts';
import { createLandscapeEngine } from '../src/landscape/compute/driver.ts';
import type { InputRecipe, InputWork } from '../src/landscape/compute/input-work.ts';
import { type Row, secondsOf } from './contest.ts';
import { cogArguments, pythonWithRasterio } from './peers.ts';
import { processorSecondsOfChildren } from './processor-time.ts';

const execute = promisify(execFile);
const classCount = 12;
const system = 'EPSG:32642';
/** Metres of a pixel, and the corner of the grid. */
const [pixel, left, top] = [30, 400_000, 5_700_000];

/** The size of the comparison: side of the grid in pixels, and number of rounds. */
export interface InputSize {
  readonly side: number;
  readonly rounds: number;
}

/** An input, and the commands of another program that end with the same pixels. */
interface Making {
  readonly name: string;
  readonly peer: string;
  readonly recipe: InputRecipe;
  readonly sources: InputWork['sources'];
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
}

type Figures = Readonly<Record<'own' | 'others', number[]>>;

/**
 * Compares making each kind of input with programs of GDAL and with exactextract, in turn. Both sides begin with stored files, a FlatGeobuf
 * in longitude and latitude or rasters, and end with a COG with overviews in DEFLATE of level 1 and tiles of 512 pixels; ours includes
 * the child process.
 */
export async function* inputRows(size: InputSize): AsyncGenerator<Row> {
  yield* rowsOf(size, () => true);
}

/** Compares the two methods whose peers need no Python with packages, by processor time. */
export async function* inputGuardRows(size: InputSize): AsyncGenerator<Row> {
  for await (const row of rowsOf(
    size,
    ({ recipe }) => recipe.method === 'rasterize' && recipe.rule === 'centre',
  ))
    if (row.unit !== 's') yield row;
}

async function* rowsOf(
  { side, rounds }: InputSize,
  isWanted: (making: Making) => boolean,
): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-inputs-'));
  try {
    const children = await openGdalChildren({
      deadlineSeconds: 600,
      log: { info: () => undefined, warn: () => undefined },
    });
    const landscape = createLandscapeEngine(children);
    const { signal } = new AbortController();
    const own = async ({ recipe, sources }: Making): Promise<void> => {
      const scratch = await mkdtemp(join(folder, 'scratch-'));
      const made = await mkdtemp(join(folder, 'made-'));
      const classes = isOfClasses(recipe) ? Array.from({ length: classCount }, (_, i) => i + 1) : null;
      const work = { recipe, sources, classes, folder: made };
      await landscape.makeInput({ work, scratch, signal });
      for (const each of [scratch, made]) await rm(each, { recursive: true });
    };
    const other = async ({ commands }: Making): Promise<void> => {
      for (const [program, ...args] of commands) await execute(program, args);
      await rm(join(folder, 'peer'), { recursive: true });
      await mkdir(join(folder, 'peer'));
    };
    await mkdir(join(folder, 'peer'));
    const makings = await prepare(folder, side, createGdalEngine(children));
    const wanted = makings.filter(isWanted);
    // The first child process finds no compiled modules.
    for (const making of wanted.slice(0, 1)) await own(making);
    for (const making of wanted) {
      const { name, peer } = making;
      const of = `${name} of ${(side * side).toLocaleString('en')} pixels`;
      const seconds: Figures = { own: [], others: [] };
      const processor: Figures = { own: [], others: [] };
      for (let round = 0; round < rounds; round += 1)
        for (const [key, work] of [
          ['own', own],
          ['others', other],
        ] as const) {
          const used = await processorSecondsOfChildren(async () => {
            seconds[key].push(await secondsOf(async () => await work(making)));
          });
          processor[key].push(used);
        }
      const goal = { atMost: 1 };
      yield { name: of, peer, unit: 's', goal, ...seconds };
      yield { name: of, peer, unit: 's of processor', goal, ...processor };
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isOfClasses = (recipe: InputRecipe): boolean => recipe.method === 'rasterize' && recipe.rule !== 'mean';

/** Draws the sources of all inputs, and lists the commands of the others. */
async function prepare(folder: string, side: number, geo: GeoEngine): Promise<readonly Making[]> {
  const gridPath = join(folder, 'grid.tif');
  drawGrid(gridPath, side);
  const features = async (name: string, text: string) => {
    const path = join(folder, `${name}.geojson`);
    await writeFile(path, text);
    const scratch = join(folder, name);
    await mkdir(scratch);
    const { signal } = new AbortController();
    const { features: written } = await geo.writeFeatures({ inputPath: path, scratch, signal });
    if (written === undefined) throw new Error('a FlatGeobuf holds these features');
    return written.path;
  };
  const [soil, roads] = [await features('soil', soilMap(side)), await features('roads', roadNetwork(side))];
  const months = [0, 1, 2, 3].map((month) => join(folder, `month-${month}.tif`));
  for (const [month, path] of months.entries()) await drawSurface(path, { x: 0, y: 0, side }, month);
  const half = side / 2 + 64;
  const corners = [0, side - half].flatMap((y) => [0, side - half].map((x) => ({ x, y, side: half })));
  const parts = corners.map((_, index) => join(folder, `part-${index}.tif`));
  for (const [index, corner] of corners.entries()) await drawSurface(parts[index] ?? '', corner, index / 100);

  const peerFile = (name: string) => join(folder, 'peer', name);
  const [drawn, cog] = [peerFile('drawn.tif'), peerFile('cog.tif')];
  const toCog = (isFloat: boolean) => ['gdal_translate', '-q', ...cogArguments(isFloat), drawn, cog] as const;
  const plane = (path: string, kind: 'fgb' | 'geojson') => {
    const options = kind === 'fgb' ? ['-lco', 'SPATIAL_INDEX=NO'] : ['-f', 'GeoJSON'];
    return ['ogr2ogr', '-t_srs', system, ...options, peerFile(`plane.${kind}`), path] as const;
  };
  const extent = [left, top - side * pixel, left + side * pixel, top].map(String);
  const size = ['-ot', 'Byte', '-te', ...extent, '-ts', String(side), String(side)];
  const burn = (what: readonly string[], out: string) =>
    ['gdal_rasterize', '-q', ...what, ...size, peerFile('plane.fgb'), out] as const;
  const shares = (rule: string) =>
    [
      pythonWithRasterio,
      join(import.meta.dirname, 'input-peers/shares.py'),
      rule,
      gridPath,
      peerFile('plane.geojson'),
      String(classCount),
      drawn,
    ] as const;

  const ofFeatures = (path: string): InputWork['sources'] => [
    { role: 'grid', key: 'grid', path: gridPath },
    { role: 'features', key: 'features', path },
  ];
  const ofRasters = (paths: readonly string[]): InputWork['sources'] =>
    paths.map((path, index) => ({ role: 'raster', key: String(index), path }));
  const table = Array.from({ length: classCount }, (_, i) => ({ value: String(i + 1), number: i + 1 }));
  const attribute = {
    method: 'rasterize',
    attribute: 'c',
    table,
    unmapped: 'refuse',
    minCoverage: 0.5,
  } as const;
  const distance = { method: 'distance', limitMetres: null, beyond: 'no_data', where: null } as const;
  const proximity: Making['commands'] = [
    plane(roads, 'fgb'),
    burn(['-burn', '1'], peerFile('roads.tif')),
    ['gdal_proximity.py', peerFile('roads.tif'), drawn, '-distunits', 'GEO', '-q'],
    toCog(true),
  ];
  return [
    {
      name: 'attribute by centres',
      peer: 'gdal_rasterize',
      recipe: { ...attribute, rule: 'centre' },
      sources: ofFeatures(soil),
      commands: [plane(soil, 'fgb'), burn(['-a', 'c', '-a_nodata', '0'], drawn), toCog(false)],
    },
    ...(['majority', 'mean'] as const).map((rule) => ({
      name: `attribute by ${rule}`,
      peer: 'exactextract',
      recipe: { ...attribute, rule },
      sources: ofFeatures(soil),
      commands: [plane(soil, 'geojson'), shares(rule), toCog(rule === 'mean')],
    })),
    {
      name: 'distances in the grid',
      peer: 'gdal_proximity',
      recipe: { ...distance, measure: 'grid' },
      sources: ofFeatures(roads),
      commands: proximity,
    },
    {
      name: 'geodesic distances',
      peer: 'gdal_proximity, in the grid',
      recipe: { ...distance, measure: 'geodesic' },
      sources: ofFeatures(roads),
      commands: proximity,
    },
    {
      name: 'mosaic of four rasters',
      peer: 'gdalwarp',
      recipe: { method: 'mosaic', rule: 'first' },
      sources: ofRasters(parts),
      commands: [['gdalwarp', '-q', ...cogArguments(true), '-multi', ...parts.toReversed(), cog]],
    },
    {
      name: 'mean of four rasters',
      peer: 'gdal_calc',
      recipe: {
        method: 'arithmetic',
        combine: 'mean',
        scale: 1,
        offset: -273.15,
        above: null,
        weights: [1, 1, 1, 1],
      },
      sources: ofRasters(months),
      commands: [
        [
          'gdal_calc.py',
          '--quiet',
          '--calc=(A.astype(float)+B+C+D)/4-273.15',
          '--type=Float32',
          `--outfile=${drawn}`,
          ...months.flatMap((path, index) => [`-${'ABCD'[index]}`, path]),
        ],
        toCog(true),
      ],
    },
  ];
}

/** Draws a part of a surface with some noise. */
async function drawSurface(
  path: string,
  { x, y, side }: { readonly x: number; readonly y: number; readonly side: number },
  more: number,
): Promise<void> {
  const options = {
    TILED: 'YES',
    BLOCKXSIZE: '512',
    BLOCKYSIZE: '512',
    COMPRESS: 'DEFLATE',
    ZLEVEL: '1',
    PREDICTOR: '3',
  };
  const raster = gdal.drivers.get('GTiff').create(path, side, side, 1, 'Float32', options);
  raster.srs = gdal.SpatialReference.fromUserInput(system);
  raster.geoTransform = [left + x * pixel, pixel, 0, top - y * pixel, 0, -pixel];
  const band = raster.bands.get(1);
  band.noDataValue = -9999;
  for (let row = 0; row < side; row += 1) {
    const values = Float32Array.from({ length: side }, (_, column) => {
      const noise = ((((x + column) * 73_856_093) ^ ((y + row) * 19_349_663)) >>> 8) % 1000;
      return 300 + more + 100 * Math.sin((x + column) / 300) + 80 * Math.cos((y + row) / 200) + noise / 2000;
    });
    await band.pixels.writeAsync(0, row, side, 1, values);
  }
  raster.close();
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
  // Waves that are longer than a polygon: borders must not cross.
  const place = (column: number, row: number) => [
    west + (width * (column + 0.3 * Math.sin(0.9 * column + 1.7 * row))) / count,
    south + (height * (row + 0.3 * Math.cos(1.3 * column + 0.7 * row))) / count,
  ];
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
        properties: { c: 1 + ((7 * column + 3 * row) % classCount) },
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
