import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { RandomAccessReader } from 'yauzl';
import { KiB } from '../../../common/units.ts';

const chunkBytes = 256 * KiB;

type Callback = (error: Error | null) => void;
type ReadArguments = [buffer: Buffer, offset: number, length: number, position: number, callback: Callback];

/** Reads an archive for yauzl; places beyond its end, which a hostile one may name, are an error like any other. */
export class FileReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #bytes: number;

  /** Takes over the open file, which has so many bytes. */
  constructor(file: FileHandle, bytes: number) {
    super();
    this.#file = file;
    this.#bytes = bytes;
  }

  override read(...[buffer, offset, length, position, callback]: ReadArguments): void {
    if (position + length > this.#bytes) {
      setImmediate(callback, new Error('the archive ends before what it points to'));
      return;
    }
    read(this.#file.fd, buffer, offset, length, position, (error, bytesRead) => {
      callback(error ?? (bytesRead < length ? new Error('the archive became shorter') : null));
    });
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const wanted = Math.min(chunkBytes, end - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override close(callback: Callback): void {
    callbackify(() => this.#file.close())(callback);
  }
}
