import assert from 'node:assert/strict';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { createFindings } from '../../../gather-findings.ts';
import { warnOfSuspectedNoData } from './suspected-nodata.ts';

/** A raster in memory with `value` where `isGap` is true, and meaningful numbers elsewhere. */
function raster(
  type: string,
  value: number,
  {
    side = 64,
    bands = 1,
    noData,
    isGap = (at: number) => at % 2 === 0,
  }: {
    readonly side?: number;
    readonly bands?: number;
    readonly noData?: number;
    readonly isGap?: (at: number) => boolean;
  } = {},
) {
  const dataset = gdal.drivers.get('MEM').create('', side, side, bands, type);
  const values = Float64Array.from({ length: side * side }, (_, at) => (isGap(at) ? value : at % 97));
  const last = dataset.bands.get(bands);
  last.pixels.write(0, 0, side, side, values);
  if (noData !== undefined) last.noDataValue = noData;
  return dataset;
}

async function warningsOf(dataset: ReturnType<typeof raster>): Promise<readonly string[]> {
  const findings = createFindings();
  await warnOfSuspectedNoData(findings, dataset);
  return findings.gathered().warnings.map(({ code, message }) => `${code}: ${message}`);
}

const suspected: readonly (readonly [string, number, string])[] = [
  ['Int16', -32_768, '-32768'],
  ['Int16', -9999, '-9999'],
  ['Int32', -99_999, '-99999'],
  ['Int32', -2_147_483_648, '-2147483648'],
  ['Float32', -9999, '-9999'],
  ['Float32', -3.402_823_466_385_288_6e38, '-3.4028234663852886e+38'],
  ['Float32', -3.402_82e38, '-3.4028234663852886e+38'],
  ['Float64', -Number.MAX_VALUE, '-1.7976931348623157e+308'],
];
for (const [type, value, named] of suspected) {
  test(`half of a raster of ${type} at ${value}`, async () => {
    const [warning = '', ...others] = await warningsOf(raster(type, value));
    assert.ok(
      warning.startsWith('nodata_suspected: ') && warning.includes(`${named} in 50 % of the pixels.`),
      warning,
    );
    assert.deepEqual(others, []);
  });
}

test('a share of a large raster is found by parts of it, and a band is named', async () => {
  const side = 1200;
  const isGap = (at: number) => Math.floor(at / side) < 900;
  const [warning = ''] = await warningsOf(raster('Float32', -9999, { side, bands: 2, isGap }));
  assert.match(warning, /-9999 in 7\d % of the pixels of band 2\./);
});

test('no warning: less than half, a nodata value, 0 of bytes, or the least value of a type without sign', async () => {
  const none: readonly ReturnType<typeof raster>[] = [
    raster('Int16', -9999, { isGap: (at) => at % 3 === 0 }),
    raster('Int16', -9999, { noData: -9999 }),
    raster('Float32', -9999, { noData: -1 }),
    raster('Byte', 0),
    raster('UInt16', 0),
    raster('Int16', 0),
    raster('Int16', -5),
    raster('Float32', Number.NaN),
  ];
  for (const dataset of none) assert.deepEqual(await warningsOf(dataset), []);
});
