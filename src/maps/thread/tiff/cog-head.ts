import { isDrawable, readImage, type TiffImage } from '../../../geo/formats/tiff/image.ts';
import {
  BrokenTiff,
  type ByteSource,
  type Directory,
  openTiffIn,
  type TiffFile,
  walkDirectories,
} from '../../../geo/formats/tiff/walk.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import {
  type BandNotes,
  bandNotesOf,
  colourBandsOf,
  type Hidden,
  hiddenBy,
  numberOfGdal,
} from '../../../../common/maps/raster/no-data.ts';
import type { SampleType } from '../../../../common/maps/raster/samples.ts';
import type { Cache } from '../../../../common/cache.ts';
import { KiB } from '../../../lib/units.ts';
import type { ThreadContext } from '../objects/context.ts';

/** Encoding of the samples in a block. */
export interface BlockFormat extends SampleType {
  /** TIFF number of the compression. */
  readonly compression: number;
  readonly predictor: number;
  readonly littleEndian: boolean;
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Interleaved samples per pixel in a block; 1 if bands have separate blocks. */
  readonly samplesPerPixel: number;
}

/** An image of a COG: a resolution of it, or a mask. */
export interface CogImage {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly isPlanar: boolean;
  /** Number of blocks per row. */
  readonly across: number;
  readonly blocksPerPlane: number;
  readonly format: BlockFormat;
  /** Size of a block before compression. */
  readonly blockBytes: number;
  readonly tables: NonNullable<TiffImage['tables']>;
}

/** Header of a COG, as far as drawing needs it. */
export interface CogHead {
  readonly tiff: TiffFile;
  /** From full resolution to coarse. */
  readonly levels: readonly { readonly image: CogImage; readonly mask: CogImage | undefined }[];
  readonly bands: number;
  readonly type: SampleType;
  /** Samples that represent no data. */
  readonly hidden: Hidden;
  /** Sample value in blocks that the file omits. */
  readonly emptySample: number;
  /** Scale and offset of each band. */
  readonly scales: readonly Pick<BandNotes, 'scale' | 'offset'>[];
  /** Colours by value, if the file has a colour table. */
  readonly palette: readonly Rgba[] | undefined;
  /** Red, green and blue bands, counted from one, if the raster is an image. */
  readonly colourBands: readonly [number, number, number] | undefined;
  /** False for a compression, colour model or sample type that is not supported here. */
  readonly isDrawable: boolean;
  /** Alpha band, counted from 0. */
  readonly alphaBand: number | undefined;
}

const tags = {
  bitsPerSample: 258,
  predictor: 317,
  colorMap: 320,
  extraSamples: 338,
  gdalMetadata: 42_112,
  gdalNoData: 42_113,
} as const;
const [rgb, paletteColour] = [2, 3];
const unknown = 4;
/** A COG has one image per halving of its size, and as many masks. */
const maxImages = 64;
const maxBands = 4096;
const maxNoDataCharacters = 64;
const maxMetadataCharacters = 4_194_304;
/** Colours of a table with 16-bit indices. */
const maxColours = 65_536;

interface FoundImage {
  readonly directory: Directory;
  readonly image: TiffImage;
}

/** Reads the head of a COG. @throws {BrokenTiff} if it is inconsistent. */
export async function readCogHead(source: ByteSource): Promise<CogHead> {
  const tiff = await openTiffIn(source);
  const images: FoundImage[] = [];
  const masks: FoundImage[] = [];
  for await (const directory of walkDirectories(tiff)) {
    if (images.length + masks.length >= maxImages)
      throw new BrokenTiff('there are too many images', 'endless');
    const image = await readImage(directory);
    if (image === undefined) throw new BrokenTiff('an image has no size');
    if (image.mask) masks.push({ directory, image });
    else if (images.length === 0 || image.reduced) images.push({ directory, image });
  }
  const [full] = images;
  if (full === undefined) throw new BrokenTiff('there is no image');
  const { bands, bitsPerValue: bits } = full.image;
  if (bands < 1 || bands > maxBands) throw new BrokenTiff(`there are ${bands} bands`);
  const { photometric } = full.image;
  // An unknown format means integers, as in GDAL.
  const format = full.image.sampleFormat === unknown ? 1 : full.image.sampleFormat;
  const type = { format, bits };
  const noData = await noDataOf(tiff, full.directory);
  const hidden = hiddenBy(noData, type);
  const notes = bandNotesOf(
    await textOf(tiff, full.directory, tags.gdalMetadata, maxMetadataCharacters),
    bands,
  );
  const isPalette = photometric === paletteColour;
  const levels: CogHead['levels'][number][] = [];
  for (const found of images) {
    const mask = masks.find(({ image }) => hasSizeOf(image, found.image));
    levels.push({
      image: await toCogImage(tiff, found, { bits, format, bands }),
      mask: mask && (await toCogImage(tiff, mask, { bits: mask.image.bitsPerValue, format: 1, bands: 1 })),
    });
  }
  return {
    tiff,
    levels: levels.toSorted((a, b) => b.image.width - a.image.width),
    bands,
    type,
    hidden,
    emptySample: Number.isNaN(hidden.least) ? emptySampleOf(noData, type) : hidden.least,
    scales: notes.map(({ scale, offset }) => ({ scale, offset })),
    palette: isPalette ? await paletteOf(full.directory, bits) : undefined,
    colourBands: isPalette ? undefined : colourBandsOf(notes, photometric === rgb),
    isDrawable: isDrawable([...images, ...masks].map(({ image }) => image)),
    alphaBand: await alphaBandOf(full.directory, photometric === rgb ? 3 : 1),
  };
}

