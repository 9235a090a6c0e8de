import { open, writeFile } from 'node:fs/promises';
import { headerBytes, readTags, withMovedBlocks, writeDirectories, type Tag } from './directories.ts';
import { readTiffLayout, type TiffLayout } from './layout.ts';
import { walkDirectories } from './walk.ts';

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
  const place = { bigTiff, start: headerBytes(bigTiff) + ghostArea.bytes };
  const directoriesFor = (shift: number) =>
    writeDirectories(
      grown.map((image) => image.map((tag) => withMovedBlocks(tag, shift, bigTiff))),
      place,
    );
  const pixelsAt = firstByteOfPixels(layout);
  // The length of directories does not depend on the places that they tell.
  const directories = directoriesFor(place.start + directoriesFor(0).bytes.length - pixelsAt);

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
