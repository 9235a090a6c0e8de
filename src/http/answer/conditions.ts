import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../../object-store/object-store.ts';

const entityTag = /(?:W\/)?("[^"]*")/g;

/** Returns the strong ETag of content that this text is, or identifies. */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'hex').slice(0, 32)}"`;
}

/** Everything that some bytes depend on. */
export type Parts = readonly (string | number | null)[];

/** Returns the strong ETag of content that depends on these parts. */
export const etagOfParts = (parts: Parts): string => etagOf(JSON.stringify(parts));

/** Returns true if an optional `If-Match` holds for this strong ETag (RFC 9110 section 13.1.1). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return [...header.matchAll(entityTag)].some(([tag]) => tag === etag);
}

/** Returns true if an `If-None-Match` lists this strong ETag (weak comparison, RFC 9110 section 13.1.2). */
export function isListed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(entityTag)].some(([, opaque]) => opaque === etag);
}

type Range = ByteRange | 'unsatisfiable';

/**
 * Returns the single range that a GET requests; undefined if the whole content has to be sent: for no range, several
 * ranges, a malformed range, or one that `If-Range` invalidates (a date never equals an ETag).
 */
export function requestedRange(headers: IncomingHttpHeaders, size: number, etag: string): Range | undefined {
  const ifRange = [headers['if-range']].flat()[0];
  if (headers.range === undefined || (ifRange !== undefined && ifRange.trim() !== etag)) return undefined;
  const [, first = '', last = ''] = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.range) ?? [];
  if (first === '') return last === '' ? undefined : suffixRange(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

function suffixRange(length: number, size: number): Range {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}
