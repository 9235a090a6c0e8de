import { z } from 'zod';
import {
  checkCategory,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '../../catalogue/categories.ts';
import {
  createDatasetGroup,
  deleteDatasetGroup,
  getDatasetGroup,
  listDatasetGroups,
  updateDatasetGroup,
} from '../../catalogue/dataset-groups.ts';
import { Category, CategoryInput, DatasetGroup, DatasetGroupInput } from '../../catalogue/schema.ts';
import { createShareNext } from '../../lib/single-flight.ts';
import { Guid, IdParams, Text } from '../../validation/fields.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../request/pages.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

export function registerCategoryRoutes(app: App, { db }: Services): void {
  const shareList = createShareNext<Category[]>();
  app.get('/categories', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'listCategories',
      summary: 'All categories, or the direct children of one, by name',
      description: 'The whole tree at once, without pages; `parent_id` says where each of them hangs.',
      tags: ['categories'],
      querystring: z.object({ parent_id: Guid.optional().describe('Only its direct children') }),
      response: ok('Ordered by name', z.array(Category), 400),
    },
    handler: async ({ query: { parent_id: parentId } }) =>
      await shareList(parentId ?? '', () => listCategories(db, parentId)),
  });

  app.post('/categories', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'createCategory',
      summary: 'Create a category',
      description: 'A root, or below `parent_id`. A code that another category has is 409.',
      tags: ['categories'],
      body: CategoryInput,
      response: { 201: jsonResponse('Created', Category), ...errorResponses(400, 409, 413, 422) },
    },
    handler: async ({ body }, reply) =>
      await reply.code(201).send(await createCategory(db, await checkCategory(db, body))),
  });

  app.get('/categories/:id', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'getCategory',
      summary: 'One category',
      description: 'As it is now, without its children.',
      tags: ['categories'],
      params: IdParams,
      response: ok('The category', Category, 400, 404),
    },
    handler: async ({ params }) => await getCategory(db, params.id),
  });

  app.put('/categories/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'updateCategory',
      summary: 'Change name, description and parent of a category',
      description:
        'The code is fixed at creation: a different free one is ignored, one of another category is 409.',
      tags: ['categories'],
      params: IdParams,
      body: CategoryInput,
      response: ok('As it is now', Category, 400, 404, 409, 413, 422),
    },
    handler: async ({ params, body }) => {
      await getCategory(db, params.id); // that it exists comes before what is wrong with the body
      return await updateCategory(db, params.id, await checkCategory(db, body, params.id));
    },
  });

  app.delete('/categories/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'deleteCategory',
      summary: 'Delete a category that no dataset and no child category refers to',
      description: '409 as long as one does: move or delete those first.',
      tags: ['categories'],
      params: IdParams,
      response: { 204: z.null().describe('Deleted'), ...errorResponses(400, 404, 409) },
    },
    handler: async ({ params }, reply) => {
      await deleteCategory(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}

export function registerDatasetGroupRoutes(app: App, { db }: Services): void {
  app.get('/dataset-groups', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'listDatasetGroups',
      summary: 'Dataset groups by code',
      description: 'All of them in pages, or the one with a code.',
      tags: ['dataset groups'],
      querystring: z.object({ code: Text.optional().describe('Exact match'), ...pageQuery }),
      response: ok('One page', pageOf(DatasetGroup, 'DatasetGroupPage'), 400),
    },
    handler: (request, reply) =>
      sendPage(request, reply, (window) => listDatasetGroups(db, request.query.code, window)),
  });

  app.post('/dataset-groups', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'createDatasetGroup',
      summary: 'Create a dataset group',
      description: 'Datasets join it with `dg_id`. A code that another group has is 409.',
      tags: ['dataset groups'],
      body: DatasetGroupInput,
      response: { 201: jsonResponse('Created', DatasetGroup), ...errorResponses(400, 409, 413, 422) },
    },
    handler: async ({ body }, reply) =>
      await reply.code(201).send(await createDatasetGroup(db, parseBody(DatasetGroupInput, body))),
  });

  app.get('/dataset-groups/:id', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'getDatasetGroup',
      summary: 'One dataset group',
      description: 'As it is now. Its datasets are in `GET /datasets?dg_id=`.',
      tags: ['dataset groups'],
      params: IdParams,
      response: ok('The dataset group', DatasetGroup, 400, 404),
    },
    handler: async ({ params }) => await getDatasetGroup(db, params.id),
  });

  app.put('/dataset-groups/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'updateDatasetGroup',
      summary: 'Change code, name and description of a dataset group',
      description: 'A code that another group has is 409. The shared style stays.',
      tags: ['dataset groups'],
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
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'deleteDatasetGroup',
      summary: 'Delete a dataset group that no dataset refers to',
      description: '409 as long as one does. Its shared style goes with it.',
      tags: ['dataset groups'],
      params: IdParams,
      response: { 204: z.null().describe('Deleted'), ...errorResponses(400, 404, 409) },
    },
    handler: async ({ params }, reply) => {
      await deleteDatasetGroup(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
