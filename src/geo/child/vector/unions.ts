import { getHeapStatistics } from 'node:v8';
import gdal from 'gdal-async';
import { MiB } from '../../../common/units.ts';
import { vectorProblems } from '../../../messages/vector.ts';
import type { Parts, Positions, Rings } from '../../formats/features/geometry.ts';
import {
  decodeParts,
  encodeLine,
  encodeMultiLine,
  encodeMultiPolygon,
  encodePolygon,
} from '../../formats/ogr/wkb.ts';
import { overlappingGroups } from './overlapping-groups.ts';
import { roundDegrees, roundLine, roundPolygon } from './rounding.ts';

/** Bytes that are united in one call; bounds memory, and the time for which the child is deaf. */
const maxBatchBytes = 32 * MiB;
/** Bytes of lines that do not overlap, in one call: many calls would take time, long ones memory. */
const maxLineBytes = MiB;
const maxRoundings = 5;
/** United geometry takes up to 12 times its bytes when it is united once more and written at the end. */
const maxKeptBytes = getHeapStatistics().heap_size_limit / 12;

/** Unites what is added, bit by bit. */
interface Union<Added, United> {
  /** @throws {Problem} when there is no memory for so much. */
  add(added: Added): void;
  /** Returns coordinates of at most 7 decimals. */
  finish(): United;
}

/** Creates a union of geometry of all dimensions; `onRepair` is called for each polygon that was not valid. */
export function createUnion(onRepair?: () => void): Union<Parts, Parts> {
  const [points, lines, areas] = [createPointUnion(), createLineUnion(), createAreaUnion(onRepair)];
  return {
    add(parts) {
      points.add(parts.points);
      parts.lines.forEach((line) => lines.add(line));
      parts.polygons.forEach((polygon) => areas.add(polygon));
    },
    finish: () => ({ points: points.finish(), lines: lines.finish(), polygons: areas.finish() }),
  };
}

/** Creates a union of polygons, each repaired first. Results are valid, counter-clockwise and do not overlap. */
export function createAreaUnion(onRepair?: () => void): Union<Rings, readonly Rings[]> {
  const batches = createBatches('polygons', uniteAreas);
  return {
    add(rings) {
      for (const polygon of repaired(rings, onRepair)) batches.add(polygon);
    },
    finish() {
      let polygons = batches.finish();
      let rounded: readonly Rings[] = [];
      // Rounding moves corners, by which rings may come to touch or cross; uniting once more mends that.
      for (let round = 0; round < maxRoundings; round += 1) {
        rounded = polygons.flatMap(roundedPolygons);
        if (overlappingGroups(rounded.map(encodePolygon)).every(isValidTogether)) return rounded;
        polygons = uniteAreas(rounded.flatMap((rings) => repaired(rings)));
      }
      return rounded;
    },
  };
}

function roundedPolygons(wkb: Buffer): readonly Rings[] {
  return decodeParts(wkb).polygons.flatMap((polygon) => {
    const rings = roundPolygon(polygon);
    return rings === undefined ? [] : [rings];
  });
}

function isValidTogether(polygons: readonly Buffer[]): boolean {
  return gdal.Geometry.fromWKB(encodeMultiPolygon(polygons)).isValid();
}

/** Resolves the crossings of an outline into valid polygons, as WKB; lines that remain of it are dropped. */
function repaired(rings: Rings, onRepair?: () => void): readonly Buffer[] {
  const wkb = encodePolygon(rings);
  const geometry = gdal.Geometry.fromWKB(wkb);
  if (geometry.isValid()) return [wkb];
  onRepair?.();
  return decodeParts(geometry.makeValid().toWKB('LSB')).polygons.map(encodePolygon);
}

/** Unites valid polygons that may overlap; those that overlap no other are left as they are. */
function uniteAreas(polygons: readonly Buffer[]): readonly Buffer[] {
  return overlappingGroups(polygons).flatMap((group) => (group.length > 1 ? uniteGroup(group) : group));
}

