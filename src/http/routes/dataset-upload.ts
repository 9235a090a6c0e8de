import { z } from 'zod';
import { receiveFile } from '../../datasets/original/receive-file.ts';
import { Dataset, toDataset } from '../../datasets/schema.ts';
import { UploadFields } from '../../datasets/upload/upload-fields.ts';
import { createDataset } from '../../datasets/upload/upload.ts';
import type { App } from '../request/schemas.ts';
import { readForm } from '../request/multipart.ts';
import { errorResponses, FileBytes, jsonResponse } from '../openapi/responses.ts';
import type { Services } from './services.ts';

const description = `Parts may come in any order; the file is streamed. \`vector\` and \`vector_with_kato\` take \`.geojson\`,
\`.gpkg\` and \`.zip\`, \`raster\` takes \`.tif\` and \`.tiff\`; the first bytes must be those of the extension. An optional part
that is empty counts as not sent. Processing goes on after the answer: follow \`GET /datasets/{id}/status\`.`;

export function registerUploadRoutes(app: App, services: Services): void {
  app.post(
    '/datasets',
    {
      schema: {
        tags: ['datasets'],
        operationId: 'createDataset',
        summary: 'Upload a geo file',
        description,
        consumes: ['multipart/form-data'],
        body: z.object({
          file: FileBytes.describe('The geo file, with its file name'),
          ...UploadFields.shape,
        }),
        response: {
          201: jsonResponse('Accepted, its processing is queued', Dataset),
          ...errorResponses(400, 413, 422),
        },
      },
    },
    async (request, reply) => {
      await using form = await readForm(request, {
        knownFields: Object.keys(UploadFields.shape),
        maxBytes: services.maxUploadBytes,
        takeFile: async (file) => await receiveFile(services, file),
      });
      const { file, problems } = form;
      const row = await createDataset(services, { file, problems, fields: Object.fromEntries(form.fields) });
      return await reply.code(201).header('location', `/datasets/${row.id}`).send(toDataset(row));
    },
  );
}
