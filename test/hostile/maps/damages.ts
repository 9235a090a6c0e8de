import { deflateSync, zstdCompressSync } from 'node:zlib';
import { MiB } from '../../../src/lib/units.ts';
import { tag } from '../../support/hostile/hostile-tiffs.ts';
import { writeNumber } from '../mutate/mutation.ts';
import { createRandom } from '../mutate/random.ts';
import { tiffMutations } from '../mutate/tiff.ts';
import { layoutOf } from '../mutate/tiff-layout.ts';

/** Damages a valid COG of bytes in DEFLATE tiles of 512 pixels. */
export type Damage = (cog: Buffer) => Buffer;

const tileBytes = 512 * 512;
const compressions = { lzw: 5, jpeg: 7, packBits: 32_773, zstd: 50_000, lerc: 34_887, unknown: 65_000 };
const four = 2 ** 32 - 1;

/** Overwrites a number in a directory; directory 0 is the full resolution. */
function set(cog: Buffer, directory: number, number: number, ...values: readonly number[]): Buffer {
  const layout = layoutOf(cog);
  const field = layout?.directories[directory]?.fields.find((each) => each.tag === number);
  if (layout === undefined || field === undefined) throw new Error(`no tag ${number}`);
  const copy = Buffer.from(cog);
  for (const [index, value] of values.entries()) {
    const place = { at: field.valuesAt + index * field.size, size: field.size };
    writeNumber(copy, place, layout.littleEndian, BigInt(value));
  }
  return copy;
}

/** Sets another length of a table. */
function claim(cog: Buffer, number: number, count: number): Buffer {
  const layout = layoutOf(cog);
  const field = layout?.directories[0]?.fields.find((each) => each.tag === number);
  if (layout === undefined || field === undefined) throw new Error(`no tag ${number}`);
  return writeNumber(Buffer.from(cog), { at: field.at + 4, size: 4 }, layout.littleEndian, BigInt(count));
}

/** Number of directories: one for each level. */
const directoriesOf = (cog: Buffer) => layoutOf(cog)?.directories.length ?? 0;

const everywhere = (change: (cog: Buffer, directory: number) => Buffer): Damage => {
  return (cog) => Array.from({ length: directoriesOf(cog) }, (_, at) => at).reduce(change, cog);
};

/** Appends bytes to the file, and makes every tile of every level point to them. */
const allTilesAre = (block: Buffer, length = block.length): Damage => {
  return (cog) => {
    const longer = Buffer.concat([cog, block]);
    return everywhere((bytes, directory) => {
      const layout = layoutOf(bytes);
      const count =
        layout?.directories[directory]?.fields.find((each) => each.tag === tag.tileOffsets)?.count ?? 0;
      const places = Array<number>(count).fill(cog.length);
      const lengths = Array<number>(count).fill(length);
      return set(
        set(bytes, directory, tag.tileOffsets, ...places),
        directory,
        tag.tileByteCounts,
        ...lengths,
      );
    })(longer);
  };
};

const saysCompression =
  (number: number): Damage =>
  (cog) =>
    everywhere((bytes, at) => set(bytes, at, tag.compression, number))(cog);

const both =
  (first: Damage, second: Damage): Damage =>
  (cog) =>
    second(first(cog));

const next = (cog: Buffer, directory: number, to: number): Buffer => {
  const layout = layoutOf(cog);
  const place = layout?.directories[directory]?.nextPlace;
  if (layout === undefined || place === undefined) throw new Error('no directory');
  return writeNumber(Buffer.from(cog), place, layout.littleEndian, BigInt(to));
};

/** An LZW stream whose first code is undefined, and one that repeats one code for ever. */
const lzwOfUnknown = Buffer.from([0x80, 0x7f, 0xff, 0xff, 0xff]);
const lzwWithoutEnd = Buffer.alloc(64 * 1024, 0x80);

