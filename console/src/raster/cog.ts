import { type Affine, affineOf } from '../../../common/maps/raster/lattice.ts';
import {
  isWide,
  joinBytes,
  type Samples,
  samplesOf,
  type SampleType,
  sumRows,
  sumWords,
  swapBytes,
  wideToDoubles,
} from '../../../common/maps/raster/samples.ts';
import {
  type BandNotes,
  bandNotesOf,
  colourBandsOf,
  type Hidden,
  hiddenBy,
  numberOfGdal,
} from '../../../common/maps/raster/no-data.ts';
import type { Rgba } from '../../../common/maps/style/colour-map.ts';
import {
  addDecoder,
  BaseClient,
  BaseDecoder,
  BaseResponse,
  fromCustomClient,
  type GeoTIFF,
  type GeoTIFFImage,
  getDecoder,
} from 'geotiff';

/** Answers a request for a range of bytes, as `fetch` does. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** One resolution of a raster; sizes in pixels. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** False if the samples of a pixel are interleaved, true if each band has a separate plane. */
  readonly isPlanar: boolean;
  readonly read: (column: number, row: number, plane: number) => Promise<Samples>;
  /** Reads a tile of the mask, zero for invalid pixels, in the tile grid of the image. */
  readonly readMask: ((column: number, row: number) => Promise<Samples>) | undefined;
}

export interface Cog {
  /** From full resolution to coarse. */
  readonly levels: readonly Level[];
  readonly bands: number;
  readonly type: SampleType;
  /** The samples that represent no data. */
  readonly hidden: Hidden;
  /** Scale and offset of values, by band. */
  readonly scales: readonly Pick<BandNotes, 'scale' | 'offset'>[];
  readonly affine: Affine | undefined;
  /** EPSG code from the GeoTIFF keys of the file. */
  readonly epsg: number | undefined;
  /** Colours by value, if the file has a colour table. */
  readonly palette: readonly Rgba[] | undefined;
  /** The red, green and blue bands of a picture, counted from one. */
  readonly colourBands: readonly [number, number, number] | undefined;
  /** Colour space of the three bands. */
  readonly meaning: 'rgb' | 'ycbcr';
  /** The band with the opacity of pixels, counted from 0. */
  readonly alphaBand: number | undefined;
}

class RangeResponse extends BaseResponse {
  readonly response: Response;
  constructor(response: Response) {
    super();
    this.response = response;
  }
  override get status(): number {
    return this.response.status;
  }
  override getHeader(name: string): string | undefined {
    return this.response.headers.get(name) ?? undefined;
  }
  override async getData(): Promise<ArrayBuffer> {
    return await this.response.arrayBuffer();
  }
}

class RangeClient extends BaseClient {
  readonly fetch: Fetch;
  constructor(url: string, fetch: Fetch) {
    super(url);
    this.fetch = fetch;
  }
  override async request(options: RequestInit = {}): Promise<BaseResponse> {
    const response = await this.fetch(this.url, options);
    if (!response.ok) throw new Error(`the range was answered with ${response.status}`);
    return new RangeResponse(response);
  }
}

/** The sample format of floating point in TIFF. */
const double = 3;
const blockBytes = 65_536;
const blocksKept = 64;

/** Opens a COG by range requests. @throws Error if the service refuses or the file is not a TIFF that can be drawn */
export async function openCog(url: string, fetch: Fetch): Promise<Cog> {
  const options = { allowFullFile: false, blockSize: blockBytes, cacheSize: blocksKept };
  return await readCog(await fromCustomClient(new RangeClient(url, fetch), options));
}

