import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DossierDependencies } from './documents.ts';
import { describeDossier, dossierOf, inventoryOfNow } from './dossier.ts';
import { Dossier } from './dossier-schema.ts';
import { DossierInventory, sha256Of } from './inventory.ts';
import { DossierManifest } from './manifest-schema.ts';
import { readManifest } from './read-manifest.ts';
import { createCache } from '../../../common/cache.ts';
import { MiB } from '../../lib/units.ts';
import { messageText } from '../../lib/message.ts';
import { fieldFaults } from '../../messages/request/english.ts';
import { IdParams } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { attachment } from '../../http/files/content-headers.ts';
import { contentOf, sendAnswer } from '../../http/answer/answer.ts';
import { answerIn, languageIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { bytesResponse, drawnResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import { registerSignatureRoutes } from './signature-routes.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const tags = ['landscape'];

const fileText = `The proof of how the run came to its zoning, in one ZIP file with uncompressed members: \`manifest.json\`, the report, areas and balance
by unit, the record and its history, the findings in the uploads, the styles in force, the signature. \`with\` adds rasters. \`./steppe verify FILE\` examines it
on any machine, reports what its signature covers, and with \`--recompute\` computes the outputs from the inputs again and compares them bit for bit.

Once an inventory is signed, the documents are the signed ones, in their language, with \`inventory.json\` and \`signature.p7s\`; \`as=now\` returns the current
documents, without a signature.

A job counts areas and balance at the first request: the answer waits up to \`wait\` seconds, then it is 202; send the same
request again later. The file is streamed with its exact length; if an object is missing or damaged, the
connection breaks. Deleted rasters are answered with 409. The language is that of \`lang\`, otherwise of \`Accept-Language\`.`;

const manifestText = `The facts of a run: the same bytes each time (RFC 8785: members ordered, no blanks), as long as no dataset of the run is deleted. The ETag
is their SHA-256.`;

const inventoryText = `Every document of the dossier by its digest, and through the manifest every raster: sign these bytes to sign the whole dossier. Canonical JSON (RFC 8785), the
documents as they are now and in this language. The ETag is its SHA-256. Areas and balance are counted first, as for the file.`;

const PartsAsked = z
  .string()
  .regex(/^(?:cogs|inputs|cogs,inputs|inputs,cogs)$/, {
    error: messageText(fieldFaults.notAmong(['cogs', 'inputs', 'cogs,inputs'])),
  })
  .optional()
  .describe(
    'Rasters to add: `cogs` outputs, `inputs` inputs and their originals, or both separated by a comma',
  );

const As = z
  .enum(['signed', 'now'])
  .default('signed')
  .describe('`now`: the current documents without a signature, although others were signed');

const partNames = ['cogs', 'inputs'] as const;

interface Dependencies extends Omit<DossierDependencies, 'reports' | 'draw'> {
  readonly resultWaiters: ResultWaiters;
  readonly tileBudget: TileBudget;
}

export function registerDossierRoutes(app: App, parts: Dependencies): void {
  const { db, resultWaiters, tileBudget } = parts;
  const reports = createCache<Buffer>({ maxBytes: 32 * MiB, bytesOf: ({ length }) => length });

  /** Returns the dependencies for the documents of a client; its budget is charged for their pictures. */
  function makersFor(request: FastifyRequest, reply: FastifyReply): DossierDependencies {
    const signal = untilGone(reply);
    return {
      ...parts,
      reports,
      draw: async (picture) => await tileBudget.spend(clientOf(request), picture, signal),
    };
  }

  app.get('/landscape/runs/:id/dossier', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunDossier',
      summary: 'Read the contents of the dossier of a run, and its signers',
      description:
        'Sizes of its rasters, digest of its manifest and signatures. A run that has not succeeded is answered with 409.',
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
      querystring: z.object({ with: PartsAsked, as: As, ...waitQuery, ...LanguageQuery.shape }),
      response: {
        ...drawnResponses(bytesResponse('The dossier', 'application/zip'), 400, 404, 409, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { with: asked = '', as, wait } = request.query;
      const parts = partNames.filter((part) => asked.split(',').includes(part));
      const language = languageIn(request);
      const runId = request.params.id;
      const makers = makersFor(request, reply);
      const asking = { runId, parts, language, isOfNow: as === 'now' };
      const poll = async () => await dossierOf(makers, asking);
      const dossier = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (dossier === undefined) return reply;
      answerIn(request, reply, dossier.language);
      const headers = {
        'content-disposition': attachment(`dossier-${runId}.zip`),
        'content-type': 'application/zip',
      };
      const { etag, bytes: size, open: read } = dossier;
      return await sendAnswer(request, reply, { etag, open: async () => ({ headers, size, read }) });
    },
  });

  app.get('/landscape/runs/:id/dossier/manifest.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunManifest',
      summary: 'Read the manifest of a run: its parameters, and its rasters by their digests',
      description: manifestText,
      params: IdParams,
      response: drawnResponses(jsonResponse('The manifest', DossierManifest), 400, 404, 409),
    },
    handler: async (request, reply) => {
      const { bytes, sha256 } = await readManifest(db, request.params.id);
      const open = async () => contentOf(bytes, { 'content-type': 'application/json' });
      return await sendAnswer(request, reply, { etag: `"${sha256}"`, open });
    },
  });

  app.get('/landscape/runs/:id/dossier/inventory.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunInventory',
      summary: 'Read the inventory of a dossier, the content that a signature of the whole dossier covers',
      description: inventoryText,
      params: IdParams,
      querystring: z.object({ ...waitQuery, ...LanguageQuery.shape }),
      response: {
        ...drawnResponses(jsonResponse('The inventory', DossierInventory), 400, 404, 409, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { wait } = request.query;
      const language = answerIn(request, reply);
      const makers = makersFor(request, reply);
      const poll = async () => await inventoryOfNow(makers, request.params.id, language);
      const inventory = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (inventory === undefined) return reply;
      const { bytes } = inventory;
      const open = async () => contentOf(bytes, { 'content-type': 'application/json' });
      return await sendAnswer(request, reply, { etag: `"${sha256Of(bytes)}"`, open });
    },
  });

  registerSignatureRoutes(app, parts, makersFor);
}
