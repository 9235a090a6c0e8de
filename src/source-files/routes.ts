import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import type { AlsoWrite } from '../database/transaction.ts';
import { neverMade } from '../datasets/upload/keyed-form.ts';
import { KeyHeaders, takeRequestKey } from '../http/access/idempotency.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { pendingResponse, type ResultWaiters, waitQuery } from '../http/long-poll/result-waiters.ts';
import { errorResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { IdParams } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { descriptionOf, toDescriptionAnswer } from './descriptions.ts';
import { listOrders, orderRasters } from './rasters.ts';
import { RasterOrder, RastersInput, SourceDescriptionAnswer, SourceFile } from './schema.ts';
import { deleteSourceFile, listSourceFiles, readSourceFile, toSourceFile } from './source-files.ts';

const tags = ['source files'];
const mostBodyBytes = 256 * 1024;

const listText = `Files of NetCDF, GRIB 1 and 2, HDF5, HDF4, Erdas Imagine, ASCII grids and a ZIP of tiles, from which rasters are made; the newest first, at most 200. They are uploaded in pieces with
\`use\` = \`rasters\` (\`POST /uploads\`), and are deleted 30 days after rasters were last requested from them.`;

const describeText = `A job reads the file once, in a child process without rights: the answer waits up to \`wait\` seconds, then it is 202; send the same request again later. A file that is damaged, or takes values from other
files, is answered with 422. A variable that cannot become a raster is listed with the reason: rotated poles, curvilinear and Gaussian grids, unknown calendars, missing coordinates. Of a ZIP, each tile is listed, in a group of those
whose cells coincide.`;

const orderText = `Each position on \`axis\` becomes a raster dataset with its period, in the given category and group: stored values with the scale and offset of the file, missing values and values outside of the valid range
as nodata, longitudes from −180 to 180, north up. Units are not converted. The tiles of a ZIP become one raster: each cell has the first value that a tile has, in the order of their names. Tiles that lie upon each other are refused as
several coverages, tiles on different grids unless \`onto\` names the one to resample onto. Bytes stay bytes if 0 is no value among them; other values become single-precision numbers, with scale and offset applied. \`meta\` of each dataset names the file, its SHA-256, the variable and the positions. Up to 32 rasters are made by one job, all or none of them. A repeated request
makes rasters again; one with an \`Idempotency-Key\` does not.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
}

const ordered = (orders: readonly RasterOrder[]) => ({ status: 201, body: orders });

const ResultQuery = z.object({ ...waitQuery, ...LanguageQuery.shape });

export function registerSourceFileRoutes(app: App, parts: Dependencies): void {
  const { db, resultWaiters } = parts;

  app.get('/source-files', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listSourceFiles',
      summary: 'List the files from which rasters are made',
      description: listText,
      response: ok('The files', z.array(SourceFile)),
    },
    handler: async () => [...(await listSourceFiles(db))],
  });

  app.get('/source-files/:id', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getSourceFile',
      summary: 'Read about a file from which rasters are made',
      description:
        'Its variables are at `/source-files/{id}/variables`, its orders at `/source-files/{id}/rasters`.',
      params: IdParams,
      response: ok('The file', SourceFile, 400, 404),
    },
    handler: async ({ params }) => toSourceFile(await readSourceFile(db, params.id)),
  });

  app.delete('/source-files/:id', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'deleteSourceFile',
      summary: 'Delete a file from which rasters are made',
      description: 'Orders that are not finished are cancelled; rasters that were made stay.',
      params: IdParams,
      response: { 204: z.null().describe('The file is deleted'), ...errorResponses(400, 404) },
    },
    handler: async (request, reply) => {
      await deleteSourceFile(parts, request.params.id);
      return await reply.code(204).send(null);
    },
  });

  app.get('/source-files/:id/variables', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getSourceVariables',
      summary: 'Read the variables of a file, with their axes',
      description: describeText,
      params: IdParams,
      querystring: ResultQuery,
      response: { ...ok('The variables', SourceDescriptionAnswer, 400, 404, 422, 429), ...pendingResponse },
    },
    handler: async (request, reply) => {
      const source = await readSourceFile(db, request.params.id);
      const poll = async () => await descriptionOf(parts, source);
      const read = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (read === undefined) return reply;
      return toDescriptionAnswer(read.description, answerIn(request, reply));
    },
  });

  app.post('/source-files/:id/rasters', {
    config: { scope: 'data:write', maxBodyBytes: mostBodyBytes },
    schema: {
      tags,
      operationId: 'orderRasters',
      summary: 'Make rasters from a file',
      description: orderText,
      headers: KeyHeaders,
      params: IdParams,
      querystring: ResultQuery,
      body: RastersInput,
      response: {
        201: jsonResponse('Ordered; jobs make the rasters', z.array(RasterOrder)),
        ...errorResponses(400, 404, 409, 413, 422, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      await using key = await takeRequestKey(db, request, reply);
      if (key.isAnswered) return await key.answer({ body }, neverMade, ordered);
      const source = await readSourceFile(db, params.id);
      const wanted = parseBody(RastersInput, body);
      const poll = async () => await descriptionOf(parts, source);
      const read = await resultWaiters.readyOr202(request, reply, { wait: query.wait, poll });
      if (read === undefined) return await reply;
      const { description } = read;
      const make = async (alsoWrite: AlsoWrite<readonly RasterOrder[]>) =>
        await orderRasters(parts, source, { description, wanted }, alsoWrite);
      return await key.answer({ body }, make, ordered);
    },
  });

  app.get('/source-files/:id/rasters', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listRasterOrders',
      summary: 'List the rasters that were ordered from a file',
      description: 'The newest orders first; they are listed for 30 days.',
      params: IdParams,
      querystring: LanguageQuery,
      response: ok('The orders', z.array(RasterOrder), 400, 404),
    },
    handler: async (request, reply) => {
      const source = await readSourceFile(db, request.params.id);
      return await listOrders(db, source.id, answerIn(request, reply));
    },
  });
}
