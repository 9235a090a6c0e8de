import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { MiB } from '../../common/units.ts';
import { bodyProblems } from '../../messages/request.ts';
import type { App } from '../fastify/app-type.ts';
import { readBody } from './body.ts';
import { isDeeperThan } from '../../json/json-depth.ts';
import { mayLackBody } from './optional-bodies.ts';

const maxJsonBytes = 16 * MiB;
const maxJsonDepth = 64;

type BodyKind = 'json' | 'multipart' | 'none';

/**
 * Reads the body of routes whose schema declares one: as JSON, whatever its media type; a route that consumes
 * `multipart/form-data` reads its own (`readForm`). Other routes ignore theirs.
 */
export function addBodyParser(app: App, maxUploadBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    return kindOf(request) === 'json'
      ? await readJson(payload, maxBodyBytes(request, maxUploadBytes))
      : undefined;
  });
  app.addHook('preParsing', async (request, reply) => {
    const kind = kindOf(request);
    // Fastify refuses malformed media types before any parser runs; only of a form it matters what they say.
    if (kind !== 'multipart') delete request.raw.headers['content-type'];
    // Not before: who asks first whether to send a body is spared it when something else is wrong.
    if (kind !== 'none' && isWaiting(request)) reply.raw.writeContinue();
  });
  app.addHook('preValidation', async (request) => {
    const isMissing = kindOf(request) === 'json' && request.body === undefined;
    if (isMissing && !mayLackBody(request.routeOptions.schema)) throw bodyProblems.notAnObject();
  });
}

/** Other expectations than `100-continue` do not get this far, and HTTP/1.0 does not know them. */
function isWaiting({ raw }: FastifyRequest): boolean {
  return raw.headers.expect !== undefined && raw.httpVersion === '1.1';
}

/** The limit of a request's whole body. */
export function maxBodyBytes(request: FastifyRequest, maxUploadBytes: number): number {
  return kindOf(request) === 'json' ? Math.min(maxUploadBytes, maxJsonBytes) : maxUploadBytes;
}

function kindOf(request: FastifyRequest): BodyKind {
  const schema = request.routeOptions.schema;
  if (schema?.body === undefined) return 'none';
  return schema.consumes?.includes('multipart/form-data') === true ? 'multipart' : 'json';
}

/** The object that the body holds; undefined when there is no body. @throws {Problem} `malformed` */
async function readJson(payload: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(payload, maxBytes)) chunks.push(chunk);
  if (chunks.length === 0) return undefined;
  const text = decode(Buffer.concat(chunks));
  if (isDeeperThan(text, maxJsonDepth)) {
    throw bodyProblems.nestedTooDeep(maxJsonDepth);
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bodyProblems.notAnObject();
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw bodyProblems.notUtf8().because(cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw bodyProblems.notJson().because(cause);
  }
}
