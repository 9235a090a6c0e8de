import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { describeDossier, dossierOf, type ReadyDossier } from '../../landscape/dossier/dossier.ts';
import { Dossier, DossierSignature } from '../../landscape/dossier/dossier-schema.ts';
import { DossierManifest } from '../../landscape/dossier/manifest-schema.ts';
import { readManifest } from '../../landscape/dossier/read-manifest.ts';
import { findSignature, replaceSignature } from '../../landscape/dossier/signatures.ts';
import { createCache } from '../../lib/cache.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { dossierProblems } from '../../messages/dossier.ts';
import { fileProblems } from '../../messages/request.ts';
import { IdParams } from '../../validation/fields.ts';
import { isListed, matches } from '../files/conditions.ts';
import { attachment } from '../files/content-headers.ts';
import { answerIn, errorBody, languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { pendingResponse, waitQuery } from '../long-poll/result-waiters.ts';
import { bytesResponse, drawnResponses, errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import { signatureType } from '../request/body.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import { authorOf } from './run-records.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];
const maxSignatureBytes = 256 * KiB;

const fileText = `Everything that shows how the run came to its zoning, in one ZIP file whose members are stored as they are: \`manifest.json\`, the report, areas and balance
by unit, the record and its history, what was found in the uploads, the styles in force, the signature. \`with\` adds rasters. \`./steppe verify FILE\` proves every
digest on any machine, and \`--recompute\` computes the outputs from the inputs again and compares them bit for bit. It proves
reproduction, not truth of inputs.

Areas and balance are counted by a job at the first request: the answer waits up to \`wait\` seconds, then it is 202, and the same
request has the file later. The file is streamed with its exact length; when an object is found missing or damaged on the way, the
connection breaks. Rasters that were deleted are 409. The language is that of \`lang\`, else of \`Accept-Language\`.`;

const manifestText = `What a signature is over: the same bytes each time (RFC 8785: members ordered, no blanks), as long as no dataset of the run is deleted. The ETag
is their SHA-256.`;

const signatureText = `The body is a CMS SignedData (RFC 5652) in DER or BER over the bytes of \`…/dossier/manifest.json\`, as NCALayer and \`openssl cms -sign -binary -outform DER\`
make it, of at most ${maxSignatureBytes / KiB} KiB. One that is known to be over other bytes, or by another key than that of its certificate, is 422. Digests
of SHA-2 and keys of RSA, ECDSA and Ed25519 are checked; others, such as those of GOST, are stored and shown, and \`not_checked\`. The service neither makes
signatures nor trusts issuers. The one before stays in the history; the same once more changes nothing.`;

const PartsAsked = z
  .string()
  .regex(/^(?:cogs|inputs|cogs,inputs|inputs,cogs)$/)
  .optional()
  .describe(
    'Rasters that are added: `cogs` outputs, `inputs` inputs and their originals, or both with a comma between',
  );

/** Bytes that must be sent, unlike those of answers. */
const RequiredBytes = z
  .unknown()
  .refine((sent) => sent !== undefined)
  .meta({ type: 'string', format: 'binary' });

const partNames = ['cogs', 'inputs'] as const;

export function registerDossierRoutes(app: App, services: Services): void {
  const { db, resultWaiters, tileBudget } = services;
  const reports = createCache<Buffer>({ maxBytes: 32 * MiB, bytesOf: ({ length }) => length });

  app.get('/landscape/runs/:id/dossier', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunDossier',
      summary: 'Read what the dossier of a run has, and who has signed it',
      description:
        'Sizes of its rasters, digest of its manifest and signatures. A run that has not succeeded is 409.',
      params: IdParams,
      response: ok('The dossier', Dossier, 400, 404, 409),
    },
    handler: async (request) => await describeDossier(db, request.params.id),
  });

  app.get('/landscape/runs/:id/dossier.zip', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'downloadRunDossier',
      summary: 'Download the dossier of a run',
      description: fileText,
      params: IdParams,
      querystring: z.object({ with: PartsAsked, ...waitQuery, ...LanguageQuery.shape }),
      response: {
        ...drawnResponses(bytesResponse('The dossier', 'application/zip'), 400, 404, 409, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { with: asked = '', wait } = request.query;
      const parts = partNames.filter((part) => asked.split(',').includes(part));
      const language = languageAsked(request, request.query);
      const runId = request.params.id;
      const signal = untilGone(reply);
      const draw = async <T>(picture: () => Promise<T>) =>
        await tileBudget.spend(request.ip, picture, signal);
      const look = async () => await dossierOf({ ...services, reports, draw }, { runId, parts, language });
      const dossier = await resultWaiters.readyOr202(request, reply, { wait, look });
      if (dossier === undefined) return reply;
      const headers = {
        ...languageHeaders(language),
        'content-disposition': attachment(`dossier-${runId}.zip`),
        'content-type': 'application/zip',
        'content-length': dossier.bytes,
      };
      return await sendBytes(request, reply, { etag: dossier.etag, headers, open: dossier.open });
    },
  });

  app.get('/landscape/runs/:id/dossier/manifest.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunManifest',
      summary: 'Read the manifest of a run, which is what a signature is over',
      description: manifestText,
      params: IdParams,
      response: drawnResponses(jsonResponse('The manifest', DossierManifest), 400, 404, 409),
    },
    handler: async (request, reply) => {
      const { bytes, sha256 } = await readManifest(db, request.params.id);
      return await sendBytes(request, reply, {
        etag: `"${sha256}"`,
        headers: { 'content-type': 'application/json', 'content-length': bytes.length },
        open: async () => bytes,
      });
    },
  });

  app.get('/landscape/runs/:id/dossier/signature', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunSignature',
      summary: 'Download the signature over the manifest of a run',
      description: 'The bytes of the signature in force, as they were sent.',
      params: IdParams,
      response: drawnResponses(bytesResponse('The signature', signatureType), 400, 404),
    },
    handler: async (request, reply) => {
      const signature = await findSignature(db, request.params.id);
      if (signature === undefined) throw dossierProblems.noSignature();
      const { cms } = signature;
      return await sendBytes(request, reply, {
        etag: `"${hash('sha256', cms, 'hex')}"`,
        headers: {
          'content-type': signatureType,
          'content-disposition': attachment(`dossier-${request.params.id}.p7s`),
          'content-length': cms.length,
        },
        open: async () => cms,
      });
    },
  });

  app.put('/landscape/runs/:id/dossier/signature', {
    config: { scope: 'landscape:run', maxBodyBytes: maxSignatureBytes },
    schema: {
      tags,
      operationId: 'replaceRunSignature',
      summary: 'Store a detached signature over the manifest of a run',
      description: signatureText,
      params: IdParams,
      consumes: [signatureType],
      body: RequiredBytes,
      response: {
        200: jsonResponse('The signature as it was read', DossierSignature),
        ...errorResponses(400, 404, 409, 413, 422),
      },
    },
    handler: async (request) => {
      const cms = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return await replaceSignature(db, request.params.id, { cms, author: authorOf(request) });
    },
  });
}

interface SentBytes {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly open: () => Promise<Buffer | Awaited<ReturnType<ReadyDossier['open']>>>;
}

/** Answers GET or HEAD with bytes whose ETag is strong. */
async function sendBytes(
  { headers: sent, method }: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, open }: SentBytes,
): Promise<FastifyReply> {
  const validators = { etag, 'cache-control': 'no-cache' };
  if (!matches(sent['if-match'], etag)) {
    const body = errorBody(fileProblems.changed, answerIn(reply.request, reply));
    return await reply.code(412).headers(validators).send(body);
  }
  if (isListed(sent['if-none-match'], etag)) return await reply.code(304).headers(validators).send();
  // Only once nothing can fail: an error answer must not carry the headers of the file.
  const body = method === 'HEAD' ? Readable.from([]) : await open();
  return await reply.headers({ ...validators, ...headers }).send(body);
}