/** GEOS's cascaded union. */
function uniteGroup(polygons: readonly Buffer[]): readonly Buffer[] {
  const multi = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons));
  if (!(multi instanceof gdal.MultiPolygon)) throw new Error('GDAL read a MultiPolygon as something else');
  return decodeParts(multi.unionCascaded().toWKB('LSB')).polygons.map(encodePolygon);
}

/** Creates a union of lines: cut where they cross, each stretch once. */
export function createLineUnion(): Union<Positions, readonly Positions[]> {
  const batches = createBatches('lines', uniteLines);
  return {
    add(line) {
      batches.add(encodeLine(line));
    },
    finish() {
      return batches.finish().flatMap((wkb) =>
        decodeParts(wkb).lines.flatMap((line) => {
          const rounded = roundLine(line);
          return rounded === undefined ? [] : [rounded];
        }),
      );
    },
  };
}

/** Unites lines; those that cannot meet go into different calls, a few at a time, which bounds the memory. */
function uniteLines(lines: readonly Buffer[]): readonly Buffer[] {
  const united: Buffer[] = [];
  let together: Buffer[] = [];
  let bytes = 0;
  const flush = () => {
    for (const line of uniteLinesTogether(together)) united.push(line);
    together = [];
    bytes = 0;
  };
  for (const group of overlappingGroups(lines, 'line')) {
    for (const line of group) {
      together.push(line);
      bytes += line.length;
    }
    if (bytes >= maxLineBytes) flush();
  }
  flush();
  return united;
}

/**
 * GEOS cuts and merges lines only where two geometries meet. The other one here is an angle around all lines, which
 * touches none of them: to unite them with one of their own would cut that at each of its corners.
 */
function uniteLinesTogether(lines: readonly Buffer[]): readonly Buffer[] {
  if (lines.length === 0) return [];
  const all = gdal.Geometry.fromWKB(encodeMultiLine(lines));
  const { minX, minY, maxX, maxY } = all.getEnvelope();
  const [west, south, east, north] = [minX - 1, minY - 1, maxX + 1, maxY + 1];
  const angle = encodeLine([west, south, east, south, east, north]);
  const united = all.union(gdal.Geometry.fromWKB(angle)).toWKB('LSB');
  return decodeParts(united)
    .lines.filter(([x, y]) => x !== west || y !== south)
    .map(encodeLine);
}

/** Creates a union of points: each place once, from west to east and south to north. */
export function createPointUnion(): Union<Positions, Positions> {
  const values: number[] = [];
  return {
    add(points) {
      for (const value of points) values.push(roundDegrees(value));
    },
    finish() {
      const order = Uint32Array.from({ length: values.length / 2 }, (_, index) => index * 2);
      const x = (at: number) => values[at] ?? 0;
      order.sort((a, b) => x(a) - x(b) || x(a + 1) - x(b + 1));
      const different: number[] = [];
      for (const at of order) {
        if (different.at(-2) !== x(at) || different.at(-1) !== x(at + 1)) different.push(x(at), x(at + 1));
      }
      return different;
    },
  };
}

/** Collects geometries until a batch is full and unites it; at the end the batches are united with each other. */
function createBatches(
  what: 'lines' | 'polygons',
  unite: (wkbs: readonly Buffer[]) => readonly Buffer[],
): {
  add(wkb: Buffer): void;
  finish(): readonly Buffer[];
} {
  const done: Buffer[] = [];
  let batch: Buffer[] = [];
  let [batchBytes, doneBytes, batches] = [0, 0, 0];
  const close = () => {
    for (const wkb of unite(batch)) {
      done.push(wkb);
      doneBytes += wkb.length;
    }
    if (doneBytes > maxKeptBytes) throw vectorProblems.needsMemory(what, Math.floor(maxKeptBytes / MiB));
    batch = [];
    batchBytes = 0;
    batches += 1;
  };
  return {
    add(wkb) {
      batch.push(wkb);
      batchBytes += wkb.length;
      if (batchBytes >= maxBatchBytes) close();
    },
    finish() {
      close();
      return batches > 1 ? unite(done) : done;
    },
  };
}
