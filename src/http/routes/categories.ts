import { z } from 'zod';
import {
  checkCategory,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '../../catalogue/categories.ts';
import { Category, CategoryInput } from '../../catalogue/schema.ts';
import { Guid } from '../../validation/fields.ts';
import type { App } from '../request/schemas.ts';
import { emptyResponse, errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import type { Services } from './services.ts';
import { IdParams } from '../request/query-fields.ts';

const tags = ['categories'];

/** Registers the tree of categories. */
export function registerCategoryRoutes(app: App, { db }: Services): void {
  app.get('/categories', {
    schema: {
      operationId: 'listCategories',
      summary: 'All categories, or the direct children of one, by name',
      description: 'The whole tree at once, without pages; `parent_id` says where each of them hangs.',
      tags,
      querystring: z.object({ parent_id: Guid.optional().describe('Only its direct children') }),
      response: ok('Ordered by name', z.array(Category), 400),
    },
    handler: async ({ query }) => await listCategories(db, query.parent_id),
  });

  app.post('/categories', {
    schema: {
      operationId: 'createCategory',
      summary: 'Create a category',
      description: 'A root, or below `parent_id`. A code that another category has is 409.',
      tags,
      body: CategoryInput,
      response: { 201: jsonResponse('Created', Category), ...errorResponses(400, 409, 413, 422) },
    },
    handler: async ({ body }, reply) =>
      await reply.code(201).send(await createCategory(db, await checkCategory(db, body))),
  });

  app.get('/categories/:id', {
    schema: {
      operationId: 'getCategory',
      summary: 'One category',
      description: 'As it is now, without its children.',
      tags,
      params: IdParams,
      response: ok('The category', Category, 400, 404),
    },
    handler: async ({ params }) => await getCategory(db, params.id),
  });

  app.put('/categories/:id', {
    schema: {
      operationId: 'updateCategory',
      summary: 'Change name, description and parent of a category',
      description:
        'The code is fixed at creation: a different free one is ignored, one of another category is 409.',
      tags,
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
    schema: {
      operationId: 'deleteCategory',
      summary: 'Delete a category that no dataset and no child category refers to',
      description: '409 as long as one does: move or delete those first.',
      tags,
      params: IdParams,
      response: { 204: emptyResponse('Deleted'), ...errorResponses(400, 404, 409) },
    },
    handler: async ({ params }, reply) => {
      await deleteCategory(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
