import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { balanceOf } from './balance.ts';
import { Balance, unitQuery } from './balance-schema.ts';
import { caseOf, caseQuery, runCaseOf } from './case-query.ts';
import { conflictsOf } from './conflicts.ts';
import { Conflicts } from './conflicts-schema.ts';
import { onlyUnits } from '../../areas/by-unit.ts';
import type { CellTable } from './land.ts';
import { sensitivityOf } from './sensitivity.ts';
import { Sensitivity } from './sensitivity-schema.ts';
import { stabilityOf } from './stability.ts';
import { Stability } from './stability-schema.ts';
import type { ZoningCase } from '../../../common/landscape/zoning.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { IdParams } from '../../validation/fields.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { ZonedRuns } from './zoned-runs.ts';
import { type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';

const JudgedQuery = LanguageQuery.extend({
  ...unitQuery,
  ...caseQuery,
  ...waitQuery,
});

/** Part of every ETag: raise it when the evaluation of the same land changes. */
const judgingVersion = 2;

const counting = `Zones depend on a place only through the greatest suitability S, the sensitivity E and the set of sectors that reach S. The
hectares of these cells are counted once, by unit, from the rasters that the run has resolved; every answer follows exactly from these hectares,
without reading a raster again. Areas are those of the ellipsoid of WGS 84; a pixel at the border of a unit contributes the share that the unit covers. They
are mapped areas, not a survey of boundaries.

At the first request for a run, a job counts the land. The answer waits up to \`wait\` seconds for it, then it is 202; send the same request again
later. A run that has pinned 31, 32 or 33 is answered with 409: its zones do not follow from suitability and sensitivity.`;

const caseText = `The case is that of the run, with the thresholds and the order of the query.`;

interface Judged {
  readonly runId: string;
  readonly runCase: ZoningCase;
  readonly zoning: ZoningCase;
  readonly language: Language;
}

const routes = [
  {
    name: 'balance',
    operationId: 'getLandscapeBalance',
    summary: 'Read the effect of thresholds and of the order of sectors on the land of a run',
    description: `Hectares of every cell and unit, and of zones and codes of the functional zoning in one case. ${caseText}\n\n${counting}`,
    answer: 'The balance',
    schema: Balance,
    judge: balanceOf,
  },
  {
    name: 'sensitivity',
    operationId: 'getLandscapeSensitivity',
    summary: 'Read which thresholds and which preferences of a run have the largest effect',
    description: `Each threshold is moved by one, and each two neighbours in the order of sectors change places, one change at a time. ${caseText}\n\n${counting}`,
    answer: 'The sensitivity',
    schema: Sensitivity,
    judge: sensitivityOf,
  },
  {
    name: 'conflicts',
    operationId: 'getLandscapeConflicts',
    summary: 'Read the land of a run that suits several sectors equally well',
    description: `Land is contested if two or more sectors share the greatest suitability, and this is 3 or more: land below it suits no sector well enough. The order
of sectors, not the land, then decides. ${caseText}\n\n${counting}`,
    answer: 'The contested land',
    schema: Conflicts,
    judge: conflictsOf,
  },
  {
    name: 'stability',
    operationId: 'getLandscapeStability',
    summary: 'Read which land of a run keeps its zone when parameters move',
    description: `Land is stable when its code of the functional zoning is the same in every case of the sensitivity: with each threshold moved by one, with each
two neighbours of the order swapped, and in all of these. This is sensitivity to parameters, not a probability. ${caseText}\n\n${counting}`,
    answer: 'The stability',
    schema: Stability,
    judge: stabilityOf,
  },
] as const;

interface Dependencies {
  readonly resultWaiters: ResultWaiters;
  readonly zonedRuns: ZonedRuns;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerBalanceRoutes(
  app: App,
  { zonedRuns, resultWaiters, drawnAnswers }: Dependencies,
): void {
  for (const { name, answer, schema, judge, ...documented } of routes) {
    app.get(`/landscape/runs/:id/${name}`, {
      config: { scope: 'data:read' },
      schema: {
        ...documented,
        tags: ['landscape'],
        params: IdParams,
        querystring: JudgedQuery,
        response: {
          ...drawnResponses(jsonResponse(answer, schema), 400, 404, 409, 422),
          ...pendingResponse,
        },
      },
      handler: async (request, reply) =>
        await send({ request, reply, name }, request.params.id, request.query, judge),
    });
  }

  async function send(
    { request, reply, name }: { request: FastifyRequest; reply: FastifyReply; name: string },
    id: string,
    query: z.infer<typeof JudgedQuery>,
    judge: (table: CellTable, judged: Judged) => object,
  ): Promise<FastifyReply> {
    const { by, kato, wait } = query;
    const poll = async () => await zonedRuns.land(id, by);
    const land = await resultWaiters.readyOr202(request, reply, { wait, poll });
    if (land === undefined) return reply;
    const language = answerIn(request, reply);
    const { run, key } = land;
    const zoning = caseOf(run.params, query);
    const runCase = runCaseOf(run.params);
    return await drawnAnswers.send(request, reply, async () => ({
      parts: [
        judgingVersion,
        name,
        run.id,
        key,
        by,
        kato ?? null,
        JSON.stringify([zoning, runCase]),
        language,
      ],
      async draw() {
        const all = await land.read();
        const table = { ...all, units: onlyUnits(all.units, kato) };
        return jsonBody(judge(table, { runId: run.id, runCase, zoning, language }));
      },
    }));
  }
}
