import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cleanFileName } from '../original/file-name.ts';
import { appendBytes } from './append.ts';
import {
  finishUpload,
  type CheckUploaded,
  type FinishDependencies,
  type Uploaded,
  uploadedOf,
} from './finish.ts';
import { readMetadata } from './metadata.ts';
import {
  readUpload,
  createUploadStarts,
  terminateUpload,
  type UploadRow,
  type UploadLimits,
} from './uploads.ts';
import { uploadProblems } from '../../messages/request/english.ts';
import { IdParams, Guid } from '../../validation/fields.ts';
import { errorResponses, FileBytes, jsonResponse, ok } from '../../http/openapi/responses.ts';
import { offsetType, readBody } from '../../http/request/body.ts';
import type { App } from '../../http/request/schemas.ts';
import {
  addTusHeaders,
  appendHeaders,
  readChecksum,
  readTusHeaders,
  refuseOtherExtensions,
  requireVersion,
  startHeaders,
  versionHeaders,
} from './tus.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { exampleDataset } from '../../lib/examples.ts';

const tags = ['datasets'];

const startDescription = `Begins an upload that is sent in pieces by tus 1.0 (creation, creation-with-upload, expiration, checksum,
termination), so that a broken connection costs little. \`Upload-Metadata\` contains the parts of \`POST /datasets\`, or \`slot\`, the code of a
slot of the Landscape Program, in place of type, category and group. With \`use\` = \`rasters\` and \`filename\` alone, a file of NetCDF, GRIB, HDF5, HDF4, Erdas
Imagine or an ASCII grid is kept as a source file (\`/source-files\`), from which rasters are made. The metadata are checked at once, by the rules of \`POST /datasets\`. Send the pieces to
\`Location\`. Pages of other sites need \`CORS_ALLOWED_ORIGINS\`.`;