/** Reads the metadata of an opened TIFF. */
export async function readCog(tiff: GeoTIFF): Promise<Cog> {
  const images: GeoTIFFImage[] = [];
  const masks: GeoTIFFImage[] = [];
  for (let index = 0, count = await tiff.getImageCount(); index < count; index += 1) {
    const image = await tiff.getImage(index);
    if (isMask(image)) masks.push(image);
    else if (index === 0 || isOverviewOf(image, images[0])) images.push(image);
  }
  const [full] = images;
  if (full === undefined) throw new Error('the file has no image');
  const type = { format: full.getSampleFormat(0), bits: full.getBitsPerSample(0) };
  const interpretation = full.fileDirectory.getValue('PhotometricInterpretation') ?? 1;
  const bands = full.getSamplesPerPixel();
  const colourBands = interpretation === 2 || interpretation === 6 ? 3 : 1;
  const extra = Array.from((await full.fileDirectory.loadValue('ExtraSamples')) ?? [], Number);
  const alpha = extra.findIndex((kind) => kind === 1 || kind === 2);
  const keys = full.getGeoKeys();
  const place = {
    pixelScale: await full.fileDirectory.loadValue('ModelPixelScale'),
    tiepoint: await full.fileDirectory.loadValue('ModelTiepoint'),
    transformation: await full.fileDirectory.loadValue('ModelTransformation'),
    isPoint: keys?.GTRasterTypeGeoKey === 2,
  };
  const noData = await textOf(full, 'GDAL_NODATA');
  const notes = bandNotesOf((await textOf(full, 'GDAL_METADATA')) ?? '', bands);
  const isPicture = colourBands === 3 && bands >= 3;
  const epsg = Number(keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey ?? Number.NaN);
  return {
    levels: await Promise.all(images.map(async (image) => await levelOf(image, masks))),
    bands,
    type,
    hidden: hiddenBy(noData === undefined ? undefined : numberOfGdal(noData), type),
    scales: notes.map(({ scale, offset }) => ({ scale, offset })),
    affine: affineOf(place),
    epsg: Number.isInteger(epsg) && epsg < 32_767 ? epsg : undefined,
    palette: interpretation === 3 ? await paletteOf(full) : undefined,
    colourBands: interpretation === 3 ? undefined : colourBandsOf(notes, isPicture),
    meaning: isPicture ? meaningOf(full) : 'rgb',
    alphaBand: alpha === -1 ? undefined : colourBands + alpha,
  };
}

function meaningOf(image: GeoTIFFImage): Cog['meaning'] {
  const tags = image.fileDirectory;
  const isJpeg = (tags.getValue('Compression') ?? 1) === 7;
  return isJpeg && (tags.getValue('PhotometricInterpretation') ?? 1) === 6 ? 'ycbcr' : 'rgb';
}

function isOverviewOf(image: GeoTIFFImage, full: GeoTIFFImage | undefined): boolean {
  const kind = image.fileDirectory.getValue('NewSubfileType') ?? 0;
  return (kind & 1) === 1 && full !== undefined && image.getWidth() <= full.getWidth();
}

async function levelOf(image: GeoTIFFImage, masks: readonly GeoTIFFImage[]): Promise<Level> {
  const [width, height] = [image.getWidth(), image.getHeight()];
  const mask = masks.find((mask) => mask.getWidth() === width && mask.getHeight() === height);
  const read = await readerOf(image);
  const readMask = mask === undefined ? undefined : await readerOf(mask);
  const isAlike =
    mask === undefined ||
    (mask.getTileWidth() === image.getTileWidth() && mask.getTileHeight() === image.getTileHeight());
  if (!isAlike) throw new Error('the mask has other tiles than the image');
  return {
    width,
    height,
    tileWidth: image.getTileWidth(),
    tileHeight: image.getTileHeight(),
    isPlanar: image.planarConfiguration === 2,
    read,
    readMask: readMask === undefined ? undefined : async (column, row) => await readMask(column, row, 0),
  };
}

