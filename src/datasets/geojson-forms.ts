import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { DatasetFile } from './files.ts';

const extensions = { geojson: '.geojson', series: '.json' } as const;

/** A file with all its encoded forms. */
interface EncodedFile extends Pick<DatasetFile, 'madeFrom'> {
  readonly kind: keyof typeof extensions;
}

/** An attempt, or another writer for one dataset: `store` returns the key, in `folder` and with `extension`. */
export interface ObjectWriter {
  store(folder: string, extension: string, body: Readable): Promise<string>;
}

/** Levels beyond which more time gains little. */
export const encodingOptions = {
  gzip: { level: 6 },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
} as const;

const encoders = [
  { encoding: 'gzip', suffix: '.gz', createEncoder: () => createGzip(encodingOptions.gzip) },
  { encoding: 'br', suffix: '.br', createEncoder: () => createBrotliCompress(encodingOptions.br) },
] as const;

/** Stores a file in all its forms, one after the other. `body` is read once; the encoded forms are made from the stored file. */
export async function storeForms(
  objectStore: ObjectStore,
  body: Readable,
  writer: ObjectWriter,
  { kind, madeFrom }: EncodedFile,
): Promise<readonly DatasetFile[]> {
  const extension = extensions[kind];
  const plain = await writer.store(kind, extension, body);
  const files: DatasetFile[] = [{ kind, encoding: 'identity', key: plain, madeFrom }];
  for (const { encoding, suffix, createEncoder } of encoders) {
    const content = await objectStore.read(plain);
    // pipeline destroys the encoder with the error, so that its reader fails.
    const encoded = pipeline(content, createEncoder(), () => undefined);
    files.push({ kind, encoding, key: await writer.store(kind, extension + suffix, encoded), madeFrom });
  }
  return files;
}
