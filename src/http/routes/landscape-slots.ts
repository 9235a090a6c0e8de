import { z } from 'zod';
import { Text } from '../../validation/fields.ts';
import { receiveFile } from '../../datasets/original/receive-file.ts';
import { Dataset, toDataset } from '../../datasets/schema.ts';
import { UploadFields } from '../../datasets/upload/upload-fields.ts';
import { createSlotDataset, findSlotAbsence } from '../../landscape/groups/slot-upload.ts';
import { slotText } from '../../landscape/groups/group-texts.ts';
import { leaves } from '../../landscape/model/leaves.ts';
import { LandscapeSlot, listSlots } from '../../landscape/groups/slots.ts';
import type { App } from '../request/schemas.ts';
import { readForm } from '../request/multipart.ts';
import { errorResponses, FileBytes, jsonResponse } from '../openapi/responses.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

const SlotParams = z.object({
  code: Text.describe('Code of the slot as `GET /landscape/slots` gives it, such as `landscape-in-dem`'),
});
const SlotFields = UploadFields.pick({ name: true, start_date: true, end_date: true });

const slotsDescription = `A slot is one input of the computation: a dataset group that the graph reads, such as the elevation or the
land cover. Fill a slot by uploading a GeoTIFF to it. \`latest\` is the freshest dataset of the group in any status: greatest
\`end_date\`, none last, then the newest; a run reads the freshest one that is \`ready\`. 404 when a slot's group was deleted;
the next start of the service creates it again.`;

const slotList = leaves.map((leaf) => `- \`${leaf.group}\`, ${leaf.title}: ${slotText(leaf).description}`);

const uploadDescription = `Makes a raster dataset in the slot's group, in the category with the code \`landscape\`; every rule of
\`POST /datasets\` holds, but other parts than these are ignored. \`end_date\` decides which dataset of the slot is the freshest: one
without never outranks one with it. Follow \`GET /datasets/{id}/status\`: runs read it once it is \`ready\`. Reference system, unit
and range are not looked at here, but by runs.

${slotList.join('\n')}`;

/** The inputs of the Landscape Program. */
export function registerLandscapeSlotRoutes(app: App, services: Services): void {
  const { db, maxUploadBytes } = services;

  app.get(
    '/landscape/slots',
    {
      schema: {
        tags,
        operationId: 'listLandscapeSlots',
        summary: 'List the inputs of the graph, each with its freshest dataset',
        description: slotsDescription,
        response: {
          200: jsonResponse('Every slot, in the order of the graph', z.array(LandscapeSlot)),
          ...errorResponses(404),
        },
      },
    },
    async () => await listSlots(db),
  );

  app.post(
    '/landscape/slots/:code',
    {
      schema: {
        tags,
        operationId: 'uploadToLandscapeSlot',
        summary: 'Upload a GeoTIFF to a slot',
        description: uploadDescription,
        consumes: ['multipart/form-data'],
        params: SlotParams,
        body: z.object({ file: FileBytes.describe('The GeoTIFF, with its file name'), ...SlotFields.shape }),
        response: {
          201: jsonResponse('Accepted, its processing is queued', Dataset),
          ...errorResponses(400, 404, 413, 422),
        },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      // The form is read all the same: a broken one is 400 whether there is such a slot or not.
      const absence = await findSlotAbsence(db, code);
      await using form = await readForm(request, {
        knownFields: Object.keys(SlotFields.shape),
        maxBytes: maxUploadBytes,
        takeFile: async (file) => (absence === undefined ? await receiveFile(services, file) : undefined),
      });
      if (absence !== undefined) throw absence;
      const { file, problems } = form;
      const fields = Object.fromEntries(form.fields);
      const row = await createSlotDataset(services, code, { file, problems, fields });
      return await reply.code(201).header('location', `/datasets/${row.id}`).send(toDataset(row));
    },
  );
}