async function readerOf(image: GeoTIFFImage): Promise<Level['read']> {
  const type = { format: image.getSampleFormat(0), bits: image.getBitsPerSample(0) };
  const compression = image.fileDirectory.getValue('Compression') ?? 1;
  const predictor = (await image.fileDirectory.loadValue('Predictor')) ?? 1;
  // The decoders of JPEG, LERC and WebP write in native byte order, and so does the decoder of predictor 3.
  const isForeign = !image.littleEndian && ![7, 34887, 50001].includes(compression) && predictor !== 3;
  const width = type.bits / 8;
  const swaps = isForeign && width > 1 && Number.isInteger(width);
  const joins = predictor === 3 && (type.bits === 32 || type.bits === 64);
  const widens = isWide(type);
  // The library has no arrays for integers of 64 bits, so it is asked for the bytes as doubles, for these alone.
  if (widens) image.getSampleFormat = (sample) => (sample === undefined ? double : type.format);
  const decoder = await decoderOf(image, joins || ((swaps || widens) && predictor === 2) ? 1 : predictor);
  const isPlanar = image.planarConfiguration === 2;
  const stride = isPlanar ? 1 : image.getSamplesPerPixel();
  return async (column, row, plane) => {
    const { data } = await image.getTileOrStrip(column, row, plane, decoder);
    const bytes = data instanceof ArrayBuffer ? data : new Uint8Array(data).slice().buffer;
    // Uncompressed data is a view of the cache of ranges, which must not change.
    const own = new Uint8Array(swaps || widens ? bytes.slice(0) : bytes);
    if (joins) {
      const joined = joinBytes(own, image.getTileWidth() * stride, stride, width === 4 ? 4 : 8);
      return samplesOf(joined, type);
    }
    if (swaps) swapBytes(own, width);
    if (widens) {
      const rowSamples = image.getTileWidth() * stride;
      if (predictor === 2)
        sumWords(new BigUint64Array(own.buffer, 0, Math.floor(own.length / 8)), rowSamples, stride);
      wideToDoubles(own, type);
      return samplesOf(own, type);
    }
    const samples = samplesOf(own, type);
    if (swaps && predictor === 2) sumRows(samples, image.getTileWidth() * stride, stride);
    return samples;
  };
}

type Decoder = Awaited<ReturnType<typeof getDecoder>>;

/** DEFLATE by the platform, which takes a third less time than a script. */
class DeflateDecoder extends BaseDecoder {
  override async decodeBlock(bytes: ArrayBuffer): Promise<ArrayBuffer> {
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await new Response(inflated).arrayBuffer();
  }
}
addDecoder([8, 32946], async () => DeflateDecoder);

/** The parameters for decoding the tiles of an image; `predictor` is 1 if the reader undoes it itself. */
export async function decoderOf(image: GeoTIFFImage, predictor: number): Promise<Decoder> {
  const tags = image.fileDirectory;
  const compression = tags.getValue('Compression') ?? 1;
  const parameters = {
    tileWidth: image.getTileWidth(),
    tileHeight: image.getTileHeight(),
    planarConfiguration: image.planarConfiguration,
    bitsPerSample: Array.from((await tags.loadValue('BitsPerSample')) ?? [1], Number),
    predictor,
    samplesPerPixel: image.getSamplesPerPixel(),
    JPEGTables: await tags.loadValue('JPEGTables'),
    LercParameters: await tags.loadValue('LercParameters'),
  };
  return await getDecoder(compression, parameters);
}

/** Returns true if an image is the validity mask of another. */
export function isMask(image: GeoTIFFImage): boolean {
  return ((image.fileDirectory.getValue('NewSubfileType') ?? 0) & 4) === 4;
}

/** The colour table of an image, by value; TIFF has 16 bits for each component. */
export async function paletteOf(image: GeoTIFFImage): Promise<readonly Rgba[] | undefined> {
  const table = await image.fileDirectory.loadValue('ColorMap');
  if (table === undefined) return undefined;
  const parts = Array.from(table, (part) => part >> 8);
  const count = parts.length / 3;
  return Array.from({ length: count }, (_, index) => [
    parts[index] ?? 0,
    parts[count + index] ?? 0,
    parts[2 * count + index] ?? 0,
    255,
  ]);
}

/** The text of a tag up to its first NUL; undefined if there is no such tag. */
export async function textOf(
  image: GeoTIFFImage,
  tag: 'GDAL_NODATA' | 'GDAL_METADATA',
): Promise<string | undefined> {
  if (!image.fileDirectory.hasTag(tag)) return undefined;
  const text: unknown = await image.fileDirectory.loadValue(tag);
  return String(text).replace(/\0.*$/s, '');
}
