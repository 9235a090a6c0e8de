import { getHashes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Checksum } from './append.ts';
import { uploadProblems } from '../../messages/request/english.ts';
import { parseParameters } from '../../validation/parse-parameters.ts';
import type { App } from '../../http/request/schemas.ts';

/** Supported version of tus, https://tus.io/protocols/resumable-upload. */
const version = '1.0.0';
const extensions = 'creation,creation-with-upload,expiration,checksum,termination';
/** Every server has to support SHA-1. */
const algorithms = ['sha1', 'sha256', 'sha512', 'md5'].filter((name) => getHashes().includes(name));

const WholeBytes = z.string().regex(/^[0-9]{1,15}$/);

/** Headers of each kind of request; others pass unchanged. */
export const versionHeaders = z.looseObject({
  'tus-resumable': z.literal(version).describe('Version of tus'),
});
export const startHeaders = versionHeaders.extend({
  'upload-length': WholeBytes.meta({
    description: 'Size of the file in bytes',
    examples: ['8589934592'],
  }),
  'upload-metadata': z
    .string()
    .optional()
    .meta({
      description:
        'Comma-separated names, each with its value as Base64: `filename`, the parts of `POST /datasets`, `slot` and `filetype`, the media type',
      examples: ['filename ZGVtLnRpZg==,slot bGFuZHNjYXBlLWluLWRlbQ=='],
    }),
});
export const appendHeaders = versionHeaders.extend({
  'upload-offset': WholeBytes.meta({
    description: 'Number of bytes that have arrived, as returned by `HEAD`',
    examples: ['67108864'],
  }),
  'upload-checksum': z
    .string()
    .optional()
    .meta({
      description: `One of ${algorithms.join(', ')}, a blank and the digest of the body as Base64: the bytes are accepted only if they match the digest`,
      examples: ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
    }),
});

const isOfTus = (url: string | undefined): boolean => url === '/uploads' || url === '/uploads/:id';

/** Adds the version of tus to every answer of these paths, and the other capabilities to that of OPTIONS. */
export function addTusHeaders(app: App, maxBytes: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isOfTus(request.routeOptions.url)) {
      reply.header('tus-resumable', version);
      if (request.method === 'OPTIONS' || reply.statusCode === 412) reply.header('tus-version', version);
      if (request.method === 'OPTIONS')
        reply.headers({
          'tus-extension': extensions,
          'tus-max-size': maxBytes,
          'tus-checksum-algorithm': algorithms.join(','),
        });
    }
    done(null, payload);
  });
}

/** @throws {Problem} `precondition_failed` if a request that changes something names no version of tus, or another one. */
export function requireVersion({ headers, method }: FastifyRequest): void {
  const sent = headers['tus-resumable'];
  const isReading = method === 'GET' || method === 'HEAD';
  if (sent !== version && !(isReading && sent === undefined)) throw uploadProblems.wrongVersion();
}

/** Refuses headers of unsupported extensions, which clients send without checking. @throws {Problem} `malformed` */
export function refuseOtherExtensions({ headers }: FastifyRequest): void {
  if (headers['upload-concat'] !== undefined) throw uploadProblems.notConcatenated();
  if (headers['upload-defer-length'] !== undefined) throw uploadProblems.notDeferred();
}

/**
 * Validates the headers of a request, its version of tus first.
 * @throws {Problem} `precondition_failed`, `malformed`
 */
export function readTusHeaders<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  requireVersion(request);
  return parseParameters(schema, request.headers);
}

/** Parses `Upload-Checksum`. @throws {Problem} `malformed` */
export function readChecksum(header: string | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [algorithm = '', encoded = '', ...more] = header.trim().split(' ');
  const isEncoded = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && more.length === 0;
  if (!algorithms.includes(algorithm) || !isEncoded) throw uploadProblems.unknownChecksum(algorithms);
  return { algorithm, digest: Buffer.from(encoded, 'base64') };
}
