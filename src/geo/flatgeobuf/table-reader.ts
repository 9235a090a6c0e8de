/** The file differs from what its writer makes: it is damaged, or a hijacked child wrote it. */
export class WrongFlatGeobuf extends Error {
  override readonly name = 'WrongFlatGeobuf';
  constructor(what: string) {
    super(`not a FlatGeobuf of ours: ${what}`);
  }
}

/** Position of a list in `bytes`. */
export interface ListPlace {
  readonly start: number;
  readonly length: number;
}

/** A FlatBuffers table. Fields are zero-based; an absent one is undefined. */
export interface TableReader {
  byte(field: number): number | undefined;
  short(field: number): number | undefined;
  /** Returns a signed 32-bit number. */
  signed(field: number): number | undefined;
  /** Returns a 64-bit number. @throws {WrongFlatGeobuf} beyond the exact range of a number. */
  long(field: number): number | undefined;
  text(field: number): string | undefined;
  /** Returns a short list of numbers. */
  doubles(field: number): readonly number[] | undefined;
  /** Returns the position of a list whose elements have this size. */
  list(field: number, elementBytes: number): ListPlace | undefined;
  /** Yields the table of each element of a list. */
  tables(field: number): Generator<TableReader>;
  table(field: number): TableReader | undefined;
}

/**
 * Reads a table. Checks every offset and length against the bytes before use, so that nothing outside is read, and no
 * claimed size is trusted.
 * @throws {WrongFlatGeobuf} for an offset outside the bytes.
 */
function readTableAt(bytes: Buffer, table: number): TableReader {
  const list = table - signedAt(bytes, table);
  const listBytes = shortAt(bytes, list);
  within(bytes, list, listBytes);

  function fieldAt(field: number): number | undefined {
    const place = 4 + 2 * field;
    if (place + 2 > listBytes) return undefined;
    const offset = shortAt(bytes, list + place);
    return offset === 0 ? undefined : table + offset;
  }

  function listAt(field: number, elementBytes: number): ListPlace | undefined {
    const at = fieldAt(field);
    return at === undefined ? undefined : listIn(bytes, leadsTo(bytes, at), elementBytes);
  }

  return {
    byte(field: number): number | undefined {
      const at = fieldAt(field);
      if (at === undefined) return undefined;
      within(bytes, at, 1);
      return bytes.readUInt8(at);
    },
    short(field: number): number | undefined {
      const at = fieldAt(field);
      return at === undefined ? undefined : shortAt(bytes, at);
    },
    signed(field: number): number | undefined {
      const at = fieldAt(field);
      return at === undefined ? undefined : signedAt(bytes, at);
    },
    long(field: number): number | undefined {
      const at = fieldAt(field);
      return at === undefined ? undefined : longAt(bytes, at);
    },
    text(field: number): string | undefined {
      const place = listAt(field, 1);
      return place && bytes.toString('utf8', place.start, place.start + place.length);
    },
    doubles(field: number): readonly number[] | undefined {
      const place = listAt(field, 8);
      if (place === undefined) return undefined;
      return Array.from({ length: Math.min(place.length, 8) }, (_, i) =>
        bytes.readDoubleLE(place.start + 8 * i),
      );
    },
    list: listAt,
    *tables(field: number): Generator<TableReader> {
      const { start, length } = listAt(field, 4) ?? { start: 0, length: 0 };
      for (let i = 0; i < length; i += 1) yield readTableAt(bytes, leadsTo(bytes, start + 4 * i));
    },
    table(field: number): TableReader | undefined {
      const at = fieldAt(field);
      return at === undefined ? undefined : readTableAt(bytes, leadsTo(bytes, at));
    },
  };
}

/** Reads the root table of a buffer. */
export const readRoot = (bytes: Buffer): TableReader => readTableAt(bytes, leadsTo(bytes, 0));

/** Returns a 64-bit number. @throws {WrongFlatGeobuf} beyond the exact range of a number. */
export function longAt(bytes: Buffer, at: number): number {
  within(bytes, at, 8);
  const [low, high] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
  if (high >= 2 ** 21) throw new WrongFlatGeobuf('a number is too large');
  return high * 2 ** 32 + low;
}

function listIn(bytes: Buffer, at: number, elementBytes: number): ListPlace {
  within(bytes, at, 4);
  const length = bytes.readUInt32LE(at);
  within(bytes, at + 4, length * elementBytes);
  return { start: at + 4, length };
}

function leadsTo(bytes: Buffer, at: number): number {
  within(bytes, at, 4);
  return at + bytes.readUInt32LE(at);
}

function signedAt(bytes: Buffer, at: number): number {
  within(bytes, at, 4);
  return bytes.readInt32LE(at);
}

function shortAt(bytes: Buffer, at: number): number {
  within(bytes, at, 2);
  return bytes.readUInt16LE(at);
}

function within(bytes: Buffer, start: number, length: number): void {
  if (start < 0 || start + length > bytes.length) throw new WrongFlatGeobuf('something lies outside of it');
}