function hasSizeOf(one: TiffImage, other: TiffImage): boolean {
  return one.width === other.width && one.height === other.height;
}

async function toCogImage(
  tiff: TiffFile,
  { directory, image }: FoundImage,
  { bits, format, bands }: SampleType & { readonly bands: number },
): Promise<CogImage> {
  const { width, height, tile, tables, compression, separatePlanes: isPlanar } = image;
  if (tile === undefined || tables === undefined || width < 1 || height < 1)
    throw new BrokenTiff('an image is not tiled');
  if (image.bands !== bands || image.bitsPerValue !== bits)
    throw new BrokenTiff('an overview has other samples than the image');
  const samplesPerPixel = isPlanar ? 1 : bands;
  return {
    width,
    height,
    tileWidth: tile.width,
    tileHeight: tile.height,
    isPlanar,
    across: Math.ceil(width / tile.width),
    blocksPerPlane: image.blocksPerPlane,
    format: {
      bits,
      format,
      compression,
      predictor: (await directory.number(tags.predictor)) ?? 1,
      littleEndian: tiff.littleEndian,
      tileWidth: tile.width,
      tileHeight: tile.height,
      samplesPerPixel,
    },
    blockBytes: Math.ceil((tile.width * bits * samplesPerPixel) / 8) * tile.height,
    tables,
  };
}

/** GDAL fills omitted blocks with the nodata value, if samples can represent it. */
function emptySampleOf(noData: number | undefined, { format }: SampleType): number {
  return format === 3 ? (noData ?? 0) : 0;
}

/** GDAL stores the nodata value as text. */
async function noDataOf(tiff: TiffFile, directory: Directory): Promise<number | undefined> {
  const entry = directory.entries.get(tags.gdalNoData);
  if (entry === undefined || entry.size !== 1) return undefined;
  return numberOfGdal(await textOf(tiff, directory, tags.gdalNoData, maxNoDataCharacters));
}

/** Returns the first characters of the text of a tag, up to a 0; empty without the tag. */
async function textOf(
  tiff: TiffFile,
  { entries }: Directory,
  tag: number,
  maxCharacters: number,
): Promise<string> {
  const entry = entries.get(tag);
  if (entry === undefined || entry.size !== 1) return '';
  // The value may be inside the directory entry; its position is then the entry's.
  const { buffer, byteOffset, byteLength } = await tiff.read(entry.at, Math.min(entry.count, maxCharacters));
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8').replace(/\0.*$/s, '');
}

async function paletteOf(directory: Directory, bits: number): Promise<readonly Rgba[] | undefined> {
  const parts = await directory.numbers(tags.colorMap, 3 * maxColours);
  const count = Math.min(Math.floor(parts.length / 3), 2 ** bits);
  if (count === 0) return undefined;
  const all = Math.floor(parts.length / 3);
  const part = (index: number) => (parts[index] ?? 0) >> 8;
  return Array.from({ length: count }, (_, i) => [part(i), part(all + i), part(2 * all + i), 255] as const);
}

async function alphaBandOf(directory: Directory, colourBands: number): Promise<number | undefined> {
  const extra = await directory.numbers(tags.extraSamples, maxBands);
  const at = extra.findIndex((kind) => kind === 1 || kind === 2);
  return at === -1 ? undefined : colourBands + at;
}

const pageBytes = 64 * KiB;

/** Reads an object in cached pages: headers and block tables are read a few bytes at a time. */
export function readInPages(
  context: ThreadContext,
  cache: Cache<Uint8Array>,
  { key, sizeBytes }: { readonly key: string; readonly sizeBytes: number },
): ByteSource {
  const pageAt = async (index: number) =>
    await cache.get(`${key} ${index}`, async () => await context.read(key, index * pageBytes, pageBytes));
  return {
    sizeBytes,
    async read(at, length) {
      const bytes = new Uint8Array(length);
      let end = at;
      for (let start = at - (at % pageBytes); start < at + length && end >= start; start += pageBytes) {
        const page = await pageAt(start / pageBytes);
        const part = page.subarray(
          Math.max(0, at - start),
          Math.max(0, Math.min(page.length, at + length - start)),
        );
        bytes.set(part, end - at);
        end += part.length;
      }
      return bytes.subarray(0, end - at);
    },
  };
}
