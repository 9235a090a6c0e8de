import gdal from 'gdal-async';
import type { Positions, Rings } from '../../formats/features/geometry.ts';
import { encodeMultiPolygon, encodePolygon, decodeParts } from '../../formats/ogr/wkb.ts';

/** Makes valid polygons, as WKB, of one. */
type Repair = (rings: Rings) => readonly Buffer[];

/**
 * Cuts a polygon whose longitudes go beyond 180° at the antimeridian, and brings each part back between -180 and 180.
 * @param rings outer ring first; each closed and without jumps, on whatever turn around the earth.
 * @returns valid polygons as WKB.
 */
export function polygonsWithinWorld(rings: Rings, repair: Repair): readonly Buffer[] {
  if (rings.every(isWithinWorld)) return repair(rings);
  const [outer = [], ...holes] = rings.map((ring) => repair([ring]).flatMap(cutIntoTurns));
  const gaps = holes.flat();
  if (gaps.length === 0 || outer.length === 0) return outer;
  const rest = asMultiPolygon(outer).difference(asMultiPolygon(gaps));
  return decodeParts(rest.toWKB('LSB')).polygons.map(encodePolygon);
}

/** Cuts a line that has a position wherever it crosses 180°. */
export function linesWithinWorld(line: Positions): readonly Positions[] {
  if (isWithinWorld(line)) return [line];
  const lines: number[][] = [];
  let turn = Number.NaN;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [from = 0, fromLat = 0, to = 0, toLat = 0] = line.slice(i, i + 4);
    const here = Math.round((from + to) / 720);
    // Along 180° itself it stays on the side that it came from.
    const stays = from === to && Math.abs(from - 360 * turn) === 180;
    if (here !== turn && !stays) {
      turn = here;
      lines.push([from - 360 * turn, fromLat]);
    }
    lines.at(-1)?.push(to - 360 * turn, toLat);
  }
  return lines;
}

/** Brings points between -180 and 180. */
export function pointsWithinWorld(points: Positions): Positions {
  if (isWithinWorld(points)) return points;
  return points.map((value, i) =>
    i % 2 === 1 || Math.abs(value) <= 180 ? value : value - 360 * Math.round(value / 360),
  );
}

function isWithinWorld(positions: Positions): boolean {
  return positions.every((value, i) => i % 2 === 1 || Math.abs(value) <= 180);
}

/** Cuts a valid polygon into its parts on each turn around the earth, all brought to the first one. */
function cutIntoTurns(wkb: Buffer): readonly Buffer[] {
  const polygon = gdal.Geometry.fromWKB(wkb);
  const { minX, maxX } = polygon.getEnvelope();
  const turns: Buffer[] = [];
  for (let turn = Math.floor((minX + 180) / 360); 360 * turn - 180 < maxX; turn += 1) {
    const [west, east] = [360 * turn - 180, 360 * turn + 180];
    const isWhole = minX >= west && maxX <= east;
    const box = [west, -90, east, -90, east, 90, west, 90, west, -90];
    const part = isWhole ? polygon : polygon.intersection(gdal.Geometry.fromWKB(encodePolygon([box])));
    for (const rings of decodeParts(part.toWKB('LSB')).polygons)
      turns.push(
        encodePolygon(
          rings.map((ring) => ring.map((value, i) => (i % 2 === 0 ? value - 360 * turn : value))),
        ),
      );
  }
  return turns;
}

function asMultiPolygon(polygons: readonly Buffer[]): gdal.Geometry {
  const geometry = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons));
  return geometry.isValid() ? geometry : geometry.makeValid();
}