const appendDescription = `Adds bytes after those that have arrived. The service stores bytes as they arrive, so that after a broken request a client continues at the offset that
\`HEAD\` returns. A later request takes an upload over from an earlier one, which is then answered with 409. When the last byte has arrived, the dataset is
created as by \`POST /datasets\`, with the same refusals, or the source file is kept, and \`Location\` is its address. Without \`Location\` the service is still creating the dataset, and \`GET\`
reports when it exists. An upload that is refused for its content is deleted.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly uploadLimits: UploadLimits;
  readonly checkUploaded: CheckUploaded;
  readonly createUploaded: FinishDependencies['createUploaded'];
  readonly draining: AbortSignal;
}

export function registerResumableUploadRoutes(app: App, parts: Dependencies): void {
  const { db, uploadLimits, checkUploaded } = parts;
  const { maxBytes } = uploadLimits;
  const startUpload = createUploadStarts(db, uploadLimits);
  addTusHeaders(app, maxBytes);

  /** Appends the bytes of a request, and answers with the progress of the upload. */
  async function take(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, length }: UploadRow,
    offset: number,
  ) {
    const checksum = readChecksum(request.headers['upload-checksum']?.toString());
    if (Number(request.headers['content-length'] ?? 0) > length - offset)
      throw uploadProblems.beyondEnd(length);
    const upload = await appendBytes(parts, id, {
      offset,
      body: readBody(request.raw, length - offset),
      checksum,
    });
    addProgress(reply, upload);
    if (upload.received < length) return upload;
    const uploaded = uploadedOf(upload) ?? (await finishUpload(parts, id, { signal: parts.draining }));
    addLocation(reply, uploaded);
    return {
      ...upload,
      dataset_id: uploaded?.kind === 'dataset' ? uploaded.id : null,
      source_file_id: uploaded?.kind === 'source_file' ? uploaded.id : null,
    };
  }

  app.post('/uploads', {
    config: { scope: 'data:write', maxBodyBytes: maxBytes },
    schema: {
      tags,
      operationId: 'startUpload',
      summary: 'Begin an upload in pieces',
      description: startDescription,
      consumes: [offsetType],
      headers: startHeaders,
      body: FileBytes.describe('The first bytes of the file, possibly none'),
      response: {
        201: jsonResponse('Begun; send its bytes to `Location`', UploadProgress),
        ...errorResponses(400, 404, 412, 413, 415, 422, 460),
      },
    },
    handler: async (request, reply) => {
      requireVersion(request);
      refuseOtherExtensions(request);
      const sent = readTusHeaders(request, startHeaders);
      const { 'upload-length': length, 'upload-metadata': metadata = '' } = sent;
      const { filename, ...details } = readMetadata(metadata);
      const sizeBytes = Number(length);
      if (sizeBytes > maxBytes) throw uploadProblems.tooLarge(maxBytes);
      await checkUploaded(db, { ...details, filename: cleanFileName(filename), sizeBytes });
      const hasBody =
        Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers;
      if (hasBody) requireOffsetType(request);
      const upload = await startUpload({ length: sizeBytes, metadata });
      addProgress(reply, upload);
      const now = hasBody ? await take(request, reply, upload, 0) : upload;
      reply.code(201).header('location', `/uploads/${upload.id}`);
      return await reply.send(toUploadProgress(now));
    },
  });

  app.patch('/uploads/:id', {
    config: { scope: 'data:write', maxBodyBytes: maxBytes },
    schema: {
      tags,
      operationId: 'appendToUpload',
      summary: 'Add bytes to an upload',
      description: appendDescription,
      consumes: [offsetType],
      params: IdParams,
      headers: appendHeaders,
      body: FileBytes.describe('The bytes of the file from `Upload-Offset` on'),
      response: {
        204: z
          .null()
          .describe(
            '`Upload-Offset` is the number of bytes that have arrived, `Location` the dataset once it has been created',
          ),
        ...errorResponses(400, 404, 409, 410, 412, 413, 415, 422, 460),
      },
    },
    handler: async (request, reply) => {
      const upload = await readUpload(db, request.params.id);
      const { 'upload-offset': offset } = readTusHeaders(request, appendHeaders);
      requireOffsetType(request);
      await take(request, reply, upload, Number(offset));
      return await reply.code(204).send(null);
    },
  });

  app.get('/uploads/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'getUpload',
      summary: 'Read the progress of an upload',
      description:
        '`HEAD` returns the same in the headers `Upload-Offset`, `Upload-Length`, `Upload-Metadata` and `Upload-Expires`.',
      params: IdParams,
      response: ok('The progress', UploadProgress, 400, 404, 410, 412),
    },
    handler: async (request, reply) => {
      const upload = await readUpload(db, request.params.id);
      requireVersion(request);
      addProgress(reply, upload).headers({ 'upload-length': upload.length, 'cache-control': 'no-store' });
      if (upload.metadata !== '') reply.header('upload-metadata', upload.metadata);
      addLocation(reply, uploadedOf(upload));
      return toUploadProgress(upload);
    },
  });

  app.delete('/uploads/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'terminateUpload',
      summary: 'Cancel an upload',
      description: 'All its bytes are deleted; a dataset created from it stays.',
      params: IdParams,
      headers: versionHeaders,
      response: { 204: z.null().describe('The upload is deleted'), ...errorResponses(400, 404, 412) },
    },
    handler: async (request, reply) => {
      await terminateUpload(db, request.params.id, () => requireVersion(request));
      return await reply.code(204).send(null);
    },
  });
}

function addProgress(reply: FastifyReply, { received, expires_at: expiresAt }: UploadRow): FastifyReply {
  return reply.headers({ 'upload-offset': received, 'upload-expires': expiresAt.toUTCString() });
}

function addLocation(reply: FastifyReply, uploaded: Uploaded | undefined): void {
  if (uploaded === undefined) return;
  reply.header('location', `/${uploaded.kind === 'dataset' ? 'datasets' : 'source-files'}/${uploaded.id}`);
}

function requireOffsetType({ raw }: FastifyRequest): void {
  const [type = ''] = (raw.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== offsetType) throw uploadProblems.wrongMediaType(offsetType);
}

export const UploadProgress = z
  .object({
    id: Guid.describe('Id of the upload'),
    length: z.int().describe('Size of the file in bytes'),
    received: z.int().describe('Number of received bytes, from the first one on'),
    expires_at: z.iso
      .datetime()
      .describe('Time in UTC at which its bytes are deleted; each received byte postpones it'),
    dataset_id: Guid.nullable().describe(
      'Id of the created dataset; null until all bytes have arrived and it has been created',
    ),
    source_file_id: Guid.nullable().describe(
      'Id of the kept source file, of an upload from which rasters are made; otherwise null',
    ),
  })
  .meta({
    id: 'UploadProgress',
    description: 'The progress of an upload in pieces',
    examples: [
      {
        id: '5f0c6f0e-7f6e-4f0a-9d57-3b8f0a0c7a11',
        length: 8_589_934_592,
        received: 5_368_709_120,
        expires_at: '2026-11-27T09:30:00.000Z',
        dataset_id: null,
        source_file_id: null,
      },
      {
        id: '5f0c6f0e-7f6e-4f0a-9d57-3b8f0a0c7a11',
        length: 8_589_934_592,
        received: 8_589_934_592,
        expires_at: '2026-11-27T09:34:10.000Z',
        dataset_id: exampleDataset.id,
        source_file_id: null,
      },
    ],
  });
export type UploadProgress = z.infer<typeof UploadProgress>;

function toUploadProgress(row: UploadRow): UploadProgress {
  const { id, length, received, expires_at, dataset_id, source_file_id } = row;
  return { id, length, received, expires_at: expires_at.toISOString(), dataset_id, source_file_id };
}
