import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import type { DossierDependencies } from './documents.ts';
import { documentsOfNow } from './dossier.ts';
import { DossierSignature } from './dossier-schema.ts';
import { inventoryOf, sha256Of } from './inventory.ts';
import { readManifest } from './read-manifest.ts';
import { findSignature, replaceSignature, type Signed } from './signatures.ts';
import { KiB } from '../../lib/units.ts';
import { dossierProblems } from '../../messages/runs/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import { attachment } from '../../http/files/content-headers.ts';
import { contentOf, sendAnswer } from '../../http/answer/answer.ts';
import { languageIn, LanguageQuery } from '../../http/language/language.ts';
import { bytesResponse, drawnResponses, errorResponses, jsonResponse } from '../../http/openapi/responses.ts';
import { signatureType } from '../../http/request/body.ts';
import type { App } from '../../http/request/schemas.ts';
import { authorOf } from '../runs/record-routes.ts';
const tags = ['landscape'];
const maxSignatureBytes = 256 * KiB;

const signatureText = `The body is a CMS SignedData (RFC 5652) in DER or BER, as NCALayer and \`openssl cms -sign -binary -outform DER\` make it, of at most ${maxSignatureBytes / KiB} KiB. With
\`over=inventory\` it signs the bytes of \`…/dossier/inventory.json\` in the same language: it covers every document and raster of the dossier, which keeps these documents from then on.
Otherwise it signs the bytes of \`…/dossier/manifest.json\`: it covers the run and its rasters, not report, areas, balance and record.

A signature is refused with 422 if it is known to cover other bytes, to be made by another key than that of its certificate, or to be made when the certificate was not valid. Digests of SHA-2 and keys of RSA,
ECDSA and Ed25519 are checked; others, such as those of GOST, are stored and shown as \`not_checked\`: the newest signature that is known to be right stays in force. The service
neither makes signatures nor trusts issuers. Earlier signatures stay in the history; an equal signature changes nothing.`;

const Revision = decimalInteger(0, 1_000_000_000, 0).describe(
  'Number of the signature; 0 is the current signature',
);

const Over = z
  .enum(['inventory', 'manifest'])
  .default('manifest')
  .describe(
    'The content that the signature covers: the inventory of the whole dossier, or the manifest alone',
  );

/** A required body of bytes, unlike those of answers. */
const RequiredBytes = z
  .unknown()
  .refine((sent) => sent !== undefined)
  .meta({ type: 'string', format: 'binary' });

/** Returns the dependencies for the documents of a client. */
type MakersFor = (request: FastifyRequest, reply: FastifyReply) => DossierDependencies;

/** Registers the signatures of dossiers, which are stored and shown, but not created here. */
export function registerSignatureRoutes(
  app: App,
  { db }: { readonly db: Database },
  makersFor: MakersFor,
): void {
  app.get('/landscape/runs/:id/dossier/signature', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunSignature',
      summary: 'Download a signature over the dossier of a run',
      description: 'The bytes of the current signature, or of a revision, as they were sent.',
      params: IdParams,
      querystring: z.object({ revision: Revision }),
      response: drawnResponses(bytesResponse('The signature', signatureType), 400, 404),
    },
    handler: async (request, reply) => {
      const signature = await findSignature(db, request.params.id, request.query.revision || undefined);
      if (signature === undefined) throw dossierProblems.noSignature();
      const { cms } = signature;
      const headers = {
        'content-type': signatureType,
        'content-disposition': attachment(`dossier-${request.params.id}.p7s`),
      };
      const open = async () => contentOf(cms, headers);
      return await sendAnswer(request, reply, { etag: `"${sha256Of(cms)}"`, open });
    },
  });

  app.put('/landscape/runs/:id/dossier/signature', {
    config: { scope: 'landscape:run', maxBodyBytes: maxSignatureBytes },
    schema: {
      tags,
      operationId: 'replaceRunSignature',
      summary: 'Store a detached signature over the dossier of a run',
      description: signatureText,
      params: IdParams,
      querystring: z.object({ over: Over, ...LanguageQuery.shape }),
      consumes: [signatureType],
      body: RequiredBytes,
      response: {
        200: jsonResponse('The signature as it was read', DossierSignature),
        ...errorResponses(400, 404, 409, 413, 422, 429),
      },
    },
    handler: async (request, reply) => {
      const { over } = request.query;
      const { id } = request.params;
      const cms = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signed =
        over === 'manifest'
          ? await manifestSigned(db, id)
          : await inventorySigned(makersFor(request, reply), id, languageIn(request));
      return await replaceSignature(db, id, { cms, author: authorOf(request), signed });
    },
  });
}

async function manifestSigned(db: Database, runId: string): Promise<Signed> {
  const { bytes, sha256 } = await readManifest(db, runId);
  return { bytes, documents: [], manifestSha256: sha256 };
}

/** Finds the inventory to sign. @throws {Problem} `conflict` while areas or balance are being counted */
async function inventorySigned(
  makers: DossierDependencies,
  runId: string,
  language: Language,
): Promise<Signed> {
  const read = await readManifest(makers.db, runId);
  const written = await documentsOfNow(makers, read, language);
  if (written.isPending) throw dossierProblems.notCounted();
  const { documents } = written;
  return { bytes: inventoryOf(runId, written), documents, manifestSha256: read.sha256 };
}
