import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Attempt } from '../../jobs/handler.ts';
import { referenceProblems } from '../../messages/remote/english.ts';
import { measureStream, type ObjectFacts } from '../../object-store/measure.ts';
import { referenceFolder } from '../../object-store/object-store.ts';
import { createBlockDigests, writePin } from '../../remote/pin.ts';
import type { DatasetFile, FileReference } from '../files.ts';

/** A pin with the digests of its file, and the facts about that file. */
export interface PinnedFile extends ObjectFacts {
  readonly key: string;
}

/** Returns where the original of a dataset is that stays on another server. */
export function findReference(files: readonly DatasetFile[]): FileReference | undefined {
  return files.find(({ kind }) => kind === 'original')?.reference;
}

/**
 * Stores the digests of a file that has been read from another server.
 * @param read.cogPath the file itself, if the engine has kept it as the COG.
 * @throws {Problem} if the file is not a COG.
 */
export async function pinReference(
  attempt: Attempt,
  { address, etag, lastModified }: FileReference,
  read: { readonly inputPath: string; readonly cogPath: string },
): Promise<PinnedFile> {
  if (read.cogPath !== read.inputPath) throw referenceProblems.notCog();
  const blocks = createBlockDigests();
  const facts = await measureStream(createReadStream(read.cogPath), attempt.signal, blocks.push);
  const version = { address, etag: etag ?? undefined, lastModified: lastModified ?? undefined };
  const pin = writePin({ ...version, sizeBytes: facts.sizeBytes, digests: blocks.end() });
  const body = Readable.from([pin], { objectMode: false });
  return { ...facts, key: await attempt.store(referenceFolder, '.tif', body) };
}
