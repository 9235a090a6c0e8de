import { closeSync, openSync, readSync } from 'node:fs';
import type { Problem } from '../../../lib/errors.ts';
import { KiB } from '../../../lib/units.ts';
import { JsonFault, JsonLimit } from '../../../json/json-fault.ts';
import { JsonReader, type ByteSource } from '../../../json/json-reader.ts';
import { jsonFileProblems } from '../../../messages/vector/english.ts';

/** Line and column, both one-based; columns count characters, as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Parses a file as JSON. A `JsonFault` of `walk` becomes a Problem with its place.
 * @throws {Problem}
 */
export function* walkFile<T>(
  path: string,
  walk: (reader: JsonReader) => Generator<T, void, void>,
): Generator<T, void, void> {
  const fd = openSync(path, 'r');
  try {
    yield* walk(new JsonReader((target) => readSync(fd, target)));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw problemOfJson(error, placeOf(path, error.offset)).because(error);
  } finally {
    closeSync(fd);
  }
}

function problemOfJson(fault: JsonFault, { line, column }: Place): Problem {
  const kind = fault instanceof JsonLimit ? 'limit' : 'invalid';
  return jsonFileProblems[kind](fault.what, line, column);
}

export function bytesFrom(bytes: Uint8Array): ByteSource {
  let position = 0;
  return (target) => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    position += part.length;
    return part.length;
  };
}

function placeOf(path: string, offset: number): Place {
  const fd = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(64 * KiB);
    let [line, column, at] = [1, 1, 0];
    while (at < offset) {
      const bytes = readSync(fd, chunk, 0, Math.min(chunk.length, offset - at), at);
      if (bytes === 0) break;
      for (const byte of chunk.subarray(0, bytes)) {
        if (byte === 0x0a) [line, column] = [line + 1, 1];
        // Continuation bytes are not counted.
        else if ((byte & 0xc0) !== 0x80) column += 1;
      }
      at += bytes;
    }
    return { line, column };
  } finally {
    closeSync(fd);
  }
}
