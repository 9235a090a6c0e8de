import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import { receiveFile } from '../../datasets/original/receive-file.ts';
import type { DatasetRow } from '../../datasets/schema.ts';
import { accepted, answerAgain, contentOf, created } from '../../datasets/upload/keyed-form.ts';
import { UploadFields } from '../../datasets/upload/upload-fields.ts';
import { KeyHeaders, takeRequestKey } from '../../http/access/idempotency.ts';
import { sendText } from '../../http/answer/answer.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import {
  errorResponses,
  FileBytes,
  jsonResponse,
  ok,
  programResponses,
} from '../../http/openapi/responses.ts';
import { readForm } from '../../http/request/multipart.ts';
import type { App } from '../../http/request/schemas.ts';
import { Text } from '../../validation/fields.ts';
import { leaves } from '../model/leaves.ts';
import { describeGraph } from './graph-answer.ts';
import { LandscapeGraph } from './graph-schema.ts';
import { slotText } from './group-texts.ts';
import { LandscapeResult, listResults } from './results.ts';
import { createSlotDataset, findSlotAbsence, LandscapeSlot, listSlots } from './slots.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';

const tags = ['landscape'];
const SlotFields = UploadFields.pick({ name: true, start_date: true, end_date: true });

const slotDescription = `Makes a raster dataset in the slot's group, in the category with the code \`landscape\`; every rule of
\`POST /datasets\` applies, but other parts than these are ignored. \`end_date\` decides which dataset of the slot is the freshest: a dataset
without one never outranks a dataset with one. Follow \`GET /datasets/{id}/status\`: runs read it once it is \`ready\`. Runs check reference system, unit
and range; this request does not.

${leaves.map((leaf) => `- \`${leaf.group}\`, ${leaf.title}: ${slotText(leaf).description}`).join('\n')}`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly maxUploadBytes: number;
}

export function registerGroupRoutes(app: App, parts: Dependencies): void {
  const { db, maxUploadBytes: maxBytes } = parts;

  app.get('/landscape/graph', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeGraph',
      summary: 'Describe the graph: its inputs, nodes and parameters',
      description: `The inputs, nodes and parameters of the Landscape Program, with their texts in the language of
\`lang\`, otherwise of \`Accept-Language\`. The answer changes only with the version of the service; clients ask again with its ETag.`,
      querystring: LanguageQuery,
      response: programResponses(jsonResponse('The graph', LandscapeGraph)),
    },
    handler: async (request, reply) => {
      const language = answerIn(request, reply);
      return await sendText(request, reply, { body: describeGraph(language) });
    },
  });

  app.get('/landscape/slots', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listLandscapeSlots',
      summary: 'List the inputs of the graph, each with its freshest dataset',
      description: `A slot is one input of the computation: a dataset group that the graph reads, such as the elevation or the
land cover. Fill a slot by uploading a GeoTIFF to it. \`latest\` is the freshest dataset of the group in any status: the latest
\`end_date\`, datasets without one last, then the newest; a run reads the freshest one that is \`ready\`. 404 when a slot's group was deleted;
the next start of the service creates it again.`,
      response: ok('Every slot, in the order of the graph', z.array(LandscapeSlot), 404),
    },
    handler: async (request, reply) => await listSlots(db, answerIn(request, reply)),
  });

  app.get('/landscape/results', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listLandscapeResults',
      summary: 'List the outputs of the graph, each with its freshest raster',
      description: `One item per node, by node code. \`latest\` is the freshest \`ready\` raster of the output group by the rule of
\`GET /dataset-groups/{id}/latest\`; it need not be from the newest run (a run's own rasters are in the \`outputs\` of its
nodes). \`cog_url\` and \`sld_url\` are paths of this service: the raster as a COG, and its colours and legend. 404 when an
output group was deleted; the next start of the service creates it again.`,
      response: ok('Every output group', z.array(LandscapeResult), 404),
    },
    handler: async (request, reply) => await listResults(db, answerIn(request, reply)),
  });

  app.post('/landscape/slots/:code', {
    config: { scope: 'data:write' },
    schema: {
      tags,
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
      // The form is read in any case, so that an invalid form is 400 for unknown slots too.
      const absence = await findSlotAbsence(db, code);
      await using key = await takeRequestKey(db, request, reply);
      const knownFields = Object.keys(SlotFields.shape);
      if (key.isAnswered) return await answerAgain(key, request, { knownFields, maxBytes });
      await using form = await readForm(request, {
        knownFields,
        maxBytes,
        takeFile: async (file) => (absence === undefined ? await receiveFile(parts, file) : undefined),
      });
      if (absence !== undefined) throw absence;
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) =>
        await createSlotDataset(parts, code, form, alsoWrite);
      return await key.answer(contentOf(form), make, created);
    },
  });
}
