import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ObjectStore } from '../object-store/object-store.ts';

/** The columns of a dataset that name the forms of its GeoJSON: as it is, and in the encodings in which it is sent. */
export const geoJsonColumns = [
  'geojson_storage_key',
  'geojson_gzip_storage_key',
  'geojson_br_storage_key',
] as const;
type GeoJsonKeys = Readonly<Record<(typeof geoJsonColumns)[number], string>>;

/** Those that name the forms of its series. */
export const seriesColumns = [
  'series_storage_key',
  'series_gzip_storage_key',
  'series_br_storage_key',
] as const;
type SeriesKeys = Readonly<Record<(typeof seriesColumns)[number], string>>;

/** An attempt, or another writer for one dataset: `store` returns the key, which lies in `folder` and has `extension`. */
export interface ObjectWriter {
  store(folder: string, extension: string, body: Readable): Promise<string>;
}

/** Where more time stops to pay. */
export const encodingOptions = {
  gzip: { level: 6 },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
} as const;

const gzipEncoder = () => createGzip(encodingOptions.gzip);
const brEncoder = () => createBrotliCompress(encodingOptions.br);

/**
 * Stores a GeoJSON in all its forms, one after the other, and returns their keys by column. `body` is read once; the
 * encoded forms are made from what was stored.
 */
export async function storeGeoJson(
  objectStore: ObjectStore,
  body: Readable,
  writer: ObjectWriter,
): Promise<GeoJsonKeys> {
  const { plain, gzip, br } = await storeForms(objectStore, body, writer, ['geojson', '.geojson']);
  return {
    geojson_storage_key: plain,
    geojson_gzip_storage_key: gzip,
    geojson_br_storage_key: br,
  };
}

/** Stores a series in all its forms, as `storeGeoJson` does, and returns their keys by column. */
export async function storeSeries(
  objectStore: ObjectStore,
  body: Readable,
  writer: ObjectWriter,
): Promise<SeriesKeys> {
  const { plain, gzip, br } = await storeForms(objectStore, body, writer, ['series', '.json']);
  return {
    series_storage_key: plain,
    series_gzip_storage_key: gzip,
    series_br_storage_key: br,
  };
}

async function storeForms(
  objectStore: ObjectStore,
  body: Readable,
  writer: ObjectWriter,
  [folder, extension]: readonly [folder: string, extension: string],
) {
  const plain = await writer.store(folder, extension, body);
  async function storeEncoded(
    suffix: string,
    createEncoder: typeof gzipEncoder | typeof brEncoder,
  ): Promise<string> {
    const content = await objectStore.read(plain);
    // A failure reaches the reader of the encoder: pipeline destroys it with the error.
    const encoded = pipeline(content, createEncoder(), () => undefined);
    return await writer.store(folder, `${extension}${suffix}`, encoded);
  }
  const gzip = await storeEncoded('.gz', gzipEncoder);
  return { plain, gzip, br: await storeEncoded('.br', brEncoder) };
}
