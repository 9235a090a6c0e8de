import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { footprintOf, type Rings, type SourceGeometry } from '../features/geometry.ts';

/** Source of the layout: "ESRI Shapefile Technical Description", MultiPatch. */
const multiPatch = 31;
const [fileHeaderBytes, shapeTypeAt, indexEntryBytes, recordHeadBytes, wordBytes] = [100, 32, 8, 8, 2];
/** Type, box, and numbers of parts and of points. */
const contentHeadBytes = 44;
const [partsAt, pointsAt] = [36, 40];
const partBytes = 8; // offset and type
const pointBytes = 16;

const partKinds = { strip: 0, fan: 1, outerRing: 2, innerRing: 3, firstRing: 4, ring: 5 } as const;

interface Part {
  readonly kind: number;
  readonly points: number[];
}

/**
 * Opens a shapefile of MultiPatches, which GDAL's binding does not support; undefined for any other. The result reads a
 * record by zero-based number; undefined for an empty or inconsistent one.
 */
export function openMultiPatches(shpPath: string, shxPath: string) {
  const shp = openSync(shpPath, 'r');
  if (numberAt(shp, shapeTypeAt)?.readInt32LE(0) !== multiPatch) {
    closeSync(shp);
    return undefined;
  }
  const shx = openSync(shxPath, 'r');
  const { size } = fstatSync(shp);
  const close = () => {
    closeSync(shp);
    closeSync(shx);
  };
  const geometryOf = (record: number): SourceGeometry | undefined => {
    const at = numberAt(shx, fileHeaderBytes + record * indexEntryBytes)?.readUInt32BE(0);
    const words = numberAt(shx, fileHeaderBytes + record * indexEntryBytes + 4)?.readUInt32BE(0);
    if (at === undefined || words === undefined) return undefined;
    const contentAt = at * wordBytes + recordHeadBytes;
    if (contentAt + words * wordBytes > size) return undefined;
    const content = Buffer.alloc(words * wordBytes);
    readSync(shp, content, 0, content.length, contentAt);
    return decodeMultiPatch(content);
  };
  return { geometryOf, [Symbol.dispose]: close };
}

function numberAt(file: number, at: number): Buffer | undefined {
  const bytes = Buffer.alloc(4);
  return readSync(file, bytes, 0, 4, at) === 4 ? bytes : undefined;
}

/** Decodes the contents of a record; undefined if they are empty or inconsistent. */
export function decodeMultiPatch(content: Buffer): SourceGeometry | undefined {
  if (content.length < contentHeadBytes || content.readInt32LE(0) !== multiPatch) return undefined;
  const [parts, points] = [content.readUInt32LE(partsAt), content.readUInt32LE(pointsAt)];
  if (content.length < contentHeadBytes + parts * partBytes + points * pointBytes) return undefined;
  const begins = Array.from({ length: parts }, (_, part) =>
    content.readUInt32LE(contentHeadBytes + 4 * part),
  );
  const kindsAt = contentHeadBytes + 4 * parts;
  const from = kindsAt + 4 * parts;
  const all = begins.map((begin, part): Part | undefined => {
    const end = begins[part + 1] ?? points;
    if (begin > end || end > points) return undefined;
    const coordinates = Array.from({ length: 2 * (end - begin) }, (_, index) =>
      content.readDoubleLE(from + begin * pointBytes + 8 * index),
    );
    return { kind: content.readInt32LE(kindsAt + 4 * part), points: coordinates };
  });
  const sound = all.filter((part) => part !== undefined);
  if (sound.length < all.length) return undefined;
  let leftOut = 0;
  const polygons: readonly Rings[] = footprintOf(piecesOf(sound), () => (leftOut += 1));
  return {
    type: 'MultiPatch',
    parts: { points: [], lines: [], polygons },
    leftOut,
    isFlattened: true,
    heights: undefined,
    isHigh: false,
  };
}

/** Assigns holes to their rings, and splits strips and fans into triangles. */
function piecesOf(parts: readonly Part[]): readonly number[][][] {
  const pieces: number[][][] = [];
  /** Type of ring that continues the previous piece; none after triangles. */
  let continuedBy: number | undefined;
  for (const { kind, points } of parts) {
    const last = pieces.at(-1);
    if (kind === partKinds.strip || kind === partKinds.fan) {
      pieces.push(...trianglesOf(points, kind));
      continuedBy = undefined;
    } else if (kind === continuedBy && last !== undefined && isHole(kind, points, last[0] ?? [])) {
      last.push(points);
    } else {
      pieces.push([points]);
      if (kind === partKinds.outerRing) continuedBy = partKinds.innerRing;
      else if (kind === partKinds.firstRing) continuedBy = partKinds.ring;
    }
  }
  return pieces;
}

function* trianglesOf(points: readonly number[], kind: number): Generator<number[][]> {
  for (let i = 2; i + 3 < points.length; i += 2) {
    const first = kind === partKinds.fan ? points.slice(0, 2) : points.slice(i - 2, i);
    yield [[...first, ...points.slice(i, i + 4)]];
  }
}

/** A ring after a first ring may be a hole in it, or lie beside it. */
function isHole(kind: number, [x = 0, y = 0]: readonly number[], outer: readonly number[]): boolean {
  if (kind === partKinds.innerRing) return true;
  let isInside = false;
  for (let i = 0; i + 3 < outer.length; i += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = outer.slice(i, i + 4);
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
  }
  return isInside;
}
