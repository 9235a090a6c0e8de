import { z } from 'zod';
import { toOwnAreas } from '../../areas/area-answers.ts';
import { digestOf, ownAreasOf } from '../../areas/area-counts.ts';
import { OwnAreas } from '../../areas/areas-schema.ts';
import { classWords, wordsIn } from '../../areas/class-words.ts';
import { OwnPolygons, readPolygons } from '../../areas/own-polygons.ts';
import { cogOf } from '../../areas/routes.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { errorResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import { MiB } from '../../lib/units.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { IdParams } from '../../validation/fields.ts';
import { zoningIdOf } from '../gaps/run-zoning.ts';
import { readRun } from '../runs/run-rows.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { Legends } from '../../maps/service/legends.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const maxPolygonBytes = 5 * MiB;

const ownDescription = `Hectares of each zone of the run in polygons of a client: GeoJSON with up to 1,000 features of at most 250,000 positions together, in 5 MiB.
Each feature is counted by itself; \`union\` counts all of them together, each place once. Polygons with crossing borders are repaired. The result is stored by
its content until a day after the last request for it. 429 while too many others wait. As for \`GET /datasets/{id}/areas\`, the answer waits, then it is 202: send
the same request again.`;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly recentDatasets: RecentDatasets;
  readonly legends: Legends;
  readonly tileBudget: TileBudget;
}

export function registerRunAreaRoutes(app: App, parts: Dependencies): void {
  const { db, recentDatasets, resultWaiters, tileBudget } = parts;

  app.post('/landscape/runs/:id/areas', {
    config: { scope: 'data:read', maxBodyBytes: maxPolygonBytes },
    schema: {
      tags: ['areas'],
      operationId: 'countRunAreas',
      summary: 'Count the hectares of each zone of a run in polygons of your own',
      description: ownDescription,
      params: IdParams,
      querystring: z.object({ ...waitQuery, ...LanguageQuery.shape }),
      body: OwnPolygons,
      response: {
        200: jsonResponse('The areas', OwnAreas),
        ...errorResponses(400, 404, 409, 413, 422, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const runId = request.params.id;
      const run = await readRun(db, runId);
      if (run === undefined) throw landscapeProblems.noSuchRun();
      const read = async () => readPolygons(request.body);
      const { lines, featureIds } = await tileBudget.spend(clientOf(request), read, untilGone(reply));
      const datasetId = zoningIdOf(run);
      const cog = cogOf(await recentDatasets.read(datasetId));
      const poll = async () => await ownAreasOf(parts, { cog, polygons: lines });
      const counted = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (counted === undefined) return reply;
      const language = answerIn(request, reply);
      const words = await classWords(parts, datasetId, language);
      const figures = await counted.read();
      const digest = await digestOf(db, cog);
      return toOwnAreas(figures, { runId, datasetId, featureIds, digest, wordsOf: wordsIn(words) });
    },
  });
}
