import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DatasetGroup, toDatasetGroup } from '../../catalogue/dataset-group-schema.ts';
import { Dataset, toDataset } from '../../datasets/schema.ts';
import { maxSldBytes } from '../../datasets/styles/sld.ts';
import { getStyleKey, replaceStyle, type SentStyle, type StyleOwner } from '../../datasets/styles/styles.ts';
import type { App } from '../request/schemas.ts';
import { type Form, type FormFile, readForm } from '../request/multipart.ts';
import { errorResponses, FileBytes, fileResponses, jsonResponse } from '../openapi/responses.ts';
import { sendCurrentObject } from '../files/file-response.ts';
import type { Services } from './services.ts';
import { IdParams } from '../request/query-fields.ts';

const formSchema = {
  params: IdParams,
  consumes: ['multipart/form-data'],
  body: z.object({ file: FileBytes.describe('The style, `.sld` or `.xml`') }),
  description:
    'Well-formed XML of up to 5 MiB, its root `StyledLayerDescriptor` (1.0.0 or 1.1.0), without DOCTYPE.',
};
const fileSchema = {
  params: IdParams,
  response: fileResponses({ description: 'The SLD', mediaType: 'application/xml' }),
};

/** Styles (SLD) of datasets and groups. */
export function registerStyleRoutes(app: App, services: Services): void {
  app.post(
    '/datasets/:id/sld',
    {
      schema: {
        ...formSchema,
        tags: ['datasets'],
        operationId: 'replaceDatasetStyle',
        summary: 'Store or replace the style of a dataset',
        response: { 200: jsonResponse('The dataset', Dataset), ...errorResponses(400, 404, 413, 422) },
      },
    },
    async (request) => {
      await using form = await readStyle(request, services.maxUploadBytes);
      return toDataset(await replaceStyle(services, { table: 'datasets', id: request.params.id }, form));
    },
  );

  app.get(
    '/datasets/:id/sld',
    {
      schema: {
        ...fileSchema,
        tags: ['datasets'],
        operationId: 'getDatasetStyle',
        summary: 'Read the style of a dataset, else of its group',
        description: 'The bytes as they were uploaded. 404 when neither has one.',
      },
    },
    async (request, reply) => await sendStyle(request, reply, { table: 'datasets', id: request.params.id }),
  );

  app.post(
    '/dataset-groups/:id/sld',
    {
      schema: {
        ...formSchema,
        tags: ['dataset groups'],
        operationId: 'replaceDatasetGroupStyle',
        summary: 'Store or replace the style that a group shares',
        response: { 200: jsonResponse('The group', DatasetGroup), ...errorResponses(400, 404, 413, 422) },
      },
    },
    async (request) => {
      await using form = await readStyle(request, services.maxUploadBytes);
      const owner = { table: 'dataset_groups', id: request.params.id } as const;
      return toDatasetGroup(await replaceStyle(services, owner, form));
    },
  );

  app.get(
    '/dataset-groups/:id/sld',
    {
      schema: {
        ...fileSchema,
        tags: ['dataset groups'],
        operationId: 'getDatasetGroupStyle',
        summary: 'Read the style that a group shares',
        description: 'The bytes as they were uploaded. 404 when there is none.',
      },
    },
    async (request, reply) =>
      await sendStyle(request, reply, { table: 'dataset_groups', id: request.params.id }),
  );

  async function sendStyle(
    request: FastifyRequest,
    reply: FastifyReply,
    owner: StyleOwner,
  ): Promise<FastifyReply> {
    return await sendCurrentObject(request, reply, services.objectStore, async () => ({
      key: await getStyleKey(services.db, owner),
      contentType: 'application/xml',
      // A style is shown by a browser like any XML; whatever it holds must neither run there nor fetch.
      headers: { 'content-security-policy': "sandbox; default-src 'none'" },
    }));
  }
}

type StyleFile = SentStyle & AsyncDisposable;

async function readStyle(request: FastifyRequest, maxBytes: number): Promise<Form<StyleFile>> {
  return await readForm(request, { knownFields: [], maxBytes, takeFile: readWhole });
}

/** Reads a style into memory; of one that is too large, enough to tell. */
async function readWhole({ filename, mediaType, body }: FormFile): Promise<StyleFile> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxSldBytes) break;
  }
  return { filename, mediaType, bytes: Buffer.concat(chunks), async [Symbol.asyncDispose]() {} };
}
