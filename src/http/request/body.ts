import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { isDeeperThan } from '../../json/verbatim-json.ts';
import { bodyProblems } from '../../messages/request/english.ts';
import type { App } from './schemas.ts';

const maxJsonBytes = 16 * MiB;
const maxJsonDepth = 64;
/** Media type of a detached signature; its route reads the raw bytes. */
export const signatureType = 'application/pkcs7-signature';
/** Media type of bytes to append to an upload; its route streams them. */
export const offsetType = 'application/offset+octet-stream';

/**
 * Parses the body of routes whose schema declares one as JSON, whatever its media type. A route that consumes
 * `multipart/form-data` (`readForm`) or a stream reads its own body. Other routes ignore theirs.
 */
export function addBodyParser(app: App, maxUploadBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const maxBytes = maxBodyBytes(request, maxUploadBytes);
    const kind = kindOf(request);
    if (kind === 'bytes') return await readBytes(payload, maxBytes);
    return kind === 'json' ? await readJson(payload, maxBytes) : undefined;
  });
  app.addHook('preParsing', async (request, reply) => {
    const kind = kindOf(request);
    // Fastify refuses malformed media types before any parser runs; they matter only for forms and streams.
    if (kind !== 'multipart' && kind !== 'stream') delete request.raw.headers['content-type'];
    // Not earlier: a client that waits for permission does not send the body if something else is wrong. Expectations
    // other than `100-continue` do not get this far, and HTTP/1.0 has none.
    const { headers, httpVersion } = request.raw;
    if (kind !== 'none' && headers.expect !== undefined && httpVersion === '1.1') reply.raw.writeContinue();
  });
  app.addHook('preValidation', async (request) => {
    const isMissing = kindOf(request) === 'json' && request.body === undefined;
    if (isMissing && !mayLackBody(request.routeOptions.schema)) throw bodyProblems.notAnObject();
  });
}

export function maxBodyBytes(request: FastifyRequest, maxUploadBytes: number): number {
  const { maxBodyBytes: own = maxJsonBytes } = request.routeOptions.config;
  const kind = kindOf(request);
  if (kind === 'stream') return own;
  return kind === 'json' || kind === 'bytes' ? Math.min(maxUploadBytes, own) : maxUploadBytes;
}

export function mayLackBody(schema: FastifySchema | undefined): boolean {
  if (schema?.consumes?.includes(signatureType) === true) return false; // its schema does not describe bytes
  return schema?.body instanceof z.ZodType && schema.body.safeParse(undefined).success;
}

type Kind = 'json' | 'bytes' | 'multipart' | 'stream' | 'none';

function kindOf({ routeOptions: { schema, config } }: FastifyRequest): Kind {
  if (config.readsBytes === true) return 'bytes';
  if (schema?.body === undefined) return 'none';
  if (schema.consumes?.includes(signatureType) === true) return 'bytes';
  if (schema.consumes?.includes(offsetType) === true) return 'stream';
  return schema.consumes?.includes('multipart/form-data') === true ? 'multipart' : 'json';
}

async function readBytes(payload: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(readBody(payload, maxBytes)));
}

/** Returns the object in the body; undefined without a body. @throws {Problem} `malformed` */
async function readJson(payload: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(payload, maxBytes);
  if (bytes.length === 0) return undefined;
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bodyProblems.notAnObject();
  return value;
}

/** Parses the bytes of a body. @throws {Problem} `malformed` if they are not JSON in UTF-8 or nested too deeply */
export function parseJson(bytes: Uint8Array): unknown {
  const text = orThrow(bodyProblems.notUtf8, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (isDeeperThan(text, maxJsonDepth)) throw bodyProblems.nestedTooDeep(maxJsonDepth);
  return orThrow<unknown>(bodyProblems.notJson, () => JSON.parse(text));
}

function orThrow<T>(problem: () => Problem, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw problem().because(cause);
  }
}

/**
 * Yields the chunks of a request's body. The connection stays open for the answer, however the reading ends.
 * @throws {Problem} `too_large` past `maxBytes`; `malformed` if the body is cut short.
 */
export async function* readBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw bodyProblems.cutShort().because(cause);
      });
      if (next.done === true) return;
      received += next.value.length;
      if (received > maxBytes) throw bodyProblems.tooLarge(maxBytes);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  return hasBody && !request.complete;
}
