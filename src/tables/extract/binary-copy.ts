import { KiB } from '../../lib/units.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';
import { hasRemarks, type UnpivotedRow } from '../../table/unpivot.ts';

/** Columns of `observations`, in the order of the fields. */
const copiedColumns =
  'set_id, id, kato_code, start_date, end_date, value, value_text, mapping_order, row_number';
/** The columns of a mapping; those without remarks spare the field. */
export const copiedColumnsOf = (columns: readonly YearColumn[]): string =>
  hasRemarks(columns) ? `${copiedColumns}, remark` : copiedColumns;
const fieldCount = 9;
/** Bytes of a record without its texts: the field count, ten lengths and seven fixed-length values. */
const maxFixedBytes = 2 + (fieldCount + 1) * 4 + 8 + 16 + 4 + 4 + 8 + 4 + 8;
const maxBytesPerUnit = 3; // UTF-8 bytes of one UTF-16 unit
const chunkBytes = 256 * KiB;
const nullLength = -1;
const dayMs = 24 * 3600 * 1000;
/** PostgreSQL counts days from 2000-01-01. */
const epochMs = Date.UTC(2000, 0, 1);

interface ObservationSet {
  readonly setId: number;
  readonly datasetId: string;
  readonly mappingVersion: number;
  readonly yearColumns: readonly YearColumn[];
}

/**
 * Creates a writer of observations in PostgreSQL's binary COPY format, which avoids formatting and parsing text. Output
 * comes in chunks: full ones from `write`, the rest and the trailer from `end`.
 */
export function createObservationWriter({ setId, datasetId, mappingVersion, yearColumns }: ObservationSet) {
  const withRemarks = hasRemarks(yearColumns);
  const idStart = observationIdStart(datasetId, mappingVersion);
  const years = yearColumns.map(({ start_date: start, end_date: end }, order) => ({
    order,
    startDay: dayOf(start),
    endDay: end ? dayOf(end) : undefined,
  }));
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let at = chunk.write('PGCOPY\n\u00ff\r\n\0', 'latin1');
  int32(0); // flags
  int32(0); // length of the header extension

  function int32(value: number): void {
    at = chunk.writeInt32BE(value, at);
  }

  /** Writes a non-negative integer of at most 53 bits. */
  function int64(value: number): void {
    int32(8);
    int32(Math.floor(value / 2 ** 32));
    at = chunk.writeUInt32BE(value % 2 ** 32, at);
  }

  function day(value: number | undefined): void {
    if (value === undefined) return int32(nullLength);
    int32(4);
    int32(value);
  }

  function bytes(value: Buffer): void {
    int32(value.length);
    at += value.copy(chunk, at);
  }

  function text(value: string): void {
    const start = at + 4;
    const length = chunk.write(value, start);
    int32(length);
    at = start + length;
  }

  /** Reserves `neededBytes`; returns the previous chunk if it is full. */
  function makeRoom(neededBytes: number): Buffer | undefined {
    if (at + neededBytes <= chunk.length) return undefined;
    const full = chunk.subarray(0, at);
    chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, neededBytes));
    at = 0;
    return full;
  }

  return {
    /** Writes the values of one row; yields full chunks. */
    *write({ katoCode, readings, remarks }: UnpivotedRow, rowNumber: number): Generator<Buffer> {
      const code = Buffer.from(katoCode);
      for (const { order, startDay, endDay } of years) {
        const reading = readings[order] ?? null;
        const remark = remarks?.[order] ?? null;
        const textUnits = (typeof reading === 'string' ? reading.length : 0) + (remark?.length ?? 0);
        const full = makeRoom(maxFixedBytes + code.length + textUnits * maxBytesPerUnit);
        if (full !== undefined) yield full;
        at = chunk.writeInt16BE(withRemarks ? fieldCount + 1 : fieldCount, at);
        int64(setId);
        int32(16);
        at += idStart.copy(chunk, at);
        at = chunk.writeUInt32BE(rowNumber, at);
        at = chunk.writeUInt16BE(order, at);
        bytes(code);
        day(startDay);
        day(endDay);
        if (typeof reading === 'number') {
          int32(8);
          at = chunk.writeDoubleBE(reading, at);
        } else int32(nullLength);
        if (typeof reading === 'string') text(reading);
        else int32(nullLength);
        int32(4);
        int32(order);
        int64(rowNumber);
        if (!withRemarks) continue;
        if (remark === null) int32(nullLength);
        else text(remark);
      }
    },
    /** Writes the trailer; yields the remaining chunks. */
    *end(): Generator<Buffer> {
      const full = makeRoom(2);
      if (full !== undefined) yield full;
      at = chunk.writeInt16BE(-1, at);
      yield chunk.subarray(0, at);
    },
  };
}

/**
 * Returns the first 10 bytes of the ids of a dataset's observations: UUIDs of version 8 (RFC 9562) from 62 random bits
 * of the dataset's id and the number of the mapping, followed by the row (4 bytes) and the index of its column (2). A
 * repeated extraction produces the same ids, in the order of the index.
 */
function observationIdStart(datasetId: string, mappingVersion: number): Buffer {
  const dataset = Buffer.from(datasetId.replaceAll('-', ''), 'hex');
  const start = Buffer.alloc(10);
  dataset.copy(start, 0, 0, 6);
  start.writeUInt16BE(0x8000 | (mappingVersion & 0xfff), 6);
  start.writeUInt16BE(0x8000 | (dataset.readUInt16BE(14) & 0x3fff), 8);
  return start;
}

function dayOf(date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) - epochMs) / dayMs;
}
