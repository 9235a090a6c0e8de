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

/** An attempt, or another writer for one dataset: `store` returns the key, which lies in `folder` and has `extension`. */
interface ObjectWriter {
  store(folder: string, extension: string, body: Readable): Promise<string>;
}

/** Where more time stops to pay. */
export const encodingOptions = {
  gzip: { level: 6 },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
} as const;

const gzip = () => createGzip(encodingOptions.gzip);
const brotli = () => createBrotliCompress(encodingOptions.br);

/**
 * Stores a GeoJSON in all its forms, one after the other, and returns their keys by column. `body` is read once and as fast
 * as the store takes it, because it may hold a connection to the database; the encoded forms are made from what was stored.
 */
export async function storeGeoJson(
  objectStore: ObjectStore,
  body: Readable,
  writer: ObjectWriter,
): Promise<GeoJsonKeys> {
  const key = await writer.store('geojson', '.geojson', body);
  async function storeEncoded(
    extension: string,
    createEncoder: typeof gzip | typeof brotli,
  ): Promise<string> {
    const content = await objectStore.read(key);
    // A failure reaches whoever reads the encoder: pipeline destroys it with the error.
    const encoded = pipeline(content, createEncoder(), () => undefined);
    return await writer.store('geojson', extension, encoded);
  }
  return {
    geojson_storage_key: key,
    geojson_gzip_storage_key: await storeEncoded('.geojson.gz', gzip),
    geojson_br_storage_key: await storeEncoded('.geojson.br', brotli),
  };
}
