import { z } from 'zod';
import { matchOf } from './code-tally.ts';
import { MappingSuggestion, TableMatch } from './match-schema.ts';
import { suggestMapping } from './suggestion.ts';
import { tableFactsOf, tableMatchOf } from './table-answers.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { readDistrictCodes } from '../../table/row-warnings.ts';
import { maxTableColumns } from '../../geo/engine.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';

const tags = ['tables by KATO'];

const suggestionDescription = `The suggestion is made from the first 1,000 rows when the columns are detected, and stored. The column of codes is found by its cells, after the repairs of an
extraction. Names of columns are read as years, half-years, quarters, months, days and ranges of these, in Russian, Kazakh and English. Of columns
that begin on the same day one is suggested, and the others state this reason. Nothing is applied: send the suggestion, with your changes, to \`POST /datasets/{id}/mapping\`.

Another type is answered with 422, a table whose columns are not detected yet with 409. For a table of an earlier release the first request reads its file again: the answer
waits up to \`wait\` seconds, then the status is 202.`;

const matchDescription = `For all rows, counted during the extraction and joined with the current districts. Each list has its first 50 entries and their total number. Another type is
answered with 422, a dataset that is not \`ready\` with 409; for a dataset of an earlier release the answer may be 202, as for the suggestion.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerTableMatchRoutes(app: App, parts: Dependencies): void {
  const { db, resultWaiters, drawnAnswers } = parts;

  app.get('/datasets/:id/mapping/suggestion', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'suggestMapping',
      summary: 'Read the probable contents of the columns of a table',
      description: suggestionDescription,
      params: IdParams,
      querystring: z.object({
        first_column: decimalInteger(0, maxTableColumns, 0).describe(
          'Index of the first of `columns`, from 0',
        ),
        max_columns: decimalInteger(1, 1000, 1000).describe('Maximum number of `columns`'),
        ...waitQuery,
      }),
      response: {
        ...drawnResponses(jsonResponse('The suggestion', MappingSuggestion), 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    async handler(request, reply) {
      const { params, query } = request;
      const { wait, first_column: first, max_columns: most } = query;
      const poll = async () => await tableFactsOf(parts, params.id);
      const found = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (found === undefined) return reply;
      return await drawnAnswers.send(request, reply, async () => ({
        parts: [found.key, await readDistrictsVersion(db), first, most],
        draw: async () => {
          const suggestion = suggestMapping(found.content, await readDistrictCodes(db), { first, most });
          const answer: MappingSuggestion = { dataset_id: params.id, ...suggestion };
          return jsonBody(answer);
        },
      }));
    },
  });

  app.get('/datasets/:id/mapping/match', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getTableMatch',
      summary: 'Read which units the rows of a table match',
      description: matchDescription,
      params: IdParams,
      querystring: z.object(waitQuery),
      response: {
        ...drawnResponses(jsonResponse('The match', TableMatch), 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    async handler(request, reply) {
      const { params, query } = request;
      const poll = async () => await tableMatchOf(parts, params.id);
      const found = await resultWaiters.readyOr202(request, reply, { wait: query.wait, poll });
      if (found === undefined) return reply;
      return await drawnAnswers.send(request, reply, async () => ({
        parts: [found.key, await readDistrictsVersion(db)],
        draw: async () => {
          const { codes, texts } = found.content;
          const answer: TableMatch = {
            dataset_id: params.id,
            kato_column: found.katoColumn,
            ...matchOf(codes, await readDistrictCodes(db)),
            text_cells: texts,
          };
          return jsonBody(answer);
        },
      }));
    },
  });
}
