import { filterFaults } from '../../messages/standards.ts';
import { filterLimits } from './filter.ts';
import { refuseFilter } from './refuse.ts';
import type { Reader } from './reader.ts';

/** Nesting depth of the coordinates of each type. */
export const wktTypes: ReadonlyMap<string, { readonly type: string; readonly levels: number }> = new Map([
  ['point', { type: 'Point', levels: 1 }],
  ['linestring', { type: 'LineString', levels: 1 }],
  ['polygon', { type: 'Polygon', levels: 2 }],
  ['multipoint', { type: 'MultiPoint', levels: 2 }],
  ['multilinestring', { type: 'MultiLineString', levels: 2 }],
  ['multipolygon', { type: 'MultiPolygon', levels: 3 }],
]);

/** Reads the coordinates after the name of a type as a GeoJSON geometry. @throws {Problem} `malformed` */
export function readWkt(reader: Reader, word: string): unknown {
  const { type, levels } = wktTypes.get(word) ?? reader.fail();
  reader.skip('z');
  // Each point of a MULTIPOINT may have its own parentheses.
  const isBare = type === 'MultiPoint' && reader.peek(1)?.kind === 'number';
  const coordinates = readLists(reader, isBare ? 1 : levels, { left: filterLimits.parts });
  if (type === 'Point')
    return { type, coordinates: coordinates.length === 1 ? coordinates[0] : reader.fail() };
  return { type, coordinates: type === 'MultiPoint' && !isBare ? coordinates.flat() : coordinates };
}

interface Room {
  left: number;
}

function readLists(reader: Reader, levels: number, room: Room): unknown[] {
  reader.expect('(');
  const readPart = () => (levels === 1 ? readPosition(reader, room) : readLists(reader, levels - 1, room));
  const parts = [readPart()];
  while (reader.skip(',')) parts.push(readPart());
  reader.expect(')');
  return parts;
}

function readPosition(reader: Reader, room: Room): unknown[] {
  room.left -= 1;
  if (room.left < 0) refuseFilter(filterFaults.tooManyParts(filterLimits.parts));
  const position: number[] = [];
  for (let token = reader.peek(); token?.kind === 'number'; token = reader.peek()) {
    position.push(Number(token.value));
    reader.next();
  }
  return position.length === 2 || position.length === 3 ? position : reader.fail();
}
