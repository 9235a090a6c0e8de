import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  readTiffHead,
  type Stretch,
  stretchesUnder,
  type TiffHead,
} from '../../../geo/formats/tiff/needed-bytes.ts';
import { BrokenTiff } from '../../../geo/formats/tiff/walk.ts';
import type { RasterWindow } from '../../../geo/raster-reader.ts';
import { createCache } from '../../../../common/cache.ts';
import { inParallel } from '../../../lib/concurrency/limiter.ts';
import { MiB } from '../../../lib/units.ts';
import { ObjectMissing, type ObjectReader } from '../../../object-store/object-store.ts';
import { createPagedSource, HeadTooLarge, type PagedSource } from './pages.ts';

/** Limit of the head of one file. A file of 27 gigapixels in tiles of 512 has 2 MiB. */
const maxHeadBytes = 64 * MiB;
const keptHeadBytes = 128 * MiB;
const readsAtOnce = 4;

/** The known head of a stored raster. */
interface KnownHead {
  readonly head: TiffHead;
  readonly source: PagedSource;
}

export interface SparseRequest {
  readonly key: string;
  /** The path of the file, which does not exist yet. */
  readonly path: string;
  /** The pixels that will be read; empty for a file that is only opened. */
  readonly windows: readonly RasterWindow[];
  readonly signal: AbortSignal;
}

/** Creates a downloader for parts of stored rasters; it caches their heads. */
export function createSparseFiles(store: ObjectReader) {
  const heads = createCache<KnownHead>({
    maxBytes: keptHeadBytes,
    bytesOf: ({ source }) => source.pages().reduce((sum, { bytes }) => sum + bytes.length, 0),
  });

  async function readHead(key: string): Promise<KnownHead> {
    using object = await store.open(key);
    if (object === undefined) throw new ObjectMissing(key);
    const { sizeBytes } = object;
    const source = createPagedSource({ sizeBytes, maxBytes: maxHeadBytes }, object.fill);
    return { head: await readTiffHead(source), source };
  }

  return {
    /**
     * Writes a file that GDAL opens like the whole raster, with the pixels of some windows. It has the length of the whole; the rest is a
     * hole that reads as zeros, so that readers must stay within the windows.
     * @returns the number of downloaded bytes; undefined, without a file, for a raster without separable parts.
     * @throws {ObjectMissing}
     * @throws {StoreUnavailable}
     */
    async bring({ key, path, windows, signal }: SparseRequest): Promise<number | undefined> {
      try {
        const { head, source } = await heads.get(key, async () => await readHead(key));
        const stretches = await stretchesUnder(head, windows);
        const pages = source.pages();
        await writeHead(path, source.sizeBytes, pages);
        await inParallel(
          stretches,
          { limit: readsAtOnce, signal },
          async (stretch, each) => await bringStretch(store, { key, path, stretch, signal: each }),
        );
        return [
          ...pages.map(({ bytes }) => bytes.length),
          ...stretches.map(({ start, end }) => end - start),
        ].reduce((sum, bytes) => sum + bytes, 0);
      } catch (error) {
        await rm(path, { force: true });
        if (error instanceof BrokenTiff || error instanceof HeadTooLarge) return undefined;
        throw error;
      }
    },
  };
}

async function writeHead(path: string, sizeBytes: number, pages: ReturnType<PagedSource['pages']>) {
  await using file = await open(path, 'wx', 0o600);
  await file.truncate(sizeBytes);
  for (const { start, bytes } of pages) await file.write(bytes, 0, bytes.length, start);
}

async function bringStretch(
  store: ObjectReader,
  { key, path, stretch, signal }: Omit<SparseRequest, 'windows'> & { readonly stretch: Stretch },
): Promise<void> {
  const { start, end } = stretch;
  const body = await store.read(key, { start, end: end - 1 }, { signal });
  const file = createWriteStream(path, { flags: 'r+', start });
  await pipeline(body, file, { signal });
  if (file.bytesWritten !== end - start)
    throw new Error(`the store gave ${file.bytesWritten} bytes of ${end - start} of ${key}`);
}
