import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { VisitValues } from './distribution.ts';

/** Weighted values of pixels by owner. Memory is bounded: sorted runs overflow to a file. */
export interface ValueStore {
  /** @param weight rounded to the unit of weights. */
  add(owner: number, value: number, weight: number): void;
  /** Visits the values of an owner as defined by `VisitValues`; no values may be added afterwards. */
  visit(owner: number, visit: Parameters<VisitValues>[0]): void;
  close(): void;
}

export interface ValueStoreOptions {
  readonly owners: number;
  /** A power of two. */
  readonly unit: number;
  /** Folder of the file; its owner removes it. */
  readonly folder: string;
  /** Maximum number of 16-byte records in memory: of one owner, and in total. */
  readonly mostOfOwner?: number;
  readonly mostOfAll?: number;
}

/** Records in memory during a merge. */
const mergedRecords = 2 ** 20;
const fewRecords = 2 ** 8;
const recordBytes = 16;

/** Records of a file, ascending by value. */
interface Run {
  readonly at: number;
  readonly count: number;
}

interface Owner {
  values: Float64Array;
  weights: Float64Array;
  count: number;
  readonly runs: Run[];
}

export function createValueStore({
  owners,
  unit,
  folder,
  mostOfOwner = 2 ** 16,
  mostOfAll = 2 ** 22,
}: ValueStoreOptions): ValueStore {
  const rounder = 1.5 * 2 ** 52 * unit;
  const all: readonly Owner[] = Array.from({ length: owners }, () => ({
    values: new Float64Array(0),
    weights: new Float64Array(0),
    count: 0,
    runs: [],
  }));
  let room = 0;
  let file: number | undefined;
  let end = 0;

  function grow(owner: Owner): boolean {
    const size = Math.max(fewRecords, 2 * owner.values.length);
    if (owner.values.length > 0 && (size > mostOfOwner || room + size > mostOfAll)) return false;
    room += size - owner.values.length;
    const { values, weights } = owner;
    owner.values = new Float64Array(size);
    owner.weights = new Float64Array(size);
    owner.values.set(values);
    owner.weights.set(weights);
    return true;
  }

  /** Joins equal values, and frees memory if there are many distinct ones. */
  function compact(owner: Owner): void {
    owner.count = joined(owner);
    if (owner.count > owner.values.length / 2 || owner.values.length === 0) if (!grow(owner)) spill(owner);
  }

  function spill(owner: Owner): void {
    file ??= openSync(join(folder, 'values.bin'), 'w+');
    const { count, values, weights } = owner;
    const records = new Float64Array(2 * count);
    for (let i = 0; i < count; i += 1) {
      records[2 * i] = values[i] ?? NaN;
      records[2 * i + 1] = weights[i] ?? 0;
    }
    writeFully(file, new Uint8Array(records.buffer), end);
    owner.runs.push({ at: end, count });
    end += count * recordBytes;
    owner.count = 0;
  }

  return {
    add(number, value, weight) {
      const rounded = weight + rounder - rounder;
      const owner = all[number];
      if (owner === undefined || rounded === 0) return;
      const last = owner.count - 1;
      if (last >= 0 && owner.values[last] === value) {
        owner.weights[last] = (owner.weights[last] ?? 0) + rounded;
        return;
      }
      if (owner.count === owner.values.length) compact(owner);
      owner.values[owner.count] = value;
      owner.weights[owner.count] = rounded;
      owner.count += 1;
    },
    visit(number, visit) {
      const owner = all[number];
      if (owner === undefined) return;
      owner.count = joined(owner);
      if (owner.runs.length === 0 || file === undefined) {
        for (let i = 0; i < owner.count; i += 1) visit(owner.values[i] ?? NaN, owner.weights[i] ?? 0);
        return;
      }
      if (owner.count > 0) spill(owner);
      mergeRuns(file, owner.runs, visit);
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
}

/** Sorts the records of an owner by value and joins equal ones. @returns the number of remaining records. */
function joined(owner: Owner): number {
  const { values, weights, count } = owner;
  const sorted = values.subarray(0, count).toSorted();
  let different = 0;
  for (let i = 0; i < count; i += 1)
    if (i === 0 || sorted[i] !== sorted[different - 1]) {
      sorted[different] = sorted[i] ?? NaN;
      different += 1;
    }
  const sums = new Float64Array(different);
  for (let i = 0; i < count; i += 1) {
    const at = placeOf(sorted, different, values[i] ?? NaN);
    sums[at] = (sums[at] ?? 0) + (weights[i] ?? 0);
  }
  values.set(sorted.subarray(0, different));
  weights.set(sums);
  return different;
}

function placeOf(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? NaN) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A part of a run in memory. */
interface Reader {
  readonly records: Float64Array;
  /** Index in `records`. */
  next: number;
  filled: number;
  at: number;
  left: number;
}

/** Merges several runs: visits all their records in order of value. */
function mergeRuns(file: number, runs: readonly Run[], visit: Parameters<VisitValues>[0]): void {
  const size = Math.max(fewRecords, Math.floor(mergedRecords / runs.length));
  const readers = runs.map(({ at, count }): Reader => ({
    records: new Float64Array(2 * Math.min(size, count)),
    next: 0,
    filled: 0,
    at,
    left: count,
  }));
  const heap = readers
    .filter((reader) => refill(file, reader))
    .toSorted((one, other) => headOf(one) - headOf(other));
  for (let first = heap[0]; first !== undefined; first = heap[0]) {
    visit(headOf(first), first.records[first.next + 1] ?? 0);
    first.next += 2;
    if (first.next === first.filled && !refill(file, first)) {
      const last = heap.pop();
      if (last === undefined || last === first) continue;
      heap[0] = last;
    }
    sink(heap);
  }
}

const headOf = ({ records, next }: Reader): number => records[next] ?? NaN;

/** Restores the heap property after a change of its root. */
function sink(heap: Reader[]): void {
  const moved = heap[0];
  if (moved === undefined) return;
  const value = headOf(moved);
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const [one, other] = [heap[left], heap[left + 1]];
    if (one === undefined) break;
    const isRight = other !== undefined && headOf(other) < headOf(one);
    const lesser = isRight ? other : one;
    if (headOf(lesser) >= value) break;
    heap[at] = lesser;
    at = isRight ? left + 1 : left;
  }
  heap[at] = moved;
}

/** @returns false at the end of the run. */
function refill(file: number, reader: Reader): boolean {
  const count = Math.min(reader.left, reader.records.length / 2);
  if (count === 0) return false;
  const bytes = new Uint8Array(reader.records.buffer, 0, count * recordBytes);
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file, bytes, read, bytes.length - read, reader.at + read);
    if (more === 0) throw new Error('values of pixels are gone from their file');
    read += more;
  }
  reader.at += bytes.length;
  reader.left -= count;
  reader.next = 0;
  reader.filled = 2 * count;
  return true;
}

function writeFully(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
}
