/** Byte sizes of the TIFF types that are written here. */
const typeSizes = { ascii: 1, byte: 1, short: 2, long: 4, double: 8, long8: 8, slong: 4 } as const;
const typeNumbers = { byte: 1, ascii: 2, short: 3, long: 4, slong: 9, double: 12, long8: 16 } as const;
type TypeName = keyof typeof typeSizes;

export interface HandmadeTag {
  readonly tag: number;
  readonly type: TypeName;
  readonly values: readonly number[] | Uint8Array;
  /** A false number of values. */
  readonly count?: number;
  /** A false offset of the values. */
  readonly at?: number;
}

export interface HandmadeImage {
  readonly tags: readonly HandmadeTag[];
  /** Tiles if a tile width is set, else strips; tags with their offsets are added. */
  readonly blocks?: readonly Uint8Array[];
}

export interface HandmadeOptions {
  readonly bigTiff?: boolean;
  /** Next directory after the last image: the number of an image, or an offset in the file. */
  readonly nextOfLast?: { readonly image: number } | { readonly at: number };
}

/** Tag numbers. */
export const tag = {
  kind: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  bands: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planes: 284,
  predictor: 317,
  colourMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subIfds: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  xmp: 700,
  pixelScale: 33550,
  tiepoint: 33922,
  geoKeys: 34735,
  geoDoubles: 34736,
  geoAscii: 34737,
  gdalMetadata: 42112,
  gdalNoData: 42113,
} as const;

const tagsOf =
  (type: TypeName) =>
  (number: number, ...values: readonly number[]): HandmadeTag => ({ tag: number, type, values });
export const longs = tagsOf('long');
export const shorts = tagsOf('short');
export const doubles = tagsOf('double');

export function ascii(number: number, text: string): HandmadeTag {
  return { tag: number, type: 'ascii', values: Buffer.from(`${text}\0`) };
}

/** Tags of an image of bytes in one band; those of `more` override them. */
export function imageTags(
  width: number,
  height: number,
  ...more: readonly HandmadeTag[]
): readonly HandmadeTag[] {
  const plain = [
    longs(tag.width, width),
    longs(tag.height, height),
    shorts(tag.bits, 8),
    shorts(tag.compression, 1),
    shorts(tag.photometric, 1),
    shorts(tag.bands, 1),
  ];
  return [...plain.filter((one) => !more.some((other) => other.tag === one.tag)), ...more];
}

/** A little-endian TIFF: header, blocks, then each directory followed by the values that do not fit into it. */
export function handmadeTiff(images: readonly HandmadeImage[], options: HandmadeOptions = {}): Buffer {
  const { bigTiff = false } = options;
  const layout = bigTiff
    ? { header: 16, count: 8, entry: 20, word: 8 }
    : { header: 8, count: 2, entry: 12, word: 4 };
  let end = layout.header;
  const place = (bytes: number): number => {
    const at = end + (end % 2);
    end = at + bytes;
    return at;
  };
  const complete = images.map(({ tags, blocks = [] }) => {
    if (blocks.length === 0) return tags;
    const isTiled = tags.some((one) => one.tag === tag.tileWidth);
    return [
      ...tags,
      longs(isTiled ? tag.tileOffsets : tag.stripOffsets, ...blocks.map((block) => place(block.length))),
      longs(isTiled ? tag.tileByteCounts : tag.stripByteCounts, ...blocks.map((block) => block.length)),
    ];
  });
  const placed = complete.map((tags) => ({
    at: place(layout.count + tags.length * layout.entry + layout.word),
    tags: tags
      .map((one) => {
        const bytes = one.values.length * typeSizes[one.type];
        return { ...one, bytes, valuesAt: bytes > layout.word ? place(bytes) : undefined };
      })
      .toSorted((a, b) => a.tag - b.tag),
  }));

  const file = Buffer.alloc(end);
  const writeWord = (value: number, at: number): void => {
    if (bigTiff) file.writeBigUInt64LE(BigInt(value), at);
    else file.writeUInt32LE(value, at);
  };
  file.write(bigTiff ? 'II+\0\x08\0' : 'II*\0', 'latin1');
  writeWord(placed[0]?.at ?? 0, bigTiff ? 8 : 4);
  placed.forEach(({ at, tags }, index) => {
    if (bigTiff) file.writeBigUInt64LE(BigInt(tags.length), at);
    else file.writeUInt16LE(tags.length, at);
    tags.forEach((one, number) => {
      const entryAt = at + layout.count + number * layout.entry;
      file.writeUInt16LE(one.tag, entryAt);
      file.writeUInt16LE(typeNumbers[one.type], entryAt + 2);
      writeWord(one.count ?? one.values.length, entryAt + 4);
      const wordAt = entryAt + 4 + layout.word;
      const valuesAt = one.valuesAt ?? wordAt;
      one.values.forEach((value, i) => writeValue(file, one.type, value, valuesAt + i * typeSizes[one.type]));
      const told = one.at ?? one.valuesAt;
      if (told !== undefined) writeWord(told, wordAt);
    });
    writeWord(
      placed[index + 1]?.at ?? endOfChain(placed, options.nextOfLast),
      at + layout.count + tags.length * layout.entry,
    );
  });
  images.forEach(({ blocks = [], tags }, index) => {
    const isTiled = tags.some((one) => one.tag === tag.tileWidth);
    const offsets = complete[index]?.find(
      (one) => one.tag === (isTiled ? tag.tileOffsets : tag.stripOffsets),
    )?.values;
    blocks.forEach((block, number) => file.set(block, offsets?.[number] ?? 0));
  });
  return file;
}

function writeValue(file: Buffer, type: TypeName, value: number, at: number): void {
  if (type === 'double') file.writeDoubleLE(value, at);
  else if (type === 'long8') file.writeBigUInt64LE(BigInt(value), at);
  else if (type === 'slong') file.writeInt32LE(value, at);
  else if (type === 'long') file.writeUInt32LE(value, at);
  else if (type === 'short') file.writeUInt16LE(value, at);
  else file.writeUInt8(value, at);
}

function endOfChain(placed: readonly { readonly at: number }[], next: HandmadeOptions['nextOfLast']): number {
  if (next === undefined) return 0;
  return 'at' in next ? next.at : (placed[next.image]?.at ?? 0);
}

/** A copy of a little-endian TIFF with another first number of a tag in the first image. */
export function withNumber(tiff: Uint8Array, number: number, value: number): Buffer {
  const copy = Buffer.from(tiff);
  const directory = copy.readUInt32LE(4);
  const entries = copy.readUInt16LE(directory);
  for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
    if (copy.readUInt16LE(at) !== number) continue;
    const size = copy.readUInt16LE(at + 2) === typeNumbers.short ? 2 : 4;
    const valueAt = copy.readUInt32LE(at + 4) * size > 4 ? copy.readUInt32LE(at + 8) : at + 8;
    if (size === 2) copy.writeUInt16LE(value, valueAt);
    else copy.writeUInt32LE(value, valueAt);
    return copy;
  }
  throw new Error(`the first image has no tag ${number}`);
}
