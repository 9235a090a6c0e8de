import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import { receiveFile } from '../original/receive-file.ts';
import type { DatasetRow } from '../schema.ts';
import { UploadFields } from './upload-fields.ts';
import { accepted, answerAgain, contentOf, created } from './keyed-form.ts';
import { createDataset } from './upload.ts';
import { errorResponses, FileBytes } from '../../http/openapi/responses.ts';
import { KeyHeaders, takeRequestKey } from '../../http/access/idempotency.ts';
import { readForm } from '../../http/request/multipart.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';

const datasetDescription = `Parts may come in any order; the file is streamed. \`vector\` and \`vector_with_kato\` take \`.geojson\`,
\`.gpkg\` and \`.zip\`, \`raster\` takes \`.tif\` and \`.tiff\`; the first bytes must match the extension. An optional part
that is empty is ignored. Processing continues after the answer: follow \`GET /datasets/{id}/status\`.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly maxUploadBytes: number;
}

export function registerUploadRoutes(app: App, parts: Dependencies): void {
  const { db, maxUploadBytes: maxBytes } = parts;

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
        file: FileBytes.describe('Geo file with its file name'),
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
        takeFile: async (file) => await receiveFile(parts, file),
      });
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) => await createDataset(parts, form, alsoWrite);
      return await key.answer(contentOf(form), make, created);
    },
  });
}
