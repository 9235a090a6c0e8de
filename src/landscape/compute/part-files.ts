import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that a batch writes, one for each node. */
export interface Parts extends AsyncDisposable {
  readonly files: { code: string; path: string }[];
  /** Writes the pixels of a tile behind those of the tiles before it, by code of the node. */
  append(pixels: ReadonlyMap<string, Float32Array | Uint8Array>): Promise<void>;
}

/** Begins the parts of a batch in its folder, over those of an attempt before. */
export async function createParts(folder: string, codes: readonly string[]): Promise<Parts> {
  await using opening = new AsyncDisposableStack();
  const handles = new Map<string, FileHandle>();
  const files = codes.map((code) => ({ code, path: join(folder, `${code}.raw`) }));
  for (const { code, path } of files) handles.set(code, opening.use(await open(path, 'w')));
  const opened = opening.move();
  return {
    files,
    async append(pixels) {
      for (const [code, { buffer, byteOffset, byteLength }] of pixels) {
        // Little-endian, as every machine is that this runs on.
        const handle = handles.get(code);
        if (handle === undefined) throw new Error(`node ${code} has no part in this batch`);
        await handle.appendFile(new Uint8Array(buffer, byteOffset, byteLength));
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
