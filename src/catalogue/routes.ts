import { z } from 'zod';
import {
  checkCategory,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from './categories.ts';
import {
  createDatasetGroup,
  deleteDatasetGroup,
  getDatasetGroup,
  listDatasetGroups,
  updateDatasetGroup,
} from './dataset-groups.ts';
import { Category, CategoryInput, DatasetGroup, DatasetGroupInput } from './schema.ts';
import { createShareNext } from '../lib/concurrency/single-flight.ts';
import { Guid, IdParams, Text } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { errorResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../http/request/pages.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';

export function registerCategoryRoutes(app: App, { db }: { readonly db: Database }): void {
  const shareList = createShareNext<Category[]>();
  app.get('/categories', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'listCategories',
      summary: 'List all categories, or the direct children of one, by name',
      description: 'The whole tree at once, without pages; `parent_id` is the parent of each category.',
      tags: ['categories'],
      querystring: z.object({
        parent_id: Guid.optional().describe('Only the direct children of this category'),
      }),
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
      description: 'A root, or a child of `parent_id`. 409 if another category has the code.',
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
      summary: 'Read a category',
      description: 'The current category, without its children.',
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
        'The code is fixed at creation: a different code is ignored, with `X-Ignored: code`, if it is free, and answered with 409 if another category has it.',
      tags: ['categories'],
      params: IdParams,
      body: CategoryInput,
      response: ok('As it is now', Category, 400, 404, 409, 413, 422),
    },
    handler: async ({ params, body }, reply) => {
      await getCategory(db, params.id); // a missing category is reported before invalid input
      const input = await checkCategory(db, body, params.id);
      const category = await updateCategory(db, params.id, input);
      if (category.code !== input.code) reply.header('x-ignored', 'code');
      return category;
    },
  });

  app.delete('/categories/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'deleteCategory',
      summary: 'Delete a category that no dataset and no child category refers to',
      description: '409 as long as a dataset or a child category refers to it: move or delete those first.',
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

export function registerDatasetGroupRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get('/dataset-groups', {
    config: { scope: 'data:read' },
    schema: {
      operationId: 'listDatasetGroups',
      summary: 'List the dataset groups by code',
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
      description: 'Datasets join it with `dg_id`. 409 if another group has the code.',
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
      summary: 'Read a dataset group',
      description: 'The current group. `GET /datasets?dg_id=` lists its datasets.',
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
      description: '409 if another group has the code. The shared style stays.',
      tags: ['dataset groups'],
      params: IdParams,
      body: DatasetGroupInput,
      response: ok('As it is now', DatasetGroup, 400, 404, 409, 413, 422),
    },
    handler: async ({ params, body }) => {
      await getDatasetGroup(db, params.id); // a missing group is reported before invalid input
      return await updateDatasetGroup(db, params.id, parseBody(DatasetGroupInput, body));
    },
  });

  app.delete('/dataset-groups/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      operationId: 'deleteDatasetGroup',
      summary: 'Delete a dataset group that no dataset refers to',
      description:
        '409 as long as a dataset refers to it. Its shared style and its templates of forms are deleted with it.',
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
