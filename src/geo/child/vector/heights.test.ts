import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { featuresParquet } from '../../../tables/export/features-parquet.ts';
import { packageColumns } from '../../../tables/export/geopackage/columns.ts';
import { makeFeaturePackage } from '../../../tables/export/geopackage/feature-package.ts';
import { crsAddresses, positionTextIn } from '../../../ogc/features/crs.ts';
import { openVectorSource } from '../../../ogc/features/vector-source.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { allFeatures, readerOf } from '../../../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { hostileZip } from '../../../../test/support/hostile/hostile-zip.ts';
import { projectRoot } from '../../../../test/support/project.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const { default: gdal } = await import('gdal-async');
const { signal } = new AbortController();

const ring = (west: number, ...heights: readonly number[]) =>
  [
    [west, 48],
    [west + 1, 48],
    [west + 1, 49],
    [west, 48],
  ].map(([x = 0, y = 0], index) => [x, y, ...heights.slice(index, index + 1)]);
/** Clockwise, as RFC 7946 requires. */
const hole = [
  [60.6, 48.2, 7],
  [60.8, 48.4, 8],
  [60.8, 48.2, 9],
  [60.6, 48.2, 7],
];
const geometries = [
  { type: 'Point', coordinates: [51.5, 42, 105.5] },
  {
    type: 'MultiPoint',
    coordinates: [
      [51.5, 42, -28],
      [52, 43, 0],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [51.5, 42, 1],
      [52, 43, 2.25],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [51, 42, 1],
        [52, 43, 2],
      ],
      [
        [53, 44, 3],
        [54, 45, 4],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [ring(60, 1, 2, 3, 4), hole] },
  { type: 'MultiPolygon', coordinates: [[ring(62, 5, 6, 7, 8)], [ring(64, 9, 10, 11, 12)]] },
  {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [70, 50, 3] },
      {
        type: 'LineString',
        coordinates: [
          [71, 50, 4],
          [72, 51, 5],
        ],
      },
    ],
  },
];

