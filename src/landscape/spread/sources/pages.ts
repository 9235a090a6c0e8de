import type { ByteSource } from '../../../geo/formats/tiff/walk.ts';
import { KiB } from '../../../lib/units.ts';

const pageBytes = 64 * KiB;

/** The head of a file exceeds the limit for cached heads. */
export class HeadTooLarge extends Error {
  override readonly name = 'HeadTooLarge';
}

export interface Page {
  readonly start: number;
  readonly bytes: Buffer;
}

/** A file whose pages are read completely and cached. */
export interface PagedSource extends ByteSource {
  /** The pages that have been read, in no particular order. */
  pages(): readonly Page[];
}

/**
 * Creates a paged source.
 * @param fill reads a range of the file into a buffer, filling it.
 * @param maxBytes the limit of bytes to read.
 */
export function createPagedSource(
  { sizeBytes, maxBytes }: { readonly sizeBytes: number; readonly maxBytes: number },
  fill: (bytes: Buffer, start: number) => Promise<void>,
): PagedSource {
  const pages = new Map<number, Buffer>();
  let keptBytes = 0;

  /** Reads consecutive pages in one call. */
  async function bring(first: number, count: number): Promise<void> {
    const start = first * pageBytes;
    const bytes = Buffer.alloc(Math.min(sizeBytes, start + count * pageBytes) - start);
    keptBytes += bytes.length;
    if (keptBytes > maxBytes) throw new HeadTooLarge(`a head is larger than ${maxBytes} bytes`);
    await fill(bytes, start);
    for (let i = 0; i < count; i += 1)
      pages.set(first + i, bytes.subarray(i * pageBytes, (i + 1) * pageBytes));
  }

  return {
    sizeBytes,
    async read(at, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - at));
      if (wanted === 0) return Buffer.alloc(0);
      const [first, last] = [Math.floor(at / pageBytes), Math.floor((at + wanted - 1) / pageBytes)];
      for (let page = first; page <= last; page += 1) {
        if (pages.has(page)) continue;
        let count = 1;
        while (page + count <= last && !pages.has(page + count)) count += 1;
        await bring(page, count);
      }
      const whole = Buffer.concat(
        Array.from({ length: last - first + 1 }, (_, i) => pages.get(first + i) ?? Buffer.alloc(0)),
      );
      return whole.subarray(at - first * pageBytes, at - first * pageBytes + wanted);
    },
    pages: () => Array.from(pages, ([page, bytes]) => ({ start: page * pageBytes, bytes })),
  };
}
