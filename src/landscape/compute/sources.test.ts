import assert from 'node:assert/strict';
import { copyFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createGdalRasterReader } from '../../geo/child/raster/raster-reader.ts';
import { type RasterCrs, UnreadableRaster } from '../../geo/raster-reader.ts';
import { createTileEncoder } from '../../geo/child/raster/part-file.ts';
import { computeBatch } from './compute-batch.ts';
import { inspectSources } from './sources.ts';
import { leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { readPart } from '../../../test/support/landscape/landscape-engine.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';

const reader = createGdalRasterReader();
const affine = [500_000, 30, 0, 5_550_000, 0, -30] as const;

const folder = await temporaryFolder();

async function open(name: string) {
  return await reader.open(fixture(`raster/${name}.tif`));
}

/** Reads the first pixels of a fixture and whether they have a value. */
async function begin(name: string, width: number, height = 1) {
  using raster = await open(name);
  const { values, mask } = await raster.read({ x: 0, y: 0, width, height });
  return {
    values: [...values],
    mask: mask === undefined ? undefined : [...mask].map((value) => value !== 0),
  };
}

/** Writes a raster of these values and reads it back. */
async function written(values: readonly number[], raster: Partial<Parameters<typeof writeRaster>[1]>) {
  const path = join(folder, 'written.tif');
  const size = { width: values.length, height: 1, epsg: 32642, affine };
  writeRaster(path, { ...size, value: (column) => values[column] ?? 0, ...raster });
  using source = await reader.open(path);
  const { values: read, mask } = await source.read({ x: 0, y: 0, width: values.length, height: 1 });
  return [...read].map((value, index) => (mask?.[index] === 0 ? 'none' : value));
}

async function countOfNone(name: string): Promise<number> {
  using raster = await open(name);
  const { width, height } = raster.facts;
  const { mask } = await raster.read({ x: 0, y: 0, width, height });
  assert.ok(mask !== undefined, name);
  return mask.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
}

describe('Pixels of a raster', () => {
  test('of every real type are read as numbers', async () => {
    const cases = {
      Byte: [0, 255],
      UInt16: [0, 65_535],
      Int16: [-32_768, 32_767],
      UInt32: [0, 4_294_967_295],
      Int32: [-2_147_483_648, 2_147_483_647],
      Float32: [-1.5, 3e38],
      Float64: [-1e300, 1 / 3],
      Int64: [-1e15, 1e15],
      UInt64: [0, 1e15],
    };
    for (const [dataType, values] of Object.entries(cases)) {
      const expected = dataType === 'Float32' ? values.map(Math.fround) : values;
      assert.deepEqual(await written(values, { dataType }), expected, dataType);
    }
  });

  test('of signed bytes are read with their sign', async () => {
    assert.deepEqual((await begin('gdal_int8', 6)).values, [107, 123, -124, 115, -124, -124]);
    const options = { PIXELTYPE: 'SIGNEDBYTE' };
    const raster = { dataType: 'Byte', options, noData: -128 };
    assert.deepEqual(await written([128, 127, 255, 0], raster), ['none', 127, -1, 0]);
  });

  test('of complex numbers are refused', async () => {
    await assert.rejects(open('gdal_cfloat32'), UnreadableRaster);
  });

  test('are read from either byte order, strips and tiles, and any compression', async () => {
    assert.deepEqual((await begin('big_endian_rgbi16', 3)).values, [2, 2, 2]);
    assert.deepEqual((await begin('bigtiff_motorola', 2)).values, [255, 255]);
    assert.deepEqual((await begin('oddsize1bit', 6)).values, [0, 0, 1, 0, 1, 1]);
    const values = Array.from({ length: 100 }, (_, i) => (i * 37) % 251);
    for (const options of [
      { TILED: 'YES', BLOCKXSIZE: '16', BLOCKYSIZE: '16', COMPRESS: 'DEFLATE', PREDICTOR: '3' },
      { COMPRESS: 'LZW', BIGTIFF: 'YES' },
      { COMPRESS: 'ZSTD', ENDIANNESS: 'BIG' },
      { COMPRESS: 'LERC' },
    ]) {
      assert.deepEqual(await written(values, { options }), values, JSON.stringify(options));
    }
  });

  test('have the scale and offset of their band applied, and what is not a value is not scaled', async () => {
    const { values } = await begin('cog_scale', 3);
    assert.deepEqual(
      values.map((value) => value.toFixed(4)),
      ['1000.0500', '1000.0277', '1000.0437'],
    );
    const scaled = { dataType: 'Int16', noData: 0, scale: 0.5, offset: 10 };
    assert.deepEqual(await written([-4, 0, 4], scaled), [8, 'none', 12]);
    assert.deepEqual(await written([2, 4], { offset: 1 }), [3, 5]);
  });

  test('have no value where nodata, a mask or an alpha band says so', async () => {
    assert.deepEqual(await written([1, 0, 2], { noData: 0 }), [1, 'none', 2]);
    assert.deepEqual(await written([1, -9999, 2], { dataType: 'Float64', noData: -9999 }), [1, 'none', 2]);
    assert.deepEqual(await written([1, Number.NaN, 2], { noData: Number.NaN }), [1, 'none', 2]);
    assert.deepEqual((await begin('float_nan', 3)).mask, [true, true, false]);
    // A nodata value outside of the range of the type matches no pixel.
    assert.deepEqual(await written([0, 241], { dataType: 'Byte', noData: -9999 }), [0, 241]);
    assert.equal(await countOfNone('mask_1bit'), 300);
    assert.equal(await countOfNone('rgba_full'), 11_780);
    assert.equal(await countOfNone('RGBA.uint16'), 133_258);
    assert.equal((await begin('gdal_float64', 2)).mask, undefined);
  });

  test('that are cut off are an error of the raster', async () => {
    const path = join(folder, 'cut.tif');
    await copyFile(fixture('raster/dsm_2m.tif'), path);
    await truncate(path, 60_000);
    using raster = await reader.open(path);
    await assert.rejects(raster.read({ x: 0, y: 0, width: 283, height: 259 }), UnreadableRaster);
    await truncate(path, 100);
    await assert.rejects(reader.open(path), UnreadableRaster);
    await assert.rejects(reader.open(fixture('raster/README.md')), UnreadableRaster);
  });
});

describe('The headers of a raster', () => {
  test('say where it lies, also when it is upside down or rotated', async () => {
    using straight = await open('dsm_2m');
    assert.deepEqual(straight.facts.affine, [321_498, 2, 0, 4_298_018, 0, -2]);
    assert.deepEqual([straight.facts.width, straight.facts.height], [283, 259]);
    using upsideDown = await open('model_transformation');
    assert.deepEqual(upsideDown.facts.affine, [418_080, 10, 0, 4_423_680, 0, 10]);
    using rotated = await open('rotated');
    assert.deepEqual(
      rotated.facts.affine?.map((value) => Math.round(value * 1000) / 1000),
      [100, 17.321, 5, 200, 10, -8.66],
    );
    assert.equal(rotated.facts.crs, undefined);
    using points = await open('gcp');
    assert.deepEqual(points.facts.affine, [0, 1, 0, 0, 0, 1]);
    assert.equal(points.facts.crs?.kind, 'geographic');
    using nowhere = await open('no_georef');
    assert.deepEqual([nowhere.facts.affine, nowhere.facts.crs], [undefined, undefined]);
  });

  test('say what the coordinates measure', async () => {
    const expected = {
      4326: ['geographic', 1],
      4284: ['geographic', 1],
      4807: ['geographic', 0.9],
      3857: ['web-mercator', 1],
      3785: ['web-mercator', 1],
      900913: ['web-mercator', 1],
      3395: ['projected', 1],
      32642: ['projected', 1],
      28412: ['projected', 1],
      2229: ['projected', 0.3048],
      4978: ['other', 1],
    } as const;
    for (const [epsg, [kind, unit]] of Object.entries(expected)) {
      const crs = await crsOf(Number(epsg));
      assert.deepEqual([crs.kind, Math.round(crs.unit * 1e5) / 1e5], [kind, unit], epsg);
    }
  });

  test('leave heights out of a compound CRS', async () => {
    const crs = await crsOf(9518);
    assert.equal(crs.kind, 'geographic');
    assert.ok(reader.isSameCrs(crs, await crsOf(4326)));
    assert.ok(!reader.isSameCrs(crs, await crsOf(4284)));
  });
});

describe('A transformation', () => {
  test('moves many points as it moves each, easting or longitude first', async () => {
    const transform = reader.transformation(await crsOf(32642), await crsOf(4326));
    assert.ok(transform !== undefined);
    const xs = Float64Array.from({ length: 500 }, (_, i) => 400_000 + 777 * i);
    const ys = Float64Array.from({ length: 500 }, (_, i) => 5_000_000 + 999 * i);
    const [utm, wgs84] = [gdal.SpatialReference.fromEPSG(32642), gdal.SpatialReference.fromEPSG(4326)];
    const single = new gdal.CoordinateTransformation(utm, wgs84);
    const expected = Array.from(xs, (x, i) => single.transformPoint(x, ys[i] ?? 0));
    transform(xs, ys);
    assert.deepEqual(
      [...xs],
      expected.map(({ x }) => x),
    );
    assert.deepEqual(
      [...ys],
      expected.map(({ y }) => y),
    );
    const [middleX, middleY] = [Float64Array.of(500_000), Float64Array.of(5_550_000)];
    transform(middleX, middleY);
    assert.ok(Math.abs((middleX[0] ?? 0) - 69) < 1e-9 && Math.abs((middleY[0] ?? 0) - 50.102255) < 1e-6);
  });

  test('shifts between datums', async () => {
    const transform = reader.transformation(await crsOf(4326), await crsOf(4284));
    const [xs, ys] = [Float64Array.of(69), Float64Array.of(50)];
    transform?.(xs, ys);
    // In northern Kazakhstan, longitudes of Pulkovo 1942 are shifted by about 60 m to the east.
    assert.ok((xs[0] ?? 0) - 69 > 0.0004 && (xs[0] ?? 0) - 69 < 0.0016, `${xs[0]}`);
  });

  test('makes NaN of points without an image, and moves the others', async () => {
    const transform = reader.transformation(await crsOf(4326), await crsOf(32642));
    const [xs, ys] = [Float64Array.of(69, 159, 70), Float64Array.of(50, 0, 50)];
    transform?.(xs, ys);
    assert.ok(Math.abs((xs[0] ?? 0) - 500_000) < 1e-6);
    assert.deepEqual([xs[1], ys[1]], [Number.NaN, Number.NaN]);
    assert.ok((xs[2] ?? 0) > 571_000 && (xs[2] ?? 0) < 572_000);
  });

  test('leads nowhere from the coordinates of the centre of the earth', async () => {
    assert.equal(reader.transformation(await crsOf(4978), await crsOf(4326)), undefined);
  });
});

/** A CRS as a raster names it. */
async function crsOf(epsg: number): Promise<RasterCrs> {
  const path = join(folder, 'crs.tif');
  writeRaster(path, { width: 1, height: 1, epsg, affine, value: () => 0 });
  using raster = await reader.open(path);
  assert.ok(raster.facts.crs !== undefined, String(epsg));
  return raster.facts.crs;
}

describe('The sources of a run', () => {
  const golden = (name: string) => fixture(`landscape/golden/${name}.tif`);
  /** The golden leaves by key, some of them replaced. */
  const withFiles = (paths: Readonly<Record<string, string>> = {}) =>
    leaves.map(({ key }) => ({ key, path: paths[key] ?? golden(key) }));
  const inspect = async (paths: Readonly<Record<string, string>>) =>
    await inspectSources(reader, { sources: withFiles(paths) });

  test('are inspected all at once, and each whose headers are no good is named', async () => {
    const centreOfTheEarth = join(folder, 'geocentric.tif');
    const size = { width: 4, height: 4, affine: [0, 1, 0, 0, 0, -1] } as const;
    writeRaster(centreOfTheEarth, { ...size, epsg: 4978, value: () => 1 });
    const { faults, grid } = await inspect({
      ndvi: golden('ndvi-without-crs'),
      pet: fixture('raster/README.md'),
      'snow-depth': centreOfTheEarth,
    });
    assert.deepEqual(faults, { ndvi: 'no_crs', pet: 'unreadable', 'snow-depth': 'no_transformation' });
    assert.ok(grid !== undefined);
  });

  test('have no grid where the elevation is not fit to be a reference', async () => {
    for (const [dem, expected] of [
      [golden('dem-rotated'), { faults: {}, reference: 'not_north_up' }],
      [golden('dem-without-crs'), { faults: { dem: 'no_crs' }, reference: 'no_crs' }],
      [fixture('raster/README.md'), { faults: { dem: 'unreadable' } }],
    ] as const)
      assert.deepEqual(await inspect({ dem }), expected, dem);
    const southUp = await inspect({ dem: fixture('raster/model_transformation.tif') });
    assert.equal(southUp.reference, 'not_north_up');
  });

  test('are computed again over what an attempt before has left', async () => {
    const { grid } = await inspect({});
    assert.ok(grid !== undefined);
    const windows = [{ x: 0, y: 0, width: 4, height: 4 }];
    const params = LandscapeParams.parse({});
    const batch = { grid, params, nodes: ['05'], sources: withFiles(), windows, folder };
    const parts = { reader, createEncoder: createTileEncoder };
    await computeBatch(parts, batch);
    const [path = ''] = (await computeBatch(parts, batch)).parts[0]?.paths ?? [];
    assert.deepEqual(
      [...readPart(path, windows)].map(({ pixels }) => pixels.length),
      [16],
    );
  });
});
