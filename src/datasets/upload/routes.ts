import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import { type DigestedFile, digestFile, receiveFile } from '../original/receive-file.ts';
import { Dataset, type DatasetRow, toDataset } from '../schema.ts';
import { UploadFields } from './upload-fields.ts';
import { createDataset } from './upload.ts';
import { leaves } from '../../landscape/model/leaves.ts';
import { slotText } from '../../landscape/groups/group-texts.ts';
import { createSlotDataset, findSlotAbsence } from '../../landscape/groups/slots.ts';
import { Text } from '../../validation/fields.ts';
import { errorResponses, FileBytes, jsonResponse } from '../../http/openapi/responses.ts';
import { type KeyedRequest, KeyHeaders, takeRequestKey } from '../../http/access/idempotency.ts';
import { type Form, readForm } from '../../http/request/multipart.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Services } from '../../runtime/api/services.ts';

const SlotFields = UploadFields.pick({ name: true, start_date: true, end_date: true });
const accepted = { 201: jsonResponse('Accepted, its processing is queued', Dataset) };

const datasetDescription = `Parts may come in any order; the file is streamed. \`vector\` and \`vector_with_kato\` take \`.geojson\`,
\`.gpkg\` and \`.zip\`, \`raster\` takes \`.tif\` and \`.tiff\`; the first bytes must match the extension. An optional part
that is empty is ignored. Processing continues after the answer: follow \`GET /datasets/{id}/status\`.`;

const slotDescription = `Makes a raster dataset in the slot's group, in the category with the code \`landscape\`; every rule of
\`POST /datasets\` applies, but other parts than these are ignored. \`end_date\` decides which dataset of the slot is the freshest: a dataset
without one never outranks a dataset with one. Follow \`GET /datasets/{id}/status\`: runs read it once it is \`ready\`. Runs check reference system, unit
and range; this request does not.

${leaves.map((leaf) => `- \`${leaf.group}\`, ${leaf.title}: ${slotText(leaf).description}`).join('\n')}`;

export function registerUploadRoutes(app: App, services: Services): void {
  const { db, maxUploadBytes: maxBytes } = services;

  app.post('/datasets', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['datasets'],
      operationId: 'createDataset',
      summary: 'Upload a geo file',
      description: datasetDescription,
      consumes: ['multipart/form-data'],
      headers: KeyHeaders,
      body: z.object({
        file: FileBytes.describe('The geo file, with its file name'),
        ...UploadFields.shape,
      }),
      response: { ...accepted, ...errorResponses(400, 409, 413, 422) },
    },
    handler: async (request, reply) => {
      await using key = await takeRequestKey(db, request, reply);
      const knownFields = Object.keys(UploadFields.shape);
      if (key.isAnswered) return await answerAgain(key, request, { knownFields, maxBytes });
      await using form = await readForm(request, {
        knownFields,
        maxBytes,
        takeFile: async (file) => await receiveFile(services, file),
      });
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) => await createDataset(services, form, alsoWrite);
      return await key.answer(contentOf(form), make, created);
    },
  });

  app.post('/landscape/slots/:code', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['landscape'],
      operationId: 'uploadToLandscapeSlot',
      summary: 'Upload a GeoTIFF to a slot',
      description: slotDescription,
      consumes: ['multipart/form-data'],
      headers: KeyHeaders,
      params: z.object({
        code: Text.describe('Code of the slot in `GET /landscape/slots`, such as `landscape-in-dem`'),
      }),
      body: z.object({ file: FileBytes.describe('The GeoTIFF, with its file name'), ...SlotFields.shape }),
      response: { ...accepted, ...errorResponses(400, 404, 409, 413, 422) },
    },
    handler: async (request, reply) => {
      const { code } = request.params;
      // The form is read all the same: a broken one is 400 whether there is such a slot or not.
      const absence = await findSlotAbsence(db, code);
      await using key = await takeRequestKey(db, request, reply);
      const knownFields = Object.keys(SlotFields.shape);
      if (key.isAnswered) return await answerAgain(key, request, { knownFields, maxBytes });
      await using form = await readForm(request, {
        knownFields,
        maxBytes,
        takeFile: async (file) => (absence === undefined ? await receiveFile(services, file) : undefined),
      });
      if (absence !== undefined) throw absence;
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) =>
        await createSlotDataset(services, code, form, alsoWrite);
      return await key.answer(contentOf(form), make, created);
    },
  });
}

/** Answers a form whose key was used before: it is read to its end, and nothing of it is stored. */
async function answerAgain(
  key: KeyedRequest,
  request: FastifyRequest,
  options: { readonly knownFields: readonly string[]; readonly maxBytes: number },
): Promise<FastifyReply> {
  await using form = await readForm(request, { ...options, takeFile: digestFile });
  return await key.answer(contentOf(form), neverMade, created);
}

async function neverMade(): Promise<DatasetRow> {
  return await Promise.reject(new Error('what was answered before is not made'));
}

/** All of a form that counts. */
function contentOf({
  fields,
  problems,
  file,
}: Pick<Form<DigestedFile>, 'fields' | 'problems' | 'file'>): object {
  const { filename, contentType, sha256 } = file ?? {};
  return { fields, faults: Object.keys(problems), filename, contentType, sha256: sha256?.toString('hex') };
}

function created(row: DatasetRow) {
  return { status: 201, location: `/datasets/${row.id}`, body: toDataset(row) };
}
