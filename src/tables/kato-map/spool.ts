import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MiB } from '../../lib/units.ts';

const maxInMemory = 8 * MiB;

/**
 * Reads a whole text that holds a database transaction, and returns it without one: a slow store must not keep the
 * transaction open. Text beyond eight mebibytes goes to an unnamed temporary file.
 * @throws the errors of reading the text.
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

/** The file is unlinked: nothing is left of it when the process dies. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `steppe-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
