import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extensionOf } from '../datasets/original/file-name.ts';
import type { DatasetRow } from '../datasets/schema.ts';
import { uploadProblems } from '../messages/uploads.ts';
import type { EngineTask } from '../geo/engine.ts';
import { ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { Attempt } from '../jobs/handler.ts';

/** Brings the uploaded file into the attempt's scratch folder, under its own extension, ready for the engine. */
export async function fetchInput(
  store: ObjectStore,
  attempt: Attempt,
  file: Pick<DatasetRow, 'storage_key' | 'filename'>,
): Promise<EngineTask> {
  const inputPath = join(attempt.scratch, `input${extensionOf(file.filename)}`);
  const scratch = join(attempt.scratch, 'engine');
  await mkdir(scratch);
  const original = await store.read(file.storage_key).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? uploadProblems.fileGone().because(error) : error;
  });
  await pipeline(original, createWriteStream(inputPath), { signal: attempt.signal });
  return { inputPath, scratch, signal: attempt.signal };
}
