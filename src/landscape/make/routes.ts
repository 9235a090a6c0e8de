import { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import type { FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, type ResultWaiters, waitQuery } from '../../http/long-poll/result-waiters.ts';
import { errorResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { Guid, Text } from '../../validation/fields.ts';
import { listMade, makeInSlot } from './made-inputs.ts';
import { AttributeValues, InputRecipeBody, MadeInputView } from './recipe-schema.ts';
import { suggestTable } from './suggest.ts';

const tags = ['landscape'];

const makeDescription = `A job makes an ordinary \`raster\` dataset in the group of the slot from datasets that are here already, and keeps how it was made. Methods:

- **\`rasterize\`**: an attribute of the polygons of a vector. \`table\` has a class of the slot, or a number, for each value; \`GET …/make/values\` suggests it. A value without
  a row is refused, unless \`unmapped\` says that it has no value.
- **\`distance\`**: metres from the centre of each pixel to the nearest line, polygon or point, also to those beside the grid; 0 within a polygon.
- **\`mosaic\`**: several rasters as one; \`figures.largest_difference\` is the largest difference where they overlap.
- **\`arithmetic\`**: a scale, an offset, a conversion of units, a bound, and the sum, mean, minimum or maximum of several rasters.

Rasters on another grid are resampled as runs do it: numbers bilinearly, classes by the nearest pixel. A vector is read in longitude and latitude on WGS 84, in which its lines are
straight.

The same recipe with the same sources is made once: a repeated request returns the same dataset. The first answer waits up to \`wait\` seconds, then it is 202; send the same request again.
Send a recipe with other datasets to repeat it.`;

const listDescription = `The rasters that were made in the slot, the newest first, at most 100, with their recipes and sources. \`newer\` of a source is a fresher dataset of its group, with which the recipe
can be repeated. With \`dataset_id\`, the recipe of that dataset alone; the list is empty for a dataset that was uploaded.`;

const valuesDescription = `The values of an attribute, and for each the class of the slot that it resembles: by its number, or by its words in English, Russian or Kazakh. A suggestion is for a
person to confirm.`;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly featureFiles: FeatureFiles;
}

const SlotParams = z.object({
  code: Text.describe('Code of the slot in `GET /landscape/slots`, such as `landscape-in-soil-texture`'),
});

export function registerMakeRoutes(app: App, parts: Dependencies): void {
  const { db, resultWaiters } = parts;

  app.post('/landscape/slots/:code/make', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'makeLandscapeInput',
      summary: 'Make an input raster from other datasets',
      description: makeDescription,
      params: SlotParams,
      querystring: z.object({ ...waitQuery, ...LanguageQuery.shape }),
      body: InputRecipeBody,
      response: {
        200: jsonResponse('The made raster, with its dataset', MadeInputView),
        ...pendingResponse,
        ...errorResponses(400, 404, 409, 413, 422, 429),
      },
    },
    handler: async (request, reply) => {
      const poll = async () => await makeInSlot(parts, request.params.code, request.body);
      const found = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (found === undefined) return reply;
      return found.view(answerIn(request, reply));
    },
  });

  app.get('/landscape/slots/:code/make', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listMadeLandscapeInputs',
      summary: 'List the rasters that were made in a slot, with their recipes',
      description: listDescription,
      params: SlotParams,
      querystring: z.object({
        dataset_id: Guid.optional().describe('Only the raster that has become this dataset'),
        ...LanguageQuery.shape,
      }),
      response: ok('The made rasters', z.array(MadeInputView), 400, 404),
    },
    handler: async (request, reply) => {
      const { dataset_id: datasetId } = request.query;
      return await listMade(db, request.params.code, { datasetId, language: answerIn(request, reply) });
    },
  });

  app.get('/landscape/slots/:code/make/values', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'suggestLandscapeTable',
      summary: 'List the values of an attribute, with suggested classes of a slot',
      description: valuesDescription,
      params: SlotParams,
      querystring: z.object({
        dataset_id: Guid.describe('A ready `vector` dataset'),
        attribute: Text.min(1).max(1000).describe('Name of the attribute'),
      }),
      response: ok('The values', AttributeValues, 400, 404, 409, 422),
    },
    handler: async (request) => {
      const { dataset_id: datasetId, attribute } = request.query;
      return await suggestTable(parts, request.params.code, { datasetId, attribute });
    },
  });
}
