import { open } from 'node:fs/promises';
import { MiB } from '../../../common/units.ts';

export interface BlockWriter {
  /** Takes note of text; writes when a block is full. */
  write(piece: string | Uint8Array): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Opens a new file for many small pieces of text. */
export async function openBlockWriter(path: string): Promise<BlockWriter> {
  const file = await open(path, 'w');
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    const block = Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    await file.writeFile(block);
  };
  return {
    write(piece) {
      const bits = typeof piece === 'string' ? Buffer.from(piece) : piece;
      pieces.push(bits);
      bytes += bits.length;
      return bytes >= MiB ? flush() : undefined;
    },
    async close() {
      try {
        await flush();
      } finally {
        await file.close();
      }
    },
  };
}
