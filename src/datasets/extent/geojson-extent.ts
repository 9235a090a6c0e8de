import { setImmediate as nextTurn } from 'node:timers/promises';

/** West, south, east, north in degrees; west > east across 180°. */
export type Extent = readonly [west: number, south: number, east: number, north: number];

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opensList = 0x5b;
const closesList = 0x5d;
const opensObject = 0x7b;
const closesObject = 0x7d;
/** Characters of a number, or of `null`, `true` and `false`, which are not numbers. */
const isOfNumber = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x65 ||
  byte === 0x45;

/** Nesting inside a feature: the collection, its list of features, the feature. */
const depthOfFeature = 3;
const maxNumberCharacters = 40;

/**
 * Creates a meter of the extent of a streamed GeoJSON FeatureCollection in longitude and latitude, which ignores
 * properties. Of positions on both sides of 180° that are closer across it, the extent crosses it.
 */
export function createExtentMeter() {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let key = '';
  let isGeometry = false;
  let number = '';
  let place = 0;
  const east = { least: Infinity, greatest: -Infinity };
  const west = { least: Infinity, greatest: -Infinity };
  const height = { least: Infinity, greatest: -Infinity };

  function endNumber(): void {
    if (number === '') return;
    const value = Number(number);
    number = '';
    if (!Number.isFinite(value)) return;
    if (place === 0) widen(value < 0 ? west : east, value);
    else if (place === 1) widen(height, value);
  }

  function readByte(byte: number): void {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = false;
      else if (depth === depthOfFeature && key.length < 16) key += String.fromCharCode(byte);
      return;
    }
    if (isGeometry && depth > depthOfFeature && isOfNumber(byte) && number.length < maxNumberCharacters) {
      number += String.fromCharCode(byte);
      return;
    }
    endNumber();
    if (byte === quote) {
      isInString = true;
      if (depth === depthOfFeature) key = '';
    } else if (byte === comma) {
      if (depth === depthOfFeature) isGeometry = false;
      place += 1;
    } else if (byte === colon) {
      if (depth === depthOfFeature) isGeometry = key === 'geometry';
    } else if (byte === opensList || byte === opensObject) {
      depth += 1;
      place = 0;
    } else if (byte === closesList || byte === closesObject) {
      depth -= 1;
    }
  }

  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes) readByte(byte);
    },
    /** Returns the extent of all positions; undefined without any. */
    result(): Extent | undefined {
      if (height.least > height.greatest) return undefined;
      const [south, north] = [height.least, height.greatest];
      if (east.least === Infinity) return [west.least, south, west.greatest, north];
      if (west.least === Infinity) return [east.least, south, east.greatest, north];
      const across = 360 - (east.least - west.greatest);
      const along = east.greatest - west.least;
      return across < along
        ? [east.least, south, west.greatest, north]
        : [west.least, south, east.greatest, north];
    },
  };
}

interface Range {
  least: number;
  greatest: number;
}

function widen(range: Range, value: number): void {
  if (value < range.least) range.least = value;
  if (value > range.greatest) range.greatest = value;
}

/** Passes the chunks of a GeoJSON through and measures them. */
export function measured<Piece extends Uint8Array | string>(body: AsyncIterable<Piece>) {
  const meter = createExtentMeter();
  async function* pieces(): AsyncGenerator<Piece> {
    for await (const piece of body) {
      meter.add(typeof piece === 'string' ? Buffer.from(piece) : piece);
      yield piece;
      await nextTurn(); // lets other work run during a large file
    }
  }
  return { pieces: pieces(), extent: meter.result };
}
