import { open, writeFile } from 'node:fs/promises';
import { readTags, writeDirectories, type Tag } from './directories.ts';
import { tags } from './image.ts';
import { readTiffLayout, type TiffLayout } from './layout.ts';
import { walkDirectories } from './walk.ts';

/** TIFF's types of places in a file: 32 bits, and 64. */
const [long, long8] = [4, 16];

/**
 * Copies a COG that GDAL wrote, giving its first image more tags: its directories grow, and all pixels move by as much.
 * @throws {BrokenTiff} when the file does not hold together.
 * @throws {Error} when the file is laid out in another way, or would have to become a BigTIFF.
 */
export async function copyWithTags(fromPath: string, toPath: string, added: readonly Tag[]): Promise<void> {
  await using from = await open(fromPath);
  const layout = await readTiffLayout(from);
  if (!layout.littleEndian) throw new Error('the COG is big-endian');
  const images = await Array.fromAsync(walkDirectories(layout), (directory) => readTags(layout, directory));
  const taken = new Set(added.map(({ number }) => number));
  const [first = [], ...others] = images;
  const grown = [[...first.filter(({ number }) => !taken.has(number)), ...added], ...others];

  const { bigTiff, ghostArea } = layout;
  const place = { bigTiff, start: (bigTiff ? 16 : 8) + ghostArea.bytes };
  const pixelsAt = firstByteOfPixels(layout);
  // The length of directories does not depend on the places that they tell.
  const shift = place.start + writeDirectories(grown, place).bytes.length - pixelsAt;
  const directories = writeDirectories(
    grown.map((image) => image.map((tag) => moved(tag, shift))),
    place,
  );

  const before = Buffer.alloc(place.start);
  await from.read(before, 0, before.length, 0);
  if (bigTiff) before.writeBigUInt64LE(BigInt(directories.first), 8);
  else before.writeUInt32LE(directories.first, 4);
  await writeFile(
    toPath,
    (async function* () {
      yield before;
      yield directories.bytes;
      yield* from.createReadStream({ start: pixelsAt, autoClose: false });
    })(),
    { flag: 'wx' },
  );
}

/** The first block lies behind all directories; what tells its length stands before it. */
function firstByteOfPixels({ directories, ghostArea, fileBytes }: TiffLayout): number {
  const first = Math.min(...directories.map(({ firstDataOffset }) => firstDataOffset ?? fileBytes));
  return ghostArea.lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4' ? first - 4 : first;
}

/** Moves the places of blocks, but not the 0 of sparse ones. @throws {Error} when one does not fit. */
function moved(tag: Tag, shift: number): Tag {
  if (tag.number !== tags.tileOffsets && tag.number !== tags.stripOffsets) return tag;
  const values = Buffer.from(tag.values);
  for (let i = 0; i < tag.count; i += 1) {
    if (tag.type === long8) {
      const at = values.readBigUInt64LE(i * 8);
      if (at > 0n) values.writeBigUInt64LE(at + BigInt(shift), i * 8);
    } else if (tag.type === long) {
      const at = values.readUInt32LE(i * 4);
      if (at > 0) values.writeUInt32LE(at + shift, i * 4);
    } else {
      throw new Error(`the places of blocks have the type ${tag.type}`);
    }
  }
  return { ...tag, values };
}
