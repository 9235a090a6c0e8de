import { KiB } from '../lib/units.ts';
import type { ByteRange } from '../object-store/object-store.ts';
import type { NamelessFile } from './nameless.ts';

/** Bytes that are read ahead for a client; each client holds one or two such buffers. */
const readAtOnce = 64 * KiB;

/** A request that waits for a file or receives it. */
export interface Reader {
  readonly client: string;
  /** Time of its last progress, by `performance.now()`. */
  movedAt: number;
  /** Aborts when others need the space of the file. */
  readonly cut: AbortController;
}

export type SpooledFile = ReturnType<typeof createSpooledFile>;

/** Creates a file that is read while it is written: readers at its end wait for more. */
export function createSpooledFile(key: string) {
  const writing = new AbortController();
  const readers = new Set<Reader>();
  let content: NamelessFile | undefined;
  let state: 'writing' | 'whole' | 'failed' = 'writing';
  let failure: unknown;
  let news = Promise.withResolvers<void>();

  function tell(): void {
    news.resolve();
    news = Promise.withResolvers();
  }

  /** Resolves when the file is complete or has this many bytes. @throws the error that ended the writing */
  async function reaches(bytes: number): Promise<void> {
    for (const isEnough = () => state === 'whole' || sizeBytes() >= bytes; !isEnough();) {
      if (state === 'failed') throw failure;
      await news.promise;
    }
  }

  const sizeBytes = (): number => content?.sizeBytes ?? 0;

  return {
    key,
    readers,
    writing,
    sizeBytes,
    isWhole: () => state === 'whole',
    hasEnded: () => state !== 'writing',
    reaches,
    /** Takes over the contents; called after each growth. */
    grow(into: NamelessFile): void {
      content = into;
      tell();
    },
    finish(): void {
      state = 'whole';
      tell();
    },
    fail(error: unknown): void {
      [state, failure] = ['failed', error];
      tell();
    },
    /** Yields a range of the file, or all of it, lazily. */
    async *read(
      reader: Reader,
      { start, end }: ByteRange = { start: 0, end: Infinity },
    ): AsyncGenerator<Buffer> {
      for (let at = start; at <= end;) {
        await reaches(at + 1);
        const length = Math.min(readAtOnce, sizeBytes() - at, end - at + 1);
        if (content === undefined || length <= 0) return;
        const bytes = Buffer.allocUnsafeSlow(length);
        const found = await content.read(bytes, at);
        if (found === 0) throw new Error(`the file ends before byte ${at}`);
        at += found;
        yield found === length ? bytes : bytes.subarray(0, found);
        reader.movedAt = performance.now();
      }
    },
    close: () => content?.[Symbol.dispose](),
  };
}
