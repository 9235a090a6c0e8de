import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MiB } from '../../lib/units.ts';

const maxInMemory = 8 * MiB;

/**
 * Takes all of a text that holds a database transaction while it is read, and gives it again without one: a store that is
 * slow must not keep the transaction open. What is larger than eight mebibytes waits in a temporary file without a name.
 * @throws what reading the text throws.
 */
export async function spooled(text: AsyncIterable<string>, maxBytes = maxInMemory): Promise<Readable> {
  const kept: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const piece of text) {
      const chunk = Buffer.from(piece);
      kept.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) continue;
      file ??= await openNameless();
      await file.appendFile(Buffer.concat(kept.splice(0)));
      bytes = 0;
    }
    if (file === undefined) return Readable.from(kept, { objectMode: false });
    await file.appendFile(Buffer.concat(kept));
    return file.createReadStream({ start: 0 });
  } catch (error) {
    await file?.close();
    throw error;
  }
}

/** Nothing is left of it, whichever process dies. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `steppe-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
