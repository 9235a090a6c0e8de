import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { countPixels } from './count-pixels.ts';
import { warnOfCog } from './report.ts';
import { createFindings } from '../../gather-findings.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';

const folder = await temporaryFolder();
const { convert, convertBytes } = createConversion(folder);
const side = 64;

interface Kind {
  readonly bands?: number;
  readonly dataType?: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Writes a raster of this kind, with values from 0 to 63. */
function write({ bands = 1, dataType = 'Byte', options }: Kind): string {
  const path = join(folder, 'source.tif');
  const source = gdal.drivers.get('GTiff').create(path, side, side, bands, dataType, { ...options });
  const values = Float64Array.from({ length: side * side }, (_, i) => i % side);
  source.bands.forEach((band) => band.pixels.write(0, 0, side, side, values));
  source.close();
  return path;
}

/** Codes of all warnings except the missing georeference, which all rasters here have; and the sentence of the first one. */
async function warningsOf(
  kind: Kind,
): Promise<{ readonly codes: readonly string[]; readonly sentence: string }> {
  const { findings } = await convert(write(kind));
  const warnings = findings.warnings.filter(({ code }) => code !== 'no_georeference');
  return { codes: warnings.map(({ code }) => code), sentence: warnings[0]?.message ?? '' };
}

describe('The report of a raster', () => {
  const usual: Readonly<Record<string, Kind>> = {
    'RGB and alpha': { bands: 4, options: { PHOTOMETRIC: 'RGB', ALPHA: 'YES' } },
    'one bit': { options: { NBITS: '1' } },
    'four bits': { options: { NBITS: '4' } },
    'YCbCr in JPEG': { bands: 3, options: { PHOTOMETRIC: 'YCBCR', COMPRESS: 'JPEG' } },
    'bytes whose zero is white, which become a palette': { options: { PHOTOMETRIC: 'MINISWHITE' } },
  };
  for (const [title, kind] of Object.entries(usual)) {
    test(`has no warning of ${title}`, async () => {
      assert.deepEqual((await warningsOf(kind)).codes, []);
    });
  }

  for (const [title, kind, code, sentence] of [
    [
      'CMYK',
      { bands: 4, options: { PHOTOMETRIC: 'CMYK' } },
      'colours_converted',
      /^The colours of the image are CMYK\. .* transparency, without a colour profile\. Save/,
    ],
    [
      'CMYK with a band beside it',
      { bands: 5, options: { PHOTOMETRIC: 'CMYK' } },
      'colours_converted',
      /One more band is not read/,
    ],
    [
      'CIELAB',
      { bands: 3, options: { PHOTOMETRIC: 'CIELAB' } },
      'colours_converted',
      /are CIELAB\. .* without a colour profile\. Save/,
    ],
    [
      '12 bits',
      { dataType: 'UInt16', options: { NBITS: '12' } },
      'unusual_bits',
      /^Each value takes 12 bits, in the COG too\. GDAL and QGIS read the values as UInt16/,
    ],
    [
      'half floats',
      { dataType: 'Float32', options: { NBITS: '16' } },
      'unusual_bits',
      /^Each value takes 16 bits, in the COG too\. .* as Float32/,
    ],
    [
      'floats whose zero is white',
      { dataType: 'Float32', options: { PHOTOMETRIC: 'MINISWHITE' } },
      'cog_differs',
      /^In the file zero is white\..* show zero as black/,
    ],
  ] as const) {
    test(`warns of ${title}`, async () => {
      const warnings = await warningsOf(kind);
      assert.deepEqual(warnings.codes, [code]);
      assert.match(warnings.sentence, sentence);
    });
  }

  test('names what its COG has not kept, once for all bands', () => {
    const source = gdal.open(fixture('raster/cog_scale.tif'));
    const path = join(folder, 'other.tif');
    gdal.translate(path, source, ['-a_scale', '3', '-mo', 'A=B']).close();
    const findings = createFindings();
    warnOfCog(findings, source, gdal.open(path));
    assert.deepEqual(findings.gathered().warnings, [
      {
        code: 'cog_differs',
        message:
          'The COG has every pixel of the file, but differs from it in: metadata, scale (bands 1, 2), offset (bands 1, 2).',
        sentence: {
          code: 'raster_warning.cogDiffers',
          facts: [
            [
              { fact: 'metadata', bands: [] },
              { fact: 'scale', bands: [1, 2] },
              { fact: 'offset', bands: [1, 2] },
            ],
          ],
        },
      },
    ]);
    const same = createFindings();
    warnOfCog(same, source, gdal.open(fixture('raster/cog_scale.tif')));
    assert.deepEqual(same.gathered().warnings, []);
  });
});

describe('The report of a raster whose system names a datum', () => {
  const warningsIn = async (wkt: string) => {
    const path = write({ options: {} });
    const raster = gdal.open(path, 'r+');
    raster.srs = gdal.SpatialReference.fromWKT(wkt);
    raster.geoTransform = [500_000, 30, 0, 5_650_000, 0, -30];
    raster.close();
    return (await convert(path)).findings.warnings.map(({ code }) => code);
  };
  const projected = (datum: string, rest = '') =>
    `PROJCS["local",GEOGCS["local",DATUM["${datum}",SPHEROID["Krasovsky_1940",6378245,298.3]${rest}],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",69],PARAMETER["scale_factor",1],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]`;

  test('that is unknown warns of it', async () => {
    assert.deepEqual(await warningsIn(projected('Not_specified_based_on_Krassowsky_1940')), [
      'datum_unknown',
    ]);
  });

  test('has no warning of a known one, nor of one with its shift', async () => {
    assert.deepEqual(await warningsIn(projected('Pulkovo_1942')), []);
    assert.deepEqual(await warningsIn(projected('local', ',TOWGS84[24,-123,-94,0,0,0,0]')), []);
  });
});

test('The report of a raster repeats a warning of GDAL that is unknown here', async () => {
  const path = write({ options: {} });
  const raster = gdal.open(path, 'r+');
  // Rows from south to north, stated by a negative size.
  raster.geoTransform = [500_000, 30, 0, 5_650_000, 0, -30];
  raster.close();
  const bytes = await readFile(path);
  const scale = bytes.indexOf(Buffer.from(new Float64Array([30, 30, 0]).buffer));
  assert.ok(scale > 0);
  bytes.writeDoubleLE(-30, scale + 8);
  await writeFile(path, bytes);
  const { findings } = await convert(path);
  const messages = findings.warnings.filter(({ code }) => code === 'other_warnings');
  assert.equal(messages.length, 1);
  assert.match(messages[0]?.message ?? '', /^GDAL also reports.*: File with negative value for ScaleY/);
});

describe('The report of a raster in which values or places are missing', () => {
  /** Writes a georeferenced raster, filled by `fill`. */
  const placed = (type: string, fill: (raster: gdal.Dataset) => void, width = side) => {
    const path = join(folder, 'placed.tif');
    const raster = gdal.open(path, 'w', 'GTiff', width, width, 1, type);
    raster.srs = gdal.SpatialReference.fromEPSG(32_642);
    raster.geoTransform = [500_000, 30, 0, 5_650_000, 0, -30];
    fill(raster);
    raster.close();
    return path;
  };
  const codesOf = async (path: string) => (await convert(path)).findings.warnings.map(({ code }) => code);

  test('warns that no pixel has a value, also of a COG that is kept, and not of one that has a single value', async () => {
    const empty = placed(
      'Int16',
      ({ bands }) => {
        bands.get(1).noDataValue = -9999;
        bands.get(1).fill(-9999);
      },
      600,
    );
    assert.deepEqual(await codesOf(empty), ['no_values']);
    const cog = join(folder, 'empty-cog.tif');
    gdal.drivers.get('COG').createCopy(cog, gdal.open(empty), { COMPRESS: 'DEFLATE' }).close();
    const { cogPath, findings } = await convert(cog);
    assert.deepEqual([cogPath, findings.warnings.map(({ code }) => code)], [cog, ['no_values']]);
    const one = placed('Float32', ({ bands }) => {
      bands.get(1).fill(Number.NaN);
      bands.get(1).pixels.set(50, 60, 7);
    });
    assert.deepEqual(await codesOf(one), []);
    assert.deepEqual(await codesOf(placed('Float32', ({ bands }) => bands.get(1).fill(Number.NaN))), [
      'no_values',
    ]);
  });

  test('warns of a code that the registry lacks, and of one that the parameters in the file contradict', async () => {
    const written = (srs: gdal.SpatialReference) =>
      placed('Byte', (raster) => {
        raster.bands.get(1).fill(7);
        raster.srs = srs;
      });
    const path = written(gdal.SpatialReference.fromEPSG(32_642));
    const bytes = await readFile(path);
    const key = Buffer.from(Uint16Array.of(3072, 0, 1, 32_642).buffer);
    bytes.writeUInt16LE(29_999, bytes.indexOf(key) + 6);
    await writeFile(path, bytes);
    const unknown = await convert(path);
    const warnings = unknown.findings.warnings.filter(({ code }) => code === 'crs_contradicted');
    assert.match(warnings[0]?.message ?? '', /EPSG:29999, which the registry here does not have/);
    const sphere = await convert(written(gdal.SpatialReference.fromUserInput('ESRI:53021')));
    assert.match(
      sphere.findings.warnings.find(({ code }) => code === 'crs_contradicted')?.message ?? '',
      /EPSG:4035, but its own parameters contradict it; the parameters were used/,
    );
  });

  test('warns of a scale of 0, and of pixels without an extent', async () => {
    const flat = placed('Int16', ({ bands }) => {
      bands.get(1).fill(7);
      bands.get(1).scale = 0;
    });
    assert.deepEqual(await codesOf(flat), ['scale_zero']);
    const nowhere = placed('Int16', (raster) => {
      raster.bands.get(1).fill(7);
      raster.geoTransform = [500_000, 0, 0, 5_650_000, 0, 0];
    });
    assert.deepEqual(await codesOf(nowhere), ['no_georeference']);
  });

  test('warns of complex numbers, and counts none of them as missing', async () => {
    const path = placed('CFloat32', () => undefined);
    assert.deepEqual(await codesOf(path), ['complex_values']);
    await assert.rejects(
      countPixels({ inputPath: path, scratch: folder }),
      /complex numbers, which have no order/,
    );
  });

  test('names RPCs where a raster has no other place', async () => {
    const path = join(folder, 'rpc.tif');
    const raster = gdal.open(path, 'w', 'GTiff', side, side, 1, 'Byte');
    const twenty = Array.from({ length: 20 }, (_, index) => (index === 0 ? 1 : 0)).join(' ');
    const offsets = ['LINE_OFF=32', 'SAMP_OFF=32', 'LAT_OFF=51', 'LONG_OFF=71', 'HEIGHT_OFF=300'];
    const scales = ['LINE_SCALE=32', 'SAMP_SCALE=32', 'LAT_SCALE=0.1', 'LONG_SCALE=0.1', 'HEIGHT_SCALE=500'];
    const coefficients = ['LINE_NUM', 'LINE_DEN', 'SAMP_NUM', 'SAMP_DEN'].map(
      (name) => `${name}_COEFF=${twenty}`,
    );
    raster.setMetadata([...offsets, ...scales, ...coefficients], 'RPC');
    raster.close();
    const { findings } = await convert(path);
    const sentences = findings.warnings.map(({ code, sentence }) => [code, sentence?.code]);
    assert.deepEqual(sentences[0], ['no_georeference', 'raster_warning.rpcsAlone']);
  });

  test('uses the image that has a place behind a preview that has none, and says so', async () => {
    const path = join(folder, 'preview.tif');
    const preview = gdal.open(path, 'w', 'GTiff', 16, 16, 1, 'Byte');
    preview.bands.get(1).fill(9);
    preview.close();
    const main = placed('UInt16', ({ bands }) => bands.get(1).fill(4000));
    gdal.drivers.get('GTiff').createCopy(path, gdal.open(main), { APPEND_SUBDATASET: 'YES' }).close();
    const { cogPath, findings } = await convert(path);
    const cog = gdal.open(cogPath);
    assert.deepEqual([cog.rasterSize.x, cog.bands.get(1).pixels.get(5, 5)], [side, 4000]);
    assert.deepEqual(cog.geoTransform, [500_000, 30, 0, 5_650_000, 0, -30]);
    const sentences = findings.warnings.map(({ code, sentence }) => [code, sentence?.code, sentence?.facts]);
    assert.deepEqual(sentences, [['layers_left_out', 'raster_warning.imageWithPlace', [2]]]);
  });
});

test('whole numbers of 64 bits whose nodata value no float can hold are no damage', async () => {
  for (const [type, nodata] of [
    ['Int64', '9223372036854775807'],
    ['UInt64', '18446744073709551615'],
  ] as const) {
    const path = join(folder, `${type}.tif`);
    const raster = gdal.open(path, 'w', 'GTiff', side, side, 1, type);
    raster.bands.get(1).pixels.write(
      0,
      0,
      side,
      side,
      BigUint64Array.from({ length: side * side }, () => 5n),
    );
    raster.close();
    const marked = join(folder, `${type}-marked.tif`);
    gdal.translate(marked, gdal.open(path), ['-a_nodata', nodata]).close();
    const { findings } = await convert(marked);
    assert.equal(findings.raster?.nodata, nodata);
    assert.deepEqual(
      findings.warnings.map(({ code }) => code),
      ['no_georeference'],
    );
  }
});

test('a JPEG of 12 bits, for which a codec is missing, is not called damaged', async () => {
  const path = write({ options: { COMPRESS: 'JPEG', TILED: 'YES' } });
  const bytes = await readFile(path);
  // The width of a sample in the tag, and the precision in the frame of the JPEG: a sequential frame of 8
  // bits becomes an extended one of 12.
  const tag = bytes.indexOf(Buffer.from([0x02, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x08, 0x00]));
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x0b, 0x08]));
  assert.ok(tag > 0 && frame > 0);
  bytes.writeUInt8(12, tag + 8);
  bytes.writeUInt8(0xc1, frame + 1);
  bytes.writeUInt8(12, frame + 4);
  await writeFile(path, bytes);
  await assert.rejects(convert(path), /compressed in a way that cannot be read here/);
});

test('a COG whose overviews were cut off is made again of its pixels', async () => {
  const path = fixture('raster/bigtiff_cog.tif');
  const whole = await readFile(path);
  const { cogPath } = await convertBytes(whole.subarray(0, Math.floor(0.9 * whole.length)));
  const valuesIn = (raster: string) => {
    const dataset = gdal.open(raster);
    const { x, y } = dataset.rasterSize;
    const values = dataset.bands.get(1).pixels.read(0, 0, x, y);
    dataset.close();
    return values;
  };
  assert.deepEqual(valuesIn(cogPath), valuesIn(path));
});
