import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { digestOf, valuesOf } from '../areas/area-counts.ts';
import { readUnits } from '../areas/by-unit.ts';
import { unitFileVersion } from '../areas/unit-files.ts';
import { cogOf } from '../areas/routes.ts';
import { unitRoutes } from '../areas/unit-routes.ts';
import type { RecentDatasets } from '../datasets/recent-datasets.ts';
import { Dataset, toDataset } from '../datasets/schema.ts';
import { zonalProblems } from '../messages/areas/english.ts';
import { IdParams } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { followGroup, readGroupZonal, unfollowGroup } from './group-tables.ts';
import { makeRasterTable } from './raster-table.ts';
import { refuseSenseless, toDatasetZonal, type ZonalAsked } from './zonal-answers.ts';
import { zonalFile } from './zonal-files.ts';
import {
  DatasetZonal,
  GroupZonal,
  GroupZonalInput,
  ZonalQuery,
  ZonalStat,
  ZonalTableInput,
} from './zonal-schema.ts';
import { attachment } from '../http/files/content-headers.ts';
import { formAsked, makerOf, type TableForm, tableMedia } from '../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../http/long-poll/result-waiters.ts';
import { errorResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';

const tags = ['areas'];

const descriptions = {
  json: `The statistics of the values of a raster in each administrative unit: of its first band, with scale and offset applied, every pixel at full resolution.
A pixel on the border of a unit contributes the share that the unit covers; areas are geodesic, on the ellipsoid of WGS 84. NaN, infinity and no data all
mean that there is no value.

- Mean, standard deviation and quantiles are weighted by area; minimum and maximum are of all pixels that the unit touches.
- Quantiles are exact, and interpolated between different values as in exactextract.
- \`valid_share\` is the share of the area of the whole unit, including its part outside the raster. Below \`min_valid_share\` a unit has no statistics, but a
  \`reason\`.
- \`sum\` needs \`values_are=count\`: a sum of densities or degrees is meaningless.

A job counts them once for each COG and version of the units, at the first request, for all units and statistics: another \`by\` or \`stats\` costs nothing. The
answer waits up to \`wait\` seconds, then it is 202; send the same request again later. Another type than a raster is answered with 422, a raster that is not \`ready\` with 409. With
\`Accept: text/csv\` the answer is that of \`zonal.csv\`, with \`${tableMedia.parquet}\` that of \`zonal.parquet\`.`,

  csv: `One row for each unit, with unrounded numbers, and an empty field for no value. Otherwise like \`areas.csv\`.`,

  xlsx: `A workbook of two sheets: the table, and an explanation of the statistics and of the method. Otherwise like \`areas.xlsx\`.`,

  parquet: `The columns of \`zonal.csv\` with types: numbers of 64 bits, texts for codes and names.`,
};

const tableDescription = `Makes a table by KATO of the statistics: an ordinary dataset of the type \`vector_with_kato\`, with observations for the dates of the raster. It
is mapped already, and extracted by a job. Its values are those of the first of \`stats\`; the others, and the valid share, are further columns, which another
mapping can show. If too little of a unit has values, the cell shows it, such as \`62.1 % < 80 %\`. The table does not follow the raster: for that, see
\`PUT /dataset-groups/{id}/zonal\`. A raster without dates is answered with 409. The answer waits for the count like \`GET /datasets/{id}/zonal\`, then it is 202 and no
table is made yet: send the same request again. Each 201 makes a new table.`;

const followDescription = `Keeps one table of statistics of the rasters of a group up to date: with every raster that becomes ready, is deleted, or changes its dates
or its group, and when the administrative units change, a job makes the table again, from earlier counts and new ones. Its observations are therefore always those of
the ready rasters that have dates; of rasters with the same dates, the newest. The table is an ordinary dataset of the type \`vector_with_kato\` in no group, and keeps its id.
During an update its previous contents stay visible.

Another request changes the settings, and tries failed rasters again. Deleting the table switches the update off, as \`DELETE\` does, which leaves the table as it is; deleting
the group switches it off as well.`;

const ZonalRequestQuery = z.object({ ...ZonalQuery, ...waitQuery, ...LanguageQuery.shape });
type ZonalRequestQuery = z.infer<typeof ZonalRequestQuery>;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly recentDatasets: RecentDatasets;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerZonalRoutes(app: App, parts: Dependencies): void {
  const { db, recentDatasets, resultWaiters, drawnAnswers } = parts;

  async function send(
    request: FastifyRequest<{ Params: { id: string }; Querystring: ZonalRequestQuery }>,
    reply: FastifyReply,
    form: TableForm,
  ): Promise<FastifyReply> {
    const { wait } = request.query;
    const dataset = await recentDatasets.read(request.params.id);
    const cog = cogOf(dataset, zonalProblems);
    const asked = askedIn(request.query);
    const poll = async () => await valuesOf(parts, cog);
    const counted = await resultWaiters.readyOr202(request, reply, { wait, poll });
    if (counted === undefined) return reply;
    const language = answerIn(request, reply);
    const { key, districtsVersion, countedAt } = counted;
    const { by } = asked;
    const headers = {
      vary: 'Accept, Accept-Language',
      ...(form === 'json' ? {} : { 'content-disposition': attachment(`zonal-${by}.${form}`) }),
    };
    return await drawnAnswers.send(request, reply, async () => ({
      hasRanges: true,
      parts: [
        unitFileVersion,
        dataset.id,
        dataset.name,
        dataset.unit,
        key,
        JSON.stringify(asked),
        language,
        makerOf(form),
        // A workbook contains the time of the count.
        form === 'xlsx' ? countedAt.toISOString() : null,
      ],
      headers,
      draw: async () => {
        const zonal = toDatasetZonal(await counted.read(), {
          asked,
          names: await readUnits(db),
          datasetId: dataset.id,
          digest: await digestOf(db, cog),
          unit: dataset.unit,
          districtsVersion,
        });
        const bytes = await zonalFile(form, zonal, { title: dataset.name, countedAt }, language);
        return { contentType: tableMedia[form], bytes };
      },
    }));
  }

  const routes = unitRoutes({
    path: '/datasets/:id/zonal',
    operationId: 'getDatasetZonal',
    summary: 'Read statistics of the values of a raster in each administrative unit',
    answer: 'The statistics',
    schema: DatasetZonal,
    descriptions,
  });
  for (const { form, url, ...documented } of routes)
    app.get(url, {
      config: { scope: 'data:read' },
      schema: { ...documented, querystring: ZonalRequestQuery },
      handler: async (request, reply) =>
        await send(
          request,
          reply,
          form === 'json' ? formAsked(request.headers.accept, ['csv', 'parquet']) : form,
        ),
    });

  app.post('/datasets/:id/zonal/table', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'makeZonalTable',
      summary: 'Make a table by KATO of the statistics of a raster',
      description: tableDescription,
      params: IdParams,
      querystring: z.object(waitQuery),
      body: ZonalTableInput,
      response: {
        201: jsonResponse('The table, which a job is extracting', Dataset),
        ...errorResponses(400, 404, 409, 413, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const dataset = await recentDatasets.read(request.params.id);
      const input = parseBody(ZonalTableInput, request.body);
      const cog = cogOf(dataset, zonalProblems);
      const poll = async () => await valuesOf(parts, cog);
      const make = await makeRasterTable(parts, dataset.id, input);
      const counted = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (counted === undefined) return reply;
      const row = await make(await counted.read(), counted.districtsVersion);
      return await reply.code(201).send(toDataset(row));
    },
  });

  app.put('/dataset-groups/:id/zonal', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'followDatasetGroup',
      summary: 'Keep a table of statistics of the rasters of a group up to date',
      description: followDescription,
      params: IdParams,
      body: GroupZonalInput,
      response: ok('The state of the table', GroupZonal, 400, 404, 413, 422),
    },
    handler: async (request, reply) => {
      await followGroup(db, request.params.id, request.body);
      return await readGroupZonal(db, request.params.id, answerIn(request, reply));
    },
  });

  app.get('/dataset-groups/:id/zonal', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getGroupZonal',
      summary: 'Read the state of the table of statistics of a group',
      description: `Its settings, its dataset, and the rasters that are in it, wait, have failed, or cannot be in it. \`off\` if no table follows the group.`,
      params: IdParams,
      response: ok('The state of the table', GroupZonal, 400, 404),
    },
    handler: async (request, reply) => await readGroupZonal(db, request.params.id, answerIn(request, reply)),
  });

  app.delete('/dataset-groups/:id/zonal', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'unfollowDatasetGroup',
      summary: 'Stop updating the table of statistics of a group',
      description: `The table stays as it is, an ordinary dataset: \`DELETE /datasets/{id}\` deletes it, and switches this off as well.`,
      params: IdParams,
      response: {
        204: z.null().describe('The table no longer follows the group'),
        ...errorResponses(400, 404),
      },
    },
    handler: async (request, reply) => {
      await unfollowGroup(db, request.params.id);
      return await reply.code(204).send(null);
    },
  });
}

/** Reads the requested statistics. @throws {Problem} for a sum of values that are not counts. */
function askedIn({
  by,
  stats,
  min_valid_share: share,
  values_are: valuesAre,
}: ZonalRequestQuery): ZonalAsked {
  const wanted = [...new Set(stats.split(','))].map((stat) => ZonalStat.parse(stat));
  const asked = { by, stats: wanted, minValidShare: Number(share), valuesAre };
  refuseSenseless(asked);
  return asked;
}
