import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenBy, numberOfGdal, bandNotesOf, colourBandsOf, plainBand } from './no-data.ts';

const isHidden = (noData: number, format: number, bits: number, values: readonly number[]) => {
  const { least, greatest } = hiddenBy(noData, { format, bits });
  return values.map((value) => value >= least && value <= greatest);
};

// GDAL 3.6.2 gives these masks for a Float32 with these values.
test('floats are hidden as GDAL hides them: near the value, and at the end of the type all that are large', () => {
  const large = [-3.402_823_466_385_288_6e38, -3.402_82e38, -3e38, -1e32, -1e31, -1e30, 0, 1, 7, -Infinity];
  const wanted = [true, true, true, true, false, false, false, false, false, false];
  assert.deepEqual(isHidden(-3.402_823_466_385_288_6e38, 3, 32, large.map(Math.fround)), wanted);
  const near = [-9999, -9998.999_023_437_5, -9998.996_093_75, -9998.995_117_187_5, -9998.9];
  assert.deepEqual(isHidden(-9999, 3, 32, near), [true, true, true, false, false]);
  assert.deepEqual(isHidden(0.1, 3, 32, [Math.fround(0.1), Math.fround(0.2)]), [true, false]);
  assert.deepEqual(isHidden(0.1, 3, 64, [0.1, 0.100_000_047, 0.100_000_048, 0.2]), [
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(isHidden(-Number.MAX_VALUE, 3, 64, [-Number.MAX_VALUE, -1e301, 0]), [true, true, false]);
  assert.deepEqual(isHidden(-3.402_82e38, 3, 64, [-3.402_82e38, -3.402_823_5e38]), [true, false]);
  assert.deepEqual(isHidden(0, 3, 32, [0, -0, 1e-30]), [true, true, false]);
  assert.deepEqual(isHidden(Infinity, 3, 32, [Infinity, 3e38]), [true, false]);
});

test('whole samples are hidden by the whole part, and by nothing outside their type', () => {
  assert.deepEqual(isHidden(0.5, 1, 8, [0, 1]), [true, false]);
  for (const value of [-9999, 256, -0.5])
    assert.deepEqual(isHidden(value, 1, 8, [0, 1, 255]), [false, false, false]);
  assert.deepEqual(isHidden(-32_768, 1, 16, [0, 32_768]), [false, false]);
  assert.deepEqual(isHidden(-2_147_483_648, 2, 32, [-2_147_483_648, 0]), [true, false]);
  const widest = -9_223_372_036_854_775_808;
  assert.deepEqual(isHidden(widest, 2, 64, [widest, 0]), [true, false]);
  assert.deepEqual(isHidden(2 ** 64, 1, 64, [2 ** 64, 0]), [true, false]);
  assert.deepEqual(isHidden(-1, 1, 64, [0]), [false]);
  assert.deepEqual(isHidden(-128, 2, 8, [-128, 127]), [true, false]);
  assert.deepEqual(isHidden(Number.NaN, 2, 16, [0]), [false]);
});

test('the text of a nodata value is read as GDAL reads it', () => {
  assert.deepEqual(
    ['-9999', ' 1e3 ', '-9999,0', '12 13', 'no data', '', '-inf', '-3.40282e+38'].map(numberOfGdal),
    [-9999, 1000, -9999, 12, 0, 0, -Infinity, -3.402_82e38],
  );
  assert.ok(Number.isNaN(numberOfGdal('nan')) && Number.isNaN(numberOfGdal('-nan')));
});

const metadata = (inner: string) => `<GDALMetadata>\n${inner}\n</GDALMetadata>`;
const item = (sample: number, role: string, text: string) =>
  `  <Item name="${role.toUpperCase()}" sample="${sample}" role="${role}">${text}</Item>`;

test('scale and offset belong to their band', () => {
  const xml = metadata(
    [
      item(0, 'scale', '0.0001'),
      item(1, 'offset', '-273.15'),
      '<Item name="scale">7</Item>',
      item(9, 'scale', '9'),
    ].join('\n'),
  );
  assert.deepEqual(bandNotesOf(xml, 3), [
    { ...plainBand, scale: 0.0001 },
    { ...plainBand, offset: -273.15 },
    plainBand,
  ]);
  assert.deepEqual(bandNotesOf('<broken <Item', 1), [plainBand]);
});

test('a picture is what says so: by colours, by descriptions, or as a whole', () => {
  const colours = bandNotesOf(
    metadata(['Blue', 'Green', 'Red', 'Undefined'].map((name, at) => item(at, 'colorinterp', name)).join('')),
    4,
  );
  assert.deepEqual(colourBandsOf(colours, true), [3, 2, 1]);
  assert.deepEqual(colourBandsOf(colours, false), [3, 2, 1]);
  const described = bandNotesOf(
    metadata(['blue', 'green', 'red'].map((name, at) => item(at, 'description', name)).join('')),
    3,
  );
  assert.deepEqual(colourBandsOf(described, false), [3, 2, 1]);
  const sentinel = bandNotesOf(
    metadata(['B2', 'B3', 'B4'].map((name, at) => item(at, 'description', name)).join('')),
    3,
  );
  assert.equal(colourBandsOf(sentinel, false), undefined);
  assert.deepEqual(colourBandsOf(sentinel, true), [1, 2, 3]);
});
