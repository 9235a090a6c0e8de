import { makeOdd, type Mutation, oddNumber, writeNumber } from './mutation.ts';
import type { Random } from './random.ts';
import { blocksOf, type Directory, type Field, type Layout, layoutOf } from './tiff-layout.ts';

/** Tags that determine the allocated memory, the decoder of the pixels, and their place on earth. */
const weightyTags: readonly number[] = [
  254, 256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 330, 338, 339,
  347, 530, 33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113, 50674,
];
const compressions: readonly number[] = [
  1, 2, 3, 4, 5, 6, 7, 8, 32773, 32809, 32946, 34661, 34676, 34712, 34887, 34925, 50000, 50001, 50002,
];
/** Values with a meaning in one of the tags above. */
const smallWords: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64, 128, 4326, 32767];
const compressionTag = 259;

interface Drawn {
  readonly layout: Layout;
  readonly directory: Directory;
  readonly field: Field;
  readonly random: Random;
}

/** A mutation of one field, which prefers fields that matter. */
const ofField =
  (change: (bytes: Buffer, drawn: Drawn) => Buffer | undefined): Mutation =>
  (bytes, { random }) => {
    const layout = layoutOf(bytes);
    if (layout === undefined) return undefined;
    const directory = random.chance(0.7) ? layout.directories.at(0) : random.pick(layout.directories);
    if (directory === undefined || directory.fields.length === 0) return undefined;
    const weighty = directory.fields.filter(({ tag }) => weightyTags.includes(tag));
    const field = random.pick(weighty.length > 0 && random.chance(0.8) ? weighty : directory.fields);
    return change(bytes, { layout, directory, field, random });
  };

/** Changes the tag, the type, the count or the offset of a field. */
const changeEntry = ofField((bytes, { layout: { littleEndian, wordBytes }, field, random }) => {
  const put = (at: number, size: 2 | 4 | 8, value: number) =>
    writeNumber(bytes, { at: field.at + at, size }, littleEndian, BigInt(value));
  const odd = (at: number) => makeOdd(bytes, { at: field.at + at, size: wordBytes }, littleEndian, random);
  return random.pick([
    () => put(0, 2, random.chance(0.7) ? random.pick(weightyTags) : random.below(65_536)),
    () => put(2, 2, random.below(20)),
    () => odd(4),
    () =>
      random.chance(0.5) ? odd(4 + wordBytes) : put(4 + wordBytes, wordBytes, random.below(bytes.length)),
  ])();
});

const changeValue = ofField((bytes, { layout, field, random }) => {
  const index = random.below(Math.min(field.count, 64));
  const place = { at: field.valuesAt + index * field.size, size: field.size };
  if (random.chance(0.6)) return makeOdd(bytes, place, layout.littleEndian, random);
  return writeNumber(bytes, place, layout.littleEndian, BigInt(random.pick(smallWords)));
});

/** Keeps the blocks, and names another codec. */
const changeCodec = ofField((bytes, { layout, directory, random }) => {
  const field = directory.fields.find(({ tag }) => tag === compressionTag);
  if (field === undefined) return undefined;
  const place = { at: field.valuesAt, size: field.size };
  return writeNumber(bytes, place, layout.littleEndian, BigInt(random.pick(compressions)));
});

const copyField = ofField((bytes, { layout, directory, field, random }) => {
  bytes.copyWithin(random.pick(directory.fields).at, field.at, field.at + layout.entryBytes);
  return bytes;
});

const dropField = ofField((bytes, { layout, directory, field }) => {
  const end = directory.nextPlace.at + layout.wordBytes;
  bytes.copyWithin(field.at, field.at + layout.entryBytes, end);
  const left = BigInt(directory.fields.length - 1);
  return writeNumber(bytes, directory.countPlace, layout.littleEndian, left);
});

const changeNextDirectory = ofField((bytes, { layout, directory, random }) => {
  const starts = layout.directories.map(({ countPlace }) => BigInt(countPlace.at));
  const next = random.pick([...starts, oddNumber(0n, random), BigInt(random.below(bytes.length))]);
  const place = random.pick([
    directory.nextPlace,
    directory.nextPlace,
    layout.firstPlace,
    directory.countPlace,
  ]);
  return writeNumber(bytes, place, layout.littleEndian, next);
});

/** Damages data that only the decoder reads. */
const changeBlock = ofField((bytes, { layout, directory, random }) => {
  const blocks = blocksOf(bytes, layout, directory);
  if (blocks.length === 0) return undefined;
  const { start, length } = random.pick(blocks);
  const head = random.chance(0.5) ? Math.min(length, 64) : length;
  const at = start + random.below(head);
  const end = Math.min(start + length, at + 1 + random.below(random.pick([2, 8, 64, 512])));
  const change = random.below(4);
  if (change === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  else if (change === 1) bytes.fill(random.pick([0, 255]), at, end);
  else if (change === 2) bytes.copyWithin(at, start, start + (end - at));
  else for (let place = at; place < end; place += 1) bytes[place] = random.below(256);
  return bytes;
});

const changeHeader: Mutation = (bytes, { random }) => {
  if (random.chance(0.5)) return Buffer.concat([Buffer.from(random.pick(['II', 'MM'])), bytes.subarray(2)]);
  bytes[random.pick([2, 3])] = random.pick([42, 43, 0, 85]);
  return bytes;
};

export const tiffMutations: readonly Mutation[] = [
  [...Array<Mutation>(4).fill(changeEntry), changeValue, changeValue, changeValue, changeCodec],
  [copyField, dropField, changeNextDirectory],
  [changeBlock, changeBlock, changeBlock, changeHeader],
].flat();
