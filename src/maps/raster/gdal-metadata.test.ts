import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandNotesOf, colourBandsOf, plainBand } from './gdal-metadata.ts';

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
