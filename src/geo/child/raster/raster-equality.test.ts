import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createComparison } from '../../../../tools/compare/comparison.ts';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import { layoutOf } from '../../../../test/hostile/mutate/tiff-layout.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { descendantsOf, eventually } from '../../../../test/support/processes.ts';
import { fixture, openTestChildren } from '../../../../test/support/geo/engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';

const alreadyCogs = [
  'au-gcp.tif',
  'big_endian_rgbi16.tif',
  'c_deflate_tiled.tif',
  'cog_already.tif',
  'cog_dateline.tif',
  'cog_scale.tif',
  'dsm_2m.tif',
];

async function comparingChildren() {
  const all = await descendantsOf(process.pid);
  return all.filter(({ commandLine }) => commandLine.includes('compare/child.ts'));
}

const engine = await closeAfterTests(openRasterEngineHere());

describe('Every raster', () => {
  const compare = async (source: string, cog: string) => await compareRasters(source, cog, engine.folder);
  const converted = new Map<string, ReturnType<typeof convertNow>>();
  const convertNow = (path: string) => engine.run((geo, task) => geo.convertRaster(task), path);
  /** Converts each file once. */
  const convert = (path: string) => {
    const conversion = converted.get(path) ?? convertNow(path);
    converted.set(path, conversion);
    return conversion;
  };

  test('of the fixtures equals its COG in pixels, masks, place, colours and metadata', async () => {
    const names = (await readdir(fixture('raster'))).filter((name) => name.endsWith('.tif'));
    assert.ok(names.length >= 33);
    const passedThrough: string[] = [];
    for (const name of names.toSorted()) {
      const source = fixture(`raster/${name}`);
      const { cogPath, findings } = await convert(source);
      assert.deepEqual(await compare(source, cogPath), [], name);
      if (findings.raster?.cog?.passed_through !== true) continue;
      passedThrough.push(name);
      assert.ok((await readFile(cogPath)).equals(await readFile(source)), name);
    }
    assert.deepEqual(passedThrough, alreadyCogs);
  });

  test('that the library can compress equals its COG, whatever the compression', async () => {
    const ways = [
      'LZW',
      'PACKBITS',
      'DEFLATE',
      'LZMA',
      'ZSTD',
      'LERC',
      'LERC_DEFLATE',
      'LERC_ZSTD',
      'JPEG',
      'WEBP',
    ];
    const made = gdal.drivers.get('GTiff').getMetadata()['DMD_CREATIONOPTIONLIST'] ?? '';
    const colours = gdal.open(fixture('raster/rgba_full.tif'));
    for (const way of ways.filter((name) => made.includes(`<Value>${name}</Value>`))) {
      const source = join(engine.folder, `${way}.tif`);
      const options = [
        '-b',
        '1',
        '-b',
        '2',
        '-b',
        '3',
        '-co',
        `COMPRESS=${way}`,
        '-mo',
        'A=й',
        '-a_nodata',
        '7',
      ];
      gdal.translate(source, colours, options).close();
      const { cogPath, findings } = await convert(source);
      assert.equal(findings.raster?.cog?.passed_through, false);
      assert.deepEqual(await compare(source, cogPath), [], way);
    }
  });

  test('of complex numbers in which zero is white equals its COG', async () => {
    const path = join(engine.folder, 'white.tif');
    const bytes = await readFile(fixture('raster/gdal_cfloat32.tif'));
    const photometric = layoutOf(bytes)?.directories[0]?.fields.find(({ tag }) => tag === 262);
    bytes.writeUInt16LE(0, photometric?.valuesAt);
    await writeFile(path, bytes);
    assert.equal(gdal.open(path).bands.get(1).colorInterpretation, undefined);
    const { cogPath } = await convert(path);
    assert.deepEqual(await compare(path, cogPath), []);
  });

  test('with a difference is not taken for equal', async () => {
    const source = fixture('raster/cog_scale.tif');
    const changed = async (options: readonly string[]) => {
      const path = join(engine.folder, 'changed.tif');
      gdal.translate(path, gdal.open(source), [...options]).close();
      return (await compare(source, path)).join('; ');
    };
    assert.equal(await changed([]), '');
    assert.match(await changed(['-a_nodata', '5']), /band 1: nodata: 0 in the source, 5 in the COG/);
    assert.match(await changed(['-a_ullr', '0', '9', '9', '0']), /^geotransform/);
    assert.match(await changed(['-a_srs', 'EPSG:32652']), /^coordinate reference system/);
    assert.match(await changed(['-mo', 'A=B']), /^metadata/);
    assert.match(await changed(['-a_scale', '3']), /band 1: scale/);
    assert.match(await changed(['-b', '1']), /^bands: 2 in the source, 1 in the COG/);
    assert.match(
      await changed(['-srcwin', '1', '0', '256', '256', '-a_ullr', '3e5', '42e5', '409800', '4090200']),
      /band 1, pixel \d+, line \d+/,
    );
    assert.match(await changed(['-ot', 'Int32']), /^types/);
  });

  test('is compared in a child for a process without GDAL, which ends with its signal', async () => {
    const stop = new AbortController();
    const inChild = createComparison(await openTestChildren(), 'raster', stop.signal);
    const source = fixture('raster/cog_scale.tif');
    const broken = join(engine.folder, 'broken.tif');
    await writeFile(broken, (await readFile(source)).subarray(0, 100));
    // The checks in front of GDAL apply here as for uploads.
    await assert.rejects(inChild(source, broken), /^Error: could not be compared .+ cut short or damaged/);

    const large = join(engine.folder, 'large.tif');
    gdal.drivers.get('GTiff').create(large, 60_000, 60_000, 1, 'Byte', ['SPARSE_OK=TRUE']).close();
    const reason = new Error('Ctrl-C');
    const stopped = assert.rejects(inChild(large, large), reason);
    try {
      await eventually('a child', async () => (await comparingChildren()).length > 0);
    } finally {
      stop.abort(reason);
    }
    await stopped;
    await eventually('no child', async () => (await comparingChildren()).length === 0);
  });

  test('is read alone, whatever lies beside it', async () => {
    const source = join(engine.folder, 'alone.tif');
    await copyFile(fixture('raster/no_georef.tif'), source);
    await writeFile(join(engine.folder, 'alone.tfw'), '10\n0\n0\n-10\n500000\n5600000\n');
    const aux =
      '<PAMDataset><SRS>EPSG:32642</SRS><PAMRasterBand band="1"><NoDataValue>107</NoDataValue></PAMRasterBand></PAMDataset>';
    await writeFile(`${source}.aux.xml`, aux);
    await copyFile(fixture('raster/no_georef.tif'), `${source}.msk`);
    await copyFile(fixture('raster/no_georef.tif'), `${source}.ovr`);
    const { bbox, cogPath, findings } = await convert(source);
    assert.deepEqual(bbox, [0, 0, 20, 20]);
    assert.deepEqual([findings.raster?.crs, findings.raster?.nodata], [null, null]);
    assert.deepEqual(await compare(fixture('raster/no_georef.tif'), cogPath), []);
  });

  test('says what it is, what was chosen and how long it took', async () => {
    const palette = (await convert(fixture('raster/nlcd_2011_palette.tif'))).findings;
    assert.deepEqual(palette.raster?.cog, {
      passed_through: false,
      compression: 'DEFLATE',
      predictor: 1,
      overview_resampling: 'MODE',
    });
    assert.deepEqual([palette.raster.width, palette.raster.height, palette.raster.nodata], [1073, 1359, 255]);
    assert.match(palette.raster.crs ?? '', /^PROJCS\["UTM Zone 12/);
    assert.deepEqual(Object.keys(palette.timings), ['open', 'read', 'write', 'verify']);
    assert.deepEqual(palette.warnings, []);

    const cog = (await convert(fixture('raster/dsm_2m.tif'))).findings;
    assert.deepEqual(cog.raster, {
      width: 283,
      height: 259,
      bands: 1,
      data_type: 'Float32',
      nodata: -9999,
      scale: null,
      offset: null,
      crs: 'EPSG:26918',
      proj: '+proj=utm +zone=18 +datum=NAD83 +units=m +no_defs',
      shift: {
        operation: 'EPSG:1188',
        name: 'NAD83 to WGS 84 (1)',
        accuracy_m: 4,
        better: cog.raster?.shift?.better ?? null,
      },
      extent: [321498, 4297500, 322064, 4298018],
      resolution: [2, 2],
      cog: { passed_through: true, compression: 'DEFLATE', predictor: null, overview_resampling: 'NEAREST' },
    });
    const int8 = (await convert(fixture('raster/model_transformation.tif'))).findings.raster;
    assert.deepEqual([int8?.data_type, int8?.bands, int8?.nodata], ['Int8', 64, -128]);
    assert.equal((await convert(fixture('raster/float_nan.tif'))).findings.raster?.nodata, 'nan');
    const wide = join(engine.folder, 'int64.tif');
    const least = '-9223372036854775808';
    gdal
      .translate(wide, gdal.open(fixture('raster/gdal_int16.tif')), ['-ot', 'Int64', '-a_nodata', least])
      .close();
    assert.equal((await convert(wide)).findings.raster?.nodata, least);
  });

  test('reports what the file calls its bands and the units of their values', async () => {
    const source = fixture('raster/gdal_int16.tif');
    const band = (number: number, words: string) =>
      `<VRTRasterBand dataType="Int16" band="${number}">${words}<SimpleSource><SourceFilename>${source}</SourceFilename></SimpleSource></VRTRasterBand>`;
    const { x, y } = gdal.open(source).rasterSize;
    const named = band(1, '<Description>влажность</Description><UnitType>%</UnitType>');
    const virtual = join(engine.folder, 'named.vrt');
    await writeFile(
      virtual,
      `<VRTDataset rasterXSize="${x}" rasterYSize="${y}">${named}${band(2, '')}</VRTDataset>`,
    );
    const path = join(engine.folder, 'named.tif');
    gdal.translate(path, gdal.open(virtual), ['-of', 'GTiff']).close();
    const { raster } = (await convert(path)).findings;
    assert.deepEqual(
      [raster?.band_names, raster?.band_units],
      [
        ['влажность', null],
        ['%', null],
      ],
    );
  });

  test('without a full place on the earth warns, and so does one of several images', async () => {
    const codes = async (name: string) => {
      const { findings } = await convert(fixture(`raster/${name}.tif`));
      return findings.warnings.map(({ code }) => code);
    };
    assert.deepEqual(await codes('no_georef'), ['no_georeference']);
    assert.deepEqual(await codes('rotated'), ['no_georeference']);
    assert.deepEqual(await codes('subdatasets'), ['no_georeference', 'layers_left_out']);
    assert.deepEqual(await codes('gcp'), []);
    const bent = join(engine.folder, 'bent.tif');
    const points = ['0 0 69 50', '64 0 69.07 50', '0 64 69 49.95', '64 64 69.09 49.95'];
    gdal
      .translate(bent, gdal.open(fixture('raster/gdal_int16.tif')), [
        '-a_srs',
        'EPSG:4326',
        ...points.flatMap((point) => ['-gcp', ...point.split(' ')]),
      ])
      .close();
    const fitted = (await convert(bent)).findings.warnings;
    assert.deepEqual(
      fitted.map(({ code }) => code),
      ['georeference_fitted'],
    );
    assert.match(fitted[0]?.message ?? '', / misses a control point by up to 5 pixels\. /);
    const moon = join(engine.folder, 'moon.tif');
    const wkt =
      'GEOGCS["Moon",DATUM["Moon",SPHEROID["Moon",1737400,0]],PRIMEM["0",0],UNIT["degree",0.0174532925199433]]';
    gdal
      .translate(moon, gdal.open(fixture('raster/gdal_int16.tif')), [
        '-a_srs',
        wkt,
        '-a_ullr',
        '1',
        '2',
        '3',
        '0',
      ])
      .close();
    const { bbox, place, findings } = await convert(moon);
    assert.deepEqual([findings.warnings.map(({ code }) => code), bbox], [['no_georeference'], [1, 0, 3, 2]]);
    // A dataset of such a raster has no bbox: its degrees would be read as those of the earth.
    assert.equal(place, 'elsewhere');
    assert.match(
      findings.warnings[0]?.message ?? '',
      /^The coordinate reference system of the raster \(Moon\)/,
    );
    assert.equal((await convert(fixture('raster/no_georef.tif'))).place, 'unknown');
    assert.equal((await convert(fixture('raster/gdal_int16.tif'))).place, 'earth');
  });
});
