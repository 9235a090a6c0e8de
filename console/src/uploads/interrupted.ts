import { refusedOf } from '../service/fetch.ts';
import type { Destination } from './destination.ts';
import {
  findClaimed,
  fingerprintOf,
  forgetInterrupted,
  forgetUpload,
  type Interrupted,
  interrupted,
  isClaimedHere,
  type UnfinishedUpload,
  unfinishedUploads,
} from './unfinished-uploads.ts';
import { giveUp } from './pieces.ts';
import { openSourceFiles } from './source-files.ts';
import { addFiles } from './uploads.ts';
import { get } from '../service/request.ts';

/** Finds the uploads that an earlier visit did not finish and that no open tab continues. */
export async function findInterrupted(): Promise<void> {
  const attended = await findClaimed();
  const left = unfinishedUploads().filter(({ id }) => !attended.has(id));
  const found = await Promise.all(left.map(findUpload));
  // The person may have chosen the file meanwhile.
  interrupted.value = found.filter((each) => each !== undefined).filter(({ id }) => !isClaimedHere(id));
}

/** Requests the progress of an upload, and forgets one that has ended. */
async function findUpload(stored: UnfinishedUpload): Promise<Interrupted | undefined> {
  const seen = await get('/uploads/{id}', { path: { id: stored.id }, isBackground: true }).catch(refusedOf);
  const isGone = seen instanceof Error && (seen.status === 404 || seen.status === 410);
  if (isGone || (!(seen instanceof Error) && (seen.dataset_id ?? seen.source_file_id) !== null))
    forgetUpload(fingerprintOf(stored.file, stored.fields));
  else if (!(seen instanceof Error)) return { ...stored, received: seen.received };
  return undefined;
}

/** Continues an upload if this is its unchanged file; returns true if it is. */
export function goOnWith({ id, file: wanted, fields, slot }: Interrupted, file: File): boolean {
  if (fingerprintOf(file, fields) !== fingerprintOf(wanted, fields)) return false;
  forgetInterrupted(id);
  if (fields['use'] === 'rasters') {
    openSourceFiles([file]);
    return true;
  }
  const isTable = fields['file_type'] === 'vector_with_kato';
  addFiles([file], async () => await Promise.resolve(destinationOf(fields, file)), { slot, isTable });
  return true;
}

/** The destination of the file, with its other fields. */
function destinationOf(
  { category_id: categoryId = '', dg_id: groupId, meta, name, unit }: Interrupted['fields'],
  file: File,
): Destination {
  return {
    categoryId,
    maxBytes: Infinity,
    ...(name !== undefined && { names: new Map([[file.name, name]]) }),
    ...(groupId !== undefined && { groupId }),
    ...(meta !== undefined && { meta: Object(JSON.parse(meta)) }),
    ...(unit !== undefined && { unit }),
  };
}

/** Deletes the received part of an upload. */
export function discard({ file, fields }: Interrupted): void {
  void giveUp(fingerprintOf(file, fields));
}
