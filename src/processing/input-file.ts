import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf } from '../datasets/original/file-name.ts';
import type { DatasetRow } from '../datasets/schema.ts';
import { uploadProblems } from '../messages/uploads.ts';
import type { EngineTask } from '../geo/engine.ts';
import { bringObject } from '../object-store/bring-object.ts';
import { ObjectMissing } from '../object-store/object-store.ts';
import type { Attempt } from '../jobs/handler.ts';
import type { ProcessingDependencies } from './dependencies.ts';

/**
 * Brings the uploaded file into the attempt's scratch folder, under its own extension, ready for the engine: the stored
 * file itself, without a copy, where the engine's child cannot write to it.
 */
export async function fetchInput(
  { objectStore, engine }: Pick<ProcessingDependencies, 'objectStore' | 'engine'>,
  attempt: Attempt,
  { storage_key: key, filename }: Pick<DatasetRow, 'storage_key' | 'filename'>,
): Promise<EngineTask> {
  const inputPath = join(attempt.scratch, `input${extensionOf(filename)}`);
  const scratch = join(attempt.scratch, 'engine');
  await mkdir(scratch);
  try {
    const { signal } = attempt;
    await bringObject(objectStore, key, { path: inputPath, isGuarded: engine.guardsInput, signal });
  } catch (error) {
    throw error instanceof ObjectMissing ? uploadProblems.fileGone().because(error) : error;
  }
  return { inputPath, scratch, signal: attempt.signal };
}
