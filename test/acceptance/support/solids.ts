import { doubles, geometryBlob, wkbHead } from '../../support/geopackages.ts';

/** A square from 70 to 71 degrees east and 50 to 51 north, in two triangles whose corners have heights. */
const triangles = [
  [70, 50, 0, 71, 50, 5, 71, 51, 9],
  [70, 50, 0, 71, 51, 9, 70, 51, 3],
] as const;

function triangle(corners: readonly number[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(corners.length / 3 + 1);
  return Buffer.concat([wkbHead(1017, 1), count, doubles([...corners, ...corners.slice(0, 3)])]);
}

/** A cell of a GeoPackage: a TIN. */
export function tinBlob(): Buffer {
  return geometryBlob(Buffer.concat([wkbHead(1016, 2), ...triangles.map(triangle)]));
}

/** A .shp of one MultiPatch: a strip of triangles over the same square. */
export function multiPatchShp(): Buffer {
  const corners = [
    [70, 50, 0],
    [71, 50, 5],
    [70, 51, 3],
    [71, 51, 9],
  ];
  const box = [70, 50, 71, 51];
  const numbers = Buffer.alloc(16);
  for (const [index, value] of [1, corners.length, 0, 0].entries()) numbers.writeInt32LE(value, index * 4);
  const kind = Buffer.alloc(4);
  kind.writeInt32LE(31);
  const content = Buffer.concat([
    kind,
    doubles(box),
    numbers,
    doubles(corners.flatMap(([x = 0, y = 0]) => [x, y])),
    doubles([0, 9, ...corners.map(([, , z = 0]) => z)]),
  ]);
  const record = Buffer.alloc(8);
  record.writeInt32BE(1, 0);
  record.writeInt32BE(content.length / 2, 4);
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((100 + record.length + content.length) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(31, 32);
  head.set(doubles([...box, 0, 9]), 36);
  return Buffer.concat([head, record, content]);
}
