import { handmadeTiff, imageTags, longs, shorts, tag } from '../hostile/hostile-tiffs.ts';

/** An uncompressed little-endian float32 TIFF of `side` × `side` smooth values, whose conversion is slow enough to be killed. */
export function floatTiff(side: number): Blob {
  const pixels = new Float32Array(side * side);
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = Math.sin(index / 1000) * 500 + (index % side);
  }
  const tags = [shorts(tag.bits, 32), shorts(tag.sampleFormat, 3), longs(tag.rowsPerStrip, side)];
  const blocks = [new Uint8Array(pixels.buffer)];
  return new Blob([new Uint8Array(handmadeTiff([{ tags: imageTags(side, side, ...tags), blocks }]))]);
}

/** Overlapping squares in a grid, each with attributes: their dissolve takes a moment. */
export function squaresGeoJson(count: number): Blob {
  const features = Array.from({ length: count }, (_, index) => {
    const west = 60 + (index % 100) * 0.1;
    const south = 45 + Math.floor(index / 100) * 0.1;
    const [east, north] = [west + 0.13, south + 0.13];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return {
      type: 'Feature',
      properties: { number: index, name: `участок ${index}` },
      geometry: { type: 'Polygon', coordinates: [ring] },
    };
  });
  return new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
}

/** A table by KATO with one column per year from 2001: numbers, texts, empty cells, and repeated codes. */
export function katoTable(rows: number, years: number): Blob {
  const features = Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: years }, (_unused, year) => [String(2001 + year), cell(row, year)]);
    const properties = { kato: String(100000000 + (row % 700) * 10000), ...Object.fromEntries(cells) };
    return { type: 'Feature', properties, geometry: null };
  });
  return new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
}

function cell(row: number, year: number): number | string | null {
  if ((row + year) % 11 === 0) return null;
  return (row + year) % 7 === 0 ? '12 345,5' : row * 1.5 + year;
}
