import type { Dataset } from '../service/types.ts';
import { sendForm, type Sending } from './send.ts';
import type { Destination, Slot } from './destination.ts';
import type { FileType } from './inspect.ts';

/** A larger file is sent in pieces, so that a lost connection costs little. */
const atOnceBytes = 64 * 1024 * 1024;

/** Returns true if a file is sent in pieces, and so resumes after an interruption. */
export function goesInPieces({ size }: File): boolean {
  return size > atOnceBytes;
}

/** A checked file with its destination. */
interface Queued {
  readonly file: File;
  readonly type: FileType;
  readonly destination: Destination;
  readonly slot: Slot | undefined;
}

/** Events of an upload in pieces, beside its progress. */
export interface News {
  /** The upload has resumed after this number of bytes from an earlier attempt. */
  readonly resumedBytes?: number;
  /** True if the connection is lost and the page retries automatically. */
  readonly isLost?: boolean;
}

/** The limit of the service for files of this size class. @throws {Refused} */
export async function findLimitFor(file: File, maxBytes: number): Promise<number> {
  if (!goesInPieces(file)) return maxBytes;
  const { findPiecesLimit } = await import('./pieces.ts');
  return await findPiecesLimit();
}

/** Sends a file, at once or in pieces. @throws {Refused} */
export async function sendUpload(
  upload: Queued,
  sending: Pick<Sending, 'key' | 'onProgress' | 'signal'> & { readonly onNews: (news: News) => void },
): Promise<Dataset> {
  const { file, slot } = upload;
  const fields = fieldsOf(upload);
  if (goesInPieces(file)) {
    const { sendPieces } = await import('./pieces.ts');
    const { key: _key, ...others } = sending; // an upload in pieces has an id of its own
    const ofSlot = slot === undefined ? {} : { slot: slot.code };
    return await sendPieces({ ...others, file, slot, fields: { ...fields, ...ofSlot } });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  const path = slot === undefined ? './datasets' : `./landscape/slots/${encodeURIComponent(slot.code)}`;
  return await sendForm(form, { ...sending, path });
}

/** The text parts of a form. A slot determines type, category and group. */
function fieldsOf({ file, type, destination, slot }: Queued): Readonly<Record<string, string>> {
  const { categoryId = '', groupId, meta, names, unit } = destination;
  const name = names?.get(file.name) ?? nameOf(file);
  if (slot !== undefined) return { name };
  return {
    file_type: type,
    category_id: categoryId,
    ...(groupId !== undefined && { dg_id: groupId }),
    ...(meta !== undefined && { meta: JSON.stringify(meta) }),
    ...(unit !== undefined && { unit }),
    name,
  };
}

/** The name of a file without its extension. */
function nameOf({ name }: File): string {
  return name.replace(/\.[^.]+$/, '') || name;
}
