import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults } from '../../messages/request/english.ts';

/** Position of a dataset in the list of all, newest first. */
export interface DatasetKey {
  readonly created_at: Date;
  readonly id: string;
}

const version = 1;
const latestMs = 2 ** 48 - 1;

/** A position in the list for clients: a version, milliseconds since 1970 and the id, in 24 bytes of base64url. */
export const Cursor = z
  .string()
  .refine((text) => readCursor(text) !== undefined, { error: messageText(fieldFaults.notACursor) })
  .meta({ pattern: '^AQ[A-Za-z0-9_-]{30}$' });

/** Encodes a position in the list; undefined for a dataset from before 1970, which only page numbers reach. */
export function writeCursor({ created_at, id }: DatasetKey): string | undefined {
  const ms = created_at.getTime();
  if (ms < 0 || ms > latestMs) return undefined;
  const bytes = Buffer.alloc(24);
  bytes.writeUInt8(version, 0);
  bytes.writeUIntBE(ms, 2, 6);
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes.toString('base64url');
}

/** Decodes a position in the list; undefined for any text that `writeCursor` does not produce. */
export function readCursor(text: string): DatasetKey | undefined {
  if (text.length !== 32) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const hex = bytes.toString('hex', 8);
  const key = {
    created_at: new Date(bytes.readUIntBE(2, 6)),
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
  return writeCursor(key) === text ? key : undefined;
}
