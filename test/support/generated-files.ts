/** An uncompressed little-endian float32 TIFF of `side` × `side` smooth values: slow enough to be killed while it is converted. */
export function floatTiff(side: number): Blob {
  const entries: readonly (readonly [tag: number, type: number, value: number])[] = [
    [256, 4, side], // width
    [257, 4, side], // height
    [258, 3, 32], // bits per sample
    [259, 3, 1], // no compression
    [262, 3, 1], // black is zero
    [273, 4, 4096], // where the one strip begins
    [277, 3, 1], // samples per pixel
    [278, 4, side], // rows per strip
    [279, 4, side * side * 4], // bytes of the strip
    [339, 3, 3], // IEEE floating point
  ];
  const header = new DataView(new ArrayBuffer(4096));
  header.setUint32(0, 0x49492a00);
  header.setUint32(4, 8, true);
  header.setUint16(8, entries.length, true);
  entries.forEach(([tag, type, value], index) => {
    const at = 10 + index * 12;
    header.setUint16(at, tag, true);
    header.setUint16(at + 2, type, true);
    header.setUint32(at + 4, 1, true);
    header.setUint32(at + 8, value, true);
  });
  const pixels = new Float32Array(side * side);
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = Math.sin(index / 1000) * 500 + (index % side);
  }
  return new Blob([header.buffer, pixels]);
}

/** Overlapping squares in a grid, each with attributes: a dissolve that takes a moment. */
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

/** A table by KATO with one column a year from 2001: numbers, texts, empty cells, and codes that repeat. */
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