/** False tables. */
const tables: Readonly<Record<string, Damage>> = {
  'tiles beyond the end': everywhere((cog, at) => set(cog, at, tag.tileOffsets, four - 8)),
  'tiles at the very start': everywhere((cog, at) => set(cog, at, tag.tileOffsets, 0)),
  'tiles of 4 GiB': everywhere((cog, at) => set(cog, at, tag.tileByteCounts, four)),
  'tiles of no bytes': everywhere((cog, at) => set(cog, at, tag.tileByteCounts, 0)),
  'tiles of one byte': everywhere((cog, at) => set(cog, at, tag.tileByteCounts, 1)),
  'a table of tiles of 2^30 entries': (cog) => claim(cog, tag.tileOffsets, 2 ** 30),
  'a table of lengths of 2^30 entries': (cog) => claim(cog, tag.tileByteCounts, 2 ** 30),
  'a table of one entry': (cog) => claim(claim(cog, tag.tileOffsets, 1), tag.tileByteCounts, 1),
  'a table without entries': (cog) => claim(cog, tag.tileOffsets, 0),
  'tiles of 65,536 pixels': (cog) => set(set(cog, 0, tag.tileWidth, 65_535), 0, tag.tileHeight, 65_535),
  'tiles of 16 pixels': everywhere((cog, at) => set(set(cog, at, tag.tileWidth, 16), at, tag.tileHeight, 16)),
  'tiles of no pixels': everywhere((cog, at) => set(cog, at, tag.tileWidth, 0)),
  'tiles of 17 pixels': everywhere((cog, at) => set(cog, at, tag.tileWidth, 17)),
  'an image of 65,535 pixels': (cog) => set(set(cog, 0, tag.width, 65_535), 0, tag.height, 65_535),
  'an image of no pixels': (cog) => set(cog, 0, tag.width, 0),
  'overviews of no pixels': (cog) => set(cog, 1, tag.width, 0),
  'an overview larger than the image': (cog) => set(cog, 1, tag.width, 60_000),
  '65,535 bits': everywhere((cog, at) => set(cog, at, tag.bits, 65_535)),
  'no bits': everywhere((cog, at) => set(cog, at, tag.bits, 0)),
  '3 bits': everywhere((cog, at) => set(cog, at, tag.bits, 3)),
  '64 bits': everywhere((cog, at) => set(cog, at, tag.bits, 64)),
  '65,535 bands': everywhere((cog, at) => set(cog, at, tag.bands, 65_535)),
  'no bands': everywhere((cog, at) => set(cog, at, tag.bands, 0)),
  'bands apart that are not': everywhere((cog, at) => set(cog, at, tag.planes, 2)),
  'complex numbers': everywhere((cog, at) => set(cog, at, tag.sampleFormat, 6)),
  'directories in a loop': (cog) => next(cog, directoriesOf(cog) - 1, layoutOf(cog)?.firstPlace.at ?? 8),
  'a directory that follows itself': (cog) =>
    next(cog, 0, cog.readUInt32LE(layoutOf(cog)?.firstPlace.at ?? 4)),
  'a directory beyond the end': (cog) => next(cog, 0, four - 8),
  'a first directory beyond the end': (cog) => {
    const copy = Buffer.from(cog);
    copy.writeUInt32LE(four - 8, 4);
    return copy;
  },
};

/** False blocks. */
const blocks: Readonly<Record<string, Damage>> = {
  'tiles that inflate to 256 MiB': (cog) =>
    allTilesAre(deflateSync(Buffer.alloc(256 * MiB), { level: 1 }))(cog),
  'tiles of one byte too many': allTilesAre(deflateSync(Buffer.alloc(tileBytes + 1, 7))),
  'tiles of one byte too few': allTilesAre(deflateSync(Buffer.alloc(tileBytes - 1, 7))),
  'tiles that inflate to nothing': allTilesAre(deflateSync(Buffer.alloc(0))),
  'tiles that end early': allTilesAre(deflateSync(Buffer.alloc(tileBytes, 7)).subarray(0, 40)),
  'tiles with bytes behind their end': allTilesAre(
    Buffer.concat([deflateSync(Buffer.alloc(tileBytes, 7)), Buffer.alloc(8 * MiB)]),
  ),
  'tiles with a wrong checksum': (cog) =>
    allTilesAre(Buffer.concat([deflateSync(Buffer.alloc(tileBytes, 7)).subarray(0, -4), Buffer.alloc(4, 1)]))(
      cog,
    ),
  'tiles of noise': allTilesAre(
    Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919 + (at >> 3)) & 255)),
  ),
  'ZSTD that unpacks to 256 MiB': (cog) =>
    both(saysCompression(compressions.zstd), allTilesAre(zstdCompressSync(Buffer.alloc(256 * MiB))))(cog),
  'DEFLATE called ZSTD': saysCompression(compressions.zstd),
  'DEFLATE called LZW': saysCompression(compressions.lzw),
  'DEFLATE called PackBits': saysCompression(compressions.packBits),
  'DEFLATE called JPEG': saysCompression(compressions.jpeg),
  'DEFLATE called LERC': saysCompression(compressions.lerc),
  'DEFLATE called something unknown': saysCompression(compressions.unknown),
  'DEFLATE called uncompressed': saysCompression(1),
  'LZW with a code that is not there': both(saysCompression(compressions.lzw), allTilesAre(lzwOfUnknown)),
  'LZW without an end': both(saysCompression(compressions.lzw), allTilesAre(lzwWithoutEnd)),
  'PackBits that repeats for ever': both(
    saysCompression(compressions.packBits),
    allTilesAre(Buffer.alloc(MiB, 0x81)),
  ),
};

/** Files that are not a COG. */
const others: Readonly<Record<string, Damage>> = {
  'no bytes': () => Buffer.alloc(0),
  'eight bytes': (cog) => cog.subarray(0, 8),
  'half of the file': (cog) => cog.subarray(0, cog.length >> 1),
  'a megabyte of zeros': () => Buffer.alloc(MiB),
  'a BigTIFF that points to the end of all numbers': (cog) => {
    const copy = Buffer.from(cog);
    copy.writeUInt16LE(43, 2);
    copy.writeUInt16LE(8, 4);
    copy.writeUInt16LE(0, 6);
    copy.fill(0xff, 8, 16);
    return copy;
  },
};

const seeds = 60;

/** Damages of every kind by name, and some that a seed draws. */
export const damages: Readonly<Record<string, Damage>> = {
  ...tables,
  ...blocks,
  ...others,
  ...Object.fromEntries(
    Array.from({ length: seeds }, (_, index): [string, Damage] => [
      `damage ${index} by chance`,
      (cog) => byChance(cog, index),
    ]),
  ),
};

function byChance(cog: Buffer, index: number): Buffer {
  const random = createRandom(20_260_117, index);
  for (;;) {
    const changed = random.pick(tiffMutations)(Buffer.from(cog), { random, other: cog });
    if (changed !== undefined && !changed.equals(cog)) return Buffer.from(changed);
  }
}
