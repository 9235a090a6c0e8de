import { z } from 'zod';
import { createShareNext } from '../../lib/concurrency/single-flight.ts';
import { deleteDataset } from '../deletion/delete.ts';
import { Cursor, readCursor } from '../list/cursor.ts';
import { DatasetFilter } from '../filter.ts';
import { type DatasetPage, listDatasets } from '../list/list.ts';
import { createDatasetReader, getFreshestDataset } from '../queries.ts';
import { Dataset, DatasetStatusView, DatasetSummary, progressOf } from '../schema.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { DatasetPatch, DatasetPut, patchDataset, replaceDataset } from '../update.ts';
import type { App } from '../../http/request/schemas.ts';
import { pageOf, pageQuery, sendPage } from '../../http/request/pages.ts';
import { errorResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import { datasetFor, reasonFor } from '../in-language.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { StatusWaiters } from '../../http/long-poll/status-waiters.ts';

const tags = ['datasets'];
const oneDataset = jsonResponse('The dataset, without geometry and properties', Dataset);

const listQuery = {
  after: Cursor.optional().describe(
    'The page begins after this position, from the `next` of a `Link` header; `page` then only numbers it',
  ),
};

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly statusWaiters: StatusWaiters;
}

export function registerDatasetRoutes(app: App, parts: Dependencies): void {
  const { db, objectStore, statusWaiters } = parts;
  const readDataset = createDatasetReader(db);
  const sharePage = createShareNext<DatasetPage>();
  app.get('/datasets', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listDatasets',
      summary: 'List datasets, newest first',
      description:
        'A dataset must match all filters. An unknown value, or a range that ends before it starts, gives an empty page. `next` of the `Link` header finds the following page at once, however far back it is. 503 if `q`, dates or a far page take longer than a second.',
      querystring: z.object({ ...pageQuery, ...listQuery, ...DatasetFilter.shape }),
      response: ok('A page of datasets', pageOf(DatasetSummary, 'DatasetSummaryPage'), 400),
    },
    handler: async (request, reply) => {
      const { after: cursor = '', ...filter } = request.query;
      const after = readCursor(cursor);
      return await sendPage(request, reply, (window) =>
        sharePage(JSON.stringify(request.query), () => listDatasets(db, filter, { ...window, after })),
      );
    },
  });

  app.get('/datasets/:id', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDataset',
      summary: 'Read a dataset',
      description:
        'All metadata of the dataset. Its data are in `.geojson`, `.cog`, `/observations` and `/download`.',
      params: IdParams,
      response: { 200: oneDataset, ...errorResponses(400, 404) },
    },
    handler: async (request, reply) => datasetFor(request, reply, await readDataset(request.params.id)),
  });

  app.put('/datasets/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'replaceDataset',
      summary: 'Replace the description of a dataset',
      description: 'Never changes file, file type or status.',
      params: IdParams,
      body: DatasetPut,
      response: { 200: oneDataset, ...errorResponses(400, 404, 413, 422) },
    },
    handler: async (request, reply) =>
      datasetFor(request, reply, await replaceDataset(db, request.params.id, request.body)),
  });

  app.patch('/datasets/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'updateDataset',
      summary: 'Change single fields of a dataset',
      description: 'Only the fields that are present change; null clears one that can be null.',
      params: IdParams,
      body: DatasetPatch,
      response: { 200: oneDataset, ...errorResponses(400, 404, 413, 422) },
    },
    handler: async (request, reply) =>
      datasetFor(request, reply, await patchDataset(db, request.params.id, request.body)),
  });

  app.delete('/datasets/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'deleteDataset',
      summary: 'Delete a dataset with its files and observations',
      description:
        'In any status: processing in progress ends without effect. Runs keep the id. 409 while a run that has read, made or reused the dataset is `adopted`.',
      params: IdParams,
      response: { 204: z.null().describe('The dataset is deleted'), ...errorResponses(400, 404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await deleteDataset({ db, objectStore }, id);
      return await reply.code(204).send(null);
    },
  });

  app.get('/datasets/:id/status', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetStatus',
      summary: 'Read or await the status of a dataset',
      description:
        'With `current`, the answer is held until the status differs or `wait` seconds have passed.',
      params: IdParams,
      querystring: z.object({
        current: DatasetStatusView.shape.status.optional().describe('Status that the client knows'),
        wait: decimalInteger(0, 60, 25).describe('Longest wait for a change, in seconds'),
      }),
      response: ok('The status', DatasetStatusView, 400, 404),
    },
    handler: async (request, reply) => {
      // A previous answer on this connection may have left a timeout shorter than the wait.
      reply.raw.setTimeout(0);
      const { current, wait: waitSeconds } = request.query;
      const state = await statusWaiters.wait(request.params.id, { current, waitSeconds, answer: reply.raw });
      if (state === undefined) throw datasetProblems.notFound();
      const { id, status } = state;
      return { id, status, parse_error: reasonFor(request, reply, state), progress: progressOf(state) };
    },
  });

  app.get('/dataset-groups/:id/latest', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLatestDataset',
      summary: 'Read the freshest dataset of a group',
      description:
        'The dataset with the latest `end_date`, then with the latest `created_at`; datasets without an `end_date` come last.',
      params: IdParams,
      querystring: DatasetFilter.pick({ status: true, file_type: true }),
      response: { 200: oneDataset, ...errorResponses(400, 404) },
    },
    handler: async (request, reply) =>
      datasetFor(request, reply, await getFreshestDataset(db, request.params.id, request.query)),
  });
}
