/** Files that nginx sends in place of the api, which it tells by `X-Accel-Redirect`. See docs/operations.md. */
import type { FastifyRequest } from 'fastify';
import { isReferenceKey, type ObjectReader } from '../../object-store/object-store.ts';
import type { App } from '../request/schemas.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Location of nginx over the folder of objects, with a slash at its end. */
    filesLocation?: string;
  }
}

/** Conditions that nginx would judge by the date of a file, or without the ETag of the answer. */
const ownConditions = ['if-match', 'if-range', 'if-modified-since', 'if-unmodified-since'];

/** Lets nginx send files from a location; without one, the api sends them all. */
export function addProxyFiles(app: App, location: string | undefined): void {
  if (location !== undefined) app.decorate('filesLocation', location);
}

/**
 * Returns the headers by which nginx sends an object itself; undefined if the api has to: nginx does not offer to send files in
 * this request, the object is not a file, or the answer is one that nginx would give differently.
 * @param hasRange true for a `Range` that the answer obeys.
 */
export function headersForProxy(
  { server: { filesLocation }, method, headers }: FastifyRequest,
  { isFolder }: Pick<ObjectReader, 'isFolder'>,
  key: string,
  hasRange: boolean,
): Readonly<Record<string, string>> | undefined {
  const isOffered = headers['x-sendfile-type'] === 'X-Accel-Redirect' && method === 'GET';
  if (filesLocation === undefined || !isOffered || isFolder !== true || isReferenceKey(key)) return undefined;
  const isAlike = hasRange === (headers.range !== undefined);
  if (!isAlike || ownConditions.some((name) => headers[name] !== undefined)) return undefined;
  return { 'x-accel-redirect': filesLocation + key };
}
