import { z } from 'zod';
import { Text } from '../../validation/fields.ts';
import { DatasetGroup, DatasetGroupInput } from '../../catalogue/schema.ts';
import {
  createDatasetGroup,
  deleteDatasetGroup,
  getDatasetGroup,
  listDatasetGroups,
  updateDatasetGroup,
} from '../../catalogue/dataset-groups.ts';
import type { App } from '../request/schemas.ts';
import { pageOf, pageQuery, sendPage } from '../request/pages.ts';
import { emptyResponse, errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import type { Services } from './services.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { IdParams } from '../request/query-fields.ts';

const tags = ['dataset groups'];

/** Registers dataset groups as resources. */
export function registerDatasetGroupRoutes(app: App, { db }: Services): void {
  app.get('/dataset-groups', {
    schema: {
      operationId: 'listDatasetGroups',
      summary: 'Dataset groups by code',
      description: 'All of them in pages, or the one with a code.',
      tags,
      querystring: z.object({ code: Text.optional().describe('Exact match'), ...pageQuery }),
      response: ok('One page', pageOf(DatasetGroup, 'DatasetGroupPage'), 400),
    },
    handler: async (request, reply) =>
      await sendPage(
        request,
        reply,
        async (window) => await listDatasetGroups(db, request.query.code, window),
      ),
  });

  app.post('/dataset-groups', {
    schema: {
      operationId: 'createDatasetGroup',
      summary: 'Create a dataset group',
      description: 'Datasets join it with `dg_id`. A code that another group has is 409.',
      tags,
      body: DatasetGroupInput,
      response: { 201: jsonResponse('Created', DatasetGroup), ...errorResponses(400, 409, 413, 422) },
    },
    handler: async ({ body }, reply) =>
      await reply.code(201).send(await createDatasetGroup(db, parseBody(DatasetGroupInput, body))),
  });

  app.get('/dataset-groups/:id', {
    schema: {
      operationId: 'getDatasetGroup',
      summary: 'One dataset group',
      description: 'As it is now. Its datasets are in `GET /datasets?dg_id=`.',
      tags,
      params: IdParams,
      response: ok('The dataset group', DatasetGroup, 400, 404),
    },
    handler: async ({ params }) => await getDatasetGroup(db, params.id),
  });

  app.put('/dataset-groups/:id', {
    schema: {
      operationId: 'updateDatasetGroup',
      summary: 'Change code, name and description of a dataset group',
      description: 'A code that another group has is 409. The shared style stays.',
      tags,
      params: IdParams,
      body: DatasetGroupInput,
      response: ok('As it is now', DatasetGroup, 400, 404, 409, 413, 422),
    },
    handler: async ({ params, body }) => {
      await getDatasetGroup(db, params.id); // that it exists comes before what is wrong with the body
      return await updateDatasetGroup(db, params.id, parseBody(DatasetGroupInput, body));
    },
  });

  app.delete('/dataset-groups/:id', {
    schema: {
      operationId: 'deleteDatasetGroup',
      summary: 'Delete a dataset group that no dataset refers to',
      description: '409 as long as one does. Its shared style goes with it.',
      tags,
      params: IdParams,
      response: { 204: emptyResponse('Deleted'), ...errorResponses(400, 404, 409) },
    },
    handler: async ({ params }, reply) => {
      await deleteDatasetGroup(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
