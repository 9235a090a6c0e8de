import assert from 'node:assert/strict';
import { fromArrayBuffer } from 'geotiff';
import type { Client } from '../client.ts';
import { fetchBytes } from './bytes.ts';

const tags = { compression: 259, colours: 320, tileWidth: 322, tileLength: 323 } as const;

export interface Tiff {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Type of the pixels, such as `uint16`. */
  readonly type: string;
  readonly noData: number | null;
  readonly epsg: unknown;
  /** Outer corner of the first pixel. */
  readonly origin: readonly number[];
  readonly resolution: readonly number[];
  readonly tile: readonly unknown[];
  readonly colours: readonly unknown[];
  /** GDAL's properties of the first band: scale, offset and metadata items. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Sizes of the overviews. */
  readonly overviews: readonly (readonly [width: number, height: number])[];
  /** Values row by row, band after band. */
  readonly values: readonly number[];
  overviewValues(index: number): Promise<readonly number[]>;
}

/** Reads a TIFF with software that the service does not use. */
export async function readTiff(bytes: Buffer): Promise<Tiff> {
  const tiff = await fromArrayBuffer(Uint8Array.from(bytes).buffer);
  const count = await tiff.getImageCount();
  const images = await Promise.all(
    Array.from({ length: count }, async (_, index) => await tiff.getImage(index)),
  );
  const [first = assert.fail('no image')] = images;
  const field = async (tag: number): Promise<unknown> =>
    first.fileDirectory.hasTag(tag) ? await first.fileDirectory.loadValue(tag) : undefined;
  const valuesOf = async (index: number): Promise<readonly number[]> => {
    const rasters = await (images[index] ?? assert.fail(`no image ${index}`)).readRasters();
    return Array.from(rasters, (band) => (typeof band === 'number' ? [band] : [...band])).flat();
  };
  const keys = first.getGeoKeys();
  const placed = first.fileDirectory.hasTag(33_922) || first.fileDirectory.hasTag(34_264);
  const items: Readonly<Record<string, unknown>> = (await first.getGDALMetadata(0)) ?? {};
  const whole: Readonly<Record<string, unknown>> = (await first.getGDALMetadata()) ?? {};
  return {
    width: first.getWidth(),
    height: first.getHeight(),
    bands: first.getSamplesPerPixel(),
    type: typeName(first.getSampleFormat(), first.getBitsPerSample()),
    noData: first.getGDALNoData(),
    epsg: keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey,
    origin: placed ? first.getOrigin() : [],
    resolution: placed ? first.getResolution() : [],
    tile: [await field(tags.tileWidth), await field(tags.tileLength)],
    colours: [...Object((await field(tags.colours)) ?? [])],
    metadata: { ...whole, ...items },
    overviews: images.slice(1).map((image) => [image.getWidth(), image.getHeight()] as const),
    values: await valuesOf(0),
    overviewValues: async (index) => await valuesOf(index + 1),
  };
}

/** Reads the COG of a dataset. */
export async function readCog(client: Pick<Client, 'baseUrl'>, id: string): Promise<Tiff> {
  const { bytes, headers } = await fetchBytes(client, 200, `/datasets/${id}.cog`);
  assert.equal(headers['content-type'], 'image/tiff');
  return await readTiff(bytes);
}

function typeName(format: number, bits: number): string {
  return `${{ 1: 'uint', 2: 'int', 3: 'float' }[format] ?? format}${bits}`;
}
