import type { Cache } from '../../../lib/cache.ts';
import { KiB } from '../../../lib/units.ts';
import type { ByteSource } from '../../../geo/formats/tiff/walk.ts';
import type { ThreadContext } from '../objects/context.ts';

const pageBytes = 64 * KiB;

/** Reads an object in pages that are kept for a while: headers and block tables are read a few bytes at a time. */
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