async function fileOf(name: string, all: readonly object[]): Promise<string> {
  const path = join(engine.folder, `${name}.geojson`);
  const features = all.map((geometry, n) => ({ type: 'Feature', properties: { n }, geometry }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

async function written(path: string) {
  const { features, findings } = await engine.run((geo, task) => geo.writeFeatures(task), path);
  return { path: features?.path ?? assert.fail(), warnings: findings.warnings };
}

/** Prints the geometries of files. */
const reading = `const gdal = require('gdal-async');
const read = (path) => {
  const found = [];
  gdal.open(path).layers.get(0).features.forEach((feature) => {
    found[Number(feature.fields.get('n'))] = feature.getGeometry().toObject();
  });
  return found;
};
console.log(JSON.stringify(process.argv.slice(1).map(read)));`;

/** Returns geometries of each file by the number of their feature, as GDAL reads them. */
async function asGdalReads(...paths: readonly string[]): Promise<unknown[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', reading, ...paths], {
    cwd: projectRoot,
    // Without the settings of the engine, which exclude drivers.
    env: {},
  });
  return JSON.parse(stdout);
}

test('heights of each kind of geometry are kept in every interface', async () => {
  const { path, warnings } = await written(await fileOf('kinds', geometries));
  assert.deepEqual(warnings, []);
  const read = (await allFeatures(path)).toSorted(
    (a, b) => Number(a.properties['n']) - Number(b.properties['n']),
  );
  assert.deepEqual(
    read.map(({ geometry }) => geometry),
    geometries,
  );

  const { files, open } = readerOf(await readFile(path));
  const file = await open();
  const source = await openVectorSource(files, 'file.fgb');
  const asked = {
    interval: undefined,
    boxes: undefined,
    filter: undefined,
    limit: 10,
    offset: 0,
    token: '0',
    hasGeometry: true,
    properties: undefined,
  } as const;
  const items = async (crs: (typeof crsAddresses)[number]) => {
    const { features } = await source.page({ ...asked, positionText: positionTextIn(crs) });
    return features.map((text) => JSON.parse(text)).toSorted((a, b) => a.properties.n - b.properties.n);
  };
  const [degrees, metres] = crsAddresses;
  assert.deepEqual(
    (await items(degrees)).map(({ geometry }) => geometry),
    geometries,
  );
  assert.equal((await items(metres))[0].geometry.coordinates[2], 105.5);

  using made = await makeFeaturePackage(
    { files, file, columns: packageColumns(file.columns) },
    { name: 'h', description: null, changedAt: new Date(0), style: { qml: '<qgis/>', sld: null } },
    { folder: join(engine.folder, 'packages'), signal },
  );
  const bytes = Buffer.alloc(made.sizeBytes);
  await made.read(bytes, 0);
  const packaged = join(engine.folder, 'heights-out.gpkg');
  await writeFile(packaged, bytes);
  assert.deepEqual(await asGdalReads(path, packaged), [geometries, geometries]);

  const pieces = await Array.fromAsync(featuresParquet(files, file, signal));
  const parquet = new Uint8Array(Buffer.concat(pieces)).buffer;
  const facts = parquetMetadata(parquet).key_value_metadata?.find(({ key }) => key === 'geo');
  const { geometry } = JSON.parse(facts?.value ?? '').columns;
  assert.deepEqual(geometry.bbox, [51, 42, -28, 72, 51, 105.5]);
  assert.deepEqual(geometry.geometry_types, geometries.map(({ type }) => `${type} Z`).toSorted());
  const rows = await parquetReadObjects({ file: parquet, geoparquet: false, utf8: false });
  const inParquet = rows.map(
    ({ n, geometry: wkb }) => [Number(n), gdal.Geometry.fromWKB(Buffer.from(wkb)).toObject()] as const,
  );
  assert.deepEqual(
    inParquet.toSorted(([a], [b]) => a - b).map(([, found]) => found),
    geometries,
  );
});

test('heights of a GeoPackage and of a shapefile are read, in other coordinates too', async () => {
  const lines = geometries.slice(2, 3);
  const path = await fileOf('sources', lines);
  for (const [driver, ending] of [
    ['GPKG', 'gpkg'],
    ['ESRI Shapefile', 'shp'],
  ] as const) {
    const made = join(engine.folder, `sources.${ending}`);
    const options = ['-f', driver, '-dim', 'XYZ', '-t_srs', 'EPSG:32642', '-nlt', 'LINESTRINGZ'];
    gdal.vectorTranslate(made, gdal.open(path), options).close();
    const uploaded = ending === 'shp' ? join(engine.folder, 'sources.zip') : made;
    if (ending === 'shp') {
      const parts = ['shp', 'shx', 'dbf', 'prj'].map(async (part) => ({
        name: `heights.${part}`,
        bytes: await readFile(join(engine.folder, `sources.${part}`)),
      }));
      await writeFile(uploaded, hostileZip(await Promise.all(parts)));
    }
    const { path: file, warnings } = await written(uploaded);
    assert.deepEqual(warnings, [], driver);
    const [feature] = await allFeatures(file);
    const { coordinates } = Object(feature?.geometry);
    assert.deepEqual(
      coordinates.map(([, , height]: number[]) => height),
      [1, 2.25],
      driver,
    );
  }
});

test('what lacks heights that others have gets 0, with a warning; files without heights stay in the plane', async () => {
  const flat = { type: 'Point', coordinates: [50, 40] };
  const half = {
    type: 'LineString',
    coordinates: [
      [50, 40],
      [51, 41, 9],
    ],
  };
  const areas = { type: 'MultiPolygon', coordinates: [[ring(60)], [ring(62)]] };
  const { path, warnings } = await written(await fileOf('some', [flat, half, areas, geometries[0] ?? flat]));
  assert.deepEqual(
    warnings.map(({ code, sentence }) => [code, sentence?.facts]),
    [['heights_filled', [3, 1]]],
  );
  const plain = await written(await fileOf('plain', [flat, areas]));
  const [mixed = [], inPlane] = await asGdalReads(path, plain.path);
  const found = mixed.map((each) => Object(each).coordinates);
  assert.deepEqual(found.slice(0, 2), [
    [50, 40, 0],
    [
      [50, 40, 0],
      [51, 41, 9],
    ],
  ]);
  assert.deepEqual(found[2], [[ring(60, 0, 0, 0, 0)], [ring(62, 0, 0, 0, 0)]]);
  assert.deepEqual([plain.warnings, inPlane], [[], [flat, areas]]);
});

test('heights of what is cut at 180° are left out, with a warning', async () => {
  const cut = {
    type: 'LineString',
    coordinates: [
      [170, 10, 5],
      [190, 10, 6],
    ],
  };
  const { path, warnings } = await written(
    await fileOf('cut', [cut, { type: 'Point', coordinates: [50, 40] }]),
  );
  assert.deepEqual(
    warnings.map(({ code, sentence }) => [code, sentence?.facts]),
    [['heights_left_out', [1, 1]]],
  );
  assert.deepEqual(Object((await allFeatures(path))[0]?.geometry).coordinates, [
    [
      [170, 10],
      [180, 10],
    ],
    [
      [-180, 10],
      [-170, 10],
    ],
  ]);
});
