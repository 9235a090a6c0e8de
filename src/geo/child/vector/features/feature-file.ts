import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MiB } from '../../../../lib/units.ts';
import {
  indexBytes,
  indexLevels,
  indexNodeBytes,
  indexNodeSize,
  magicBytes,
} from '../../../flatgeobuf/layout.ts';
import { type Box, hilbertOrder } from './hilbert.ts';
import { grownNumbers } from '../../polygons/grown.ts';

const nothing: Box = [Infinity, Infinity, -Infinity, -Infinity];

/** A growing array with `width` numbers per feature, outside the heap. */
export function createNumbers(width: number) {
  let values = new Float64Array(1024 * width);
  let length = 0;
  return {
    push(numbers: readonly number[]): void {
      if (length + width > values.length) values = grownNumbers(values);
      values.set(numbers, length);
      length += width;
    },
    at: (index: number, part = 0): number => values[index * width + part] ?? 0,
    get count() {
      return length / width;
    },
  };
}

/** Writes to a file from `position` on, in large blocks. */
export function createBlockWriter(fd: number, position = 0) {
  const block = Buffer.allocUnsafe(MiB);
  let [used, at] = [0, position];
  const writeAll = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length;)
      done += writeSync(fd, bytes, done, bytes.length - done, at + done);
    at += bytes.length;
  };
  return {
    write(bytes: Uint8Array): void {
      if (used + bytes.length > block.length) {
        writeAll(block.subarray(0, used));
        used = 0;
      }
      if (bytes.length > block.length) writeAll(bytes);
      else {
        block.set(bytes, used);
        used += bytes.length;
      }
    },
    /** Offset of the next byte. */
    get position() {
      return at + used;
    },
    flush(): void {
      writeAll(block.subarray(0, used));
      used = 0;
    },
  };
}

/** Stores the bytes of features in a file, in order, for later reads. */
export function openSpool(folder: string) {
  const path = join(folder, 'features.spool');
  const fd = openSync(path, 'wx+');
  const writer = createBlockWriter(fd);
  const offsets = createNumbers(1);
  let buffer = Buffer.alloc(64 * 1024);
  return {
    push(parts: readonly Uint8Array[]): void {
      offsets.push([writer.position]);
      for (const part of parts) writer.write(part);
    },
    flush: writer.flush,
    /** Returns the bytes of a feature, valid until the next call. */
    read(index: number): Buffer {
      const start = offsets.at(index);
      const end = index + 1 < offsets.count ? offsets.at(index + 1) : writer.position;
      if (end - start > buffer.length) buffer = Buffer.alloc(end - start);
      const bytes = buffer.subarray(0, end - start);
      for (let done = 0; done < bytes.length;) {
        const read = readSync(fd, bytes, done, bytes.length - done, start + done);
        if (read === 0) throw new Error('the features that were kept have an end too early');
        done += read;
      }
      return bytes;
    },
    close(): void {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}

export interface FeatureFile {
  readonly header: Buffer;
  /** Boxes of all features; that of a feature without geometry is empty. */
  readonly boxes: ReturnType<typeof createNumbers>;
  readonly extent: Box | undefined;
  readonly featureAt: (index: number) => readonly Uint8Array[];
}

/** Writes header, index and features in the order of the index: feature i of the file is leaf i. */
export function writeFeatureFile(path: string, { header, boxes, extent, featureAt }: FeatureFile): void {
  const { count } = boxes;
  const boxAt = (index: number): Box => [
    boxes.at(index, 0),
    boxes.at(index, 1),
    boxes.at(index, 2),
    boxes.at(index, 3),
  ];
  const fd = openSync(path, 'wx');
  try {
    const head = createBlockWriter(fd);
    head.write(magicBytes);
    head.write(header);
    head.flush();
    const indexAt = head.position;
    const order = hilbertOrder(count, boxAt, extent ?? nothing);
    const firstAt = indexAt + indexBytes(count);
    const features = createBlockWriter(fd, firstAt);
    const offsets = new Float64Array(count);
    for (let leaf = 0; leaf < count; leaf += 1) {
      offsets[leaf] = features.position - firstAt;
      for (const part of featureAt(order[leaf] ?? 0)) features.write(part);
    }
    features.flush();
    if (count === 0) return;
    const leafBox = (leaf: number) => boxAt(order[leaf] ?? 0);
    writeIndex(createBlockWriter(fd, indexAt), count, (leaf) => ({
      box: leafBox(leaf),
      to: offsets[leaf] ?? 0,
    }));
  } finally {
    closeSync(fd);
  }
}

/** Writes the nodes from the root on: each has the box of its children, and the offset of the first. */
function writeIndex(
  writer: ReturnType<typeof createBlockWriter>,
  count: number,
  leafAt: (leaf: number) => { readonly box: Box; readonly to: number },
): void {
  const levels = indexLevels(count);
  const boxes: ((index: number) => Box)[] = [(leaf) => leafAt(leaf).box];
  for (const [level, { start, end }] of levels.entries()) {
    if (level === 0) continue;
    const [below, children] = [boxes[level - 1], levels[level - 1]];
    if (below === undefined || children === undefined) continue;
    const values = new Float64Array(4 * (end - start));
    const childCount = children.end - children.start;
    for (let node = 0; node < end - start; node += 1) {
      let box = nothing;
      for (let i = node * indexNodeSize; i < Math.min(childCount, (node + 1) * indexNodeSize); i += 1)
        box = around(box, below(i));
      values.set(box, 4 * node);
    }
    boxes.push((node) => [
      values[4 * node] ?? 0,
      values[4 * node + 1] ?? 0,
      values[4 * node + 2] ?? 0,
      values[4 * node + 3] ?? 0,
    ]);
  }
  for (let level = levels.length - 1; level >= 0; level -= 1) {
    const [{ start, end } = { start: 0, end: 0 }, below] = [levels[level], levels[level - 1]];
    for (let index = 0; index < end - start; index += 1) {
      const to = below === undefined ? leafAt(index).to : below.start + index * indexNodeSize;
      writer.write(node(boxes[level]?.(index) ?? nothing, to));
    }
  }
  writer.flush();
}

function node(box: Box, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(indexNodeBytes);
  box.forEach((value, index) => bytes.writeDoubleLE(value, 8 * index));
  bytes.writeBigUInt64LE(BigInt(to), 32);
  return bytes;
}

/** Returns the smallest box around two. */
export function around(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** Returns the box around positions; empty without any. */
export function boxAround(lists: Iterable<readonly number[]>): Box {
  let [west, south, east, north] = nothing;
  for (const positions of lists) {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [x, y] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  return [west, south, east, north];
}
