import { z } from 'zod';
import type { ReportDependencies } from './facts.ts';
import { reportOf } from './report.ts';
import { IdParams } from '../../validation/fields.ts';
import { baseUrlOf } from '../../http/access/own-addresses.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { drawnResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { PaperMaps } from '../../maps/paper/paper-maps.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';

const description = `One self-contained HTML page, without requests and scripts, with the pictures inside. It contains a summary, the state, note, basis and history of the
record, maps with legends, hectares by region and district as in \`GET /datasets/{id}/areas\`, the effect of the settings, gaps, and the SHA-256 of
each input and output; it prints on A4. In the language of \`lang\`, otherwise of \`Accept-Language\`. It has no date of its own: equal facts produce equal bytes, so that the
ETag changes only with the content.

A sentence replaces each figure that cannot be computed, such as the balance of a run with pinned zones. A run that has not ended is answered with 409. Jobs count
the missing figures: the answer waits for them up to \`wait\` seconds, then it is 202; send the same request again later.`;

const media = 'text/html; charset=utf-8';
/** Prevents scripts on the origin of the service, in addition to the policy of the page itself. */
const policy = "sandbox; frame-ancestors 'none'";

interface Dependencies extends ReportDependencies {
  readonly resultWaiters: ResultWaiters;
  readonly paperMaps: PaperMaps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

export function registerRunReportRoute(app: App, parts: Dependencies): void {
  const { resultWaiters, drawnAnswers, tileBudget, maps, access } = parts;

  app.get('/landscape/runs/:id/report.html', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['landscape'],
      operationId: 'getRunReport',
      summary: 'Read the report on a run as one HTML page',
      description,
      params: IdParams,
      querystring: LanguageQuery.extend(waitQuery),
      response: {
        ...drawnResponses(
          { description: 'The report', content: { 'text/html': { schema: z.string() } } },
          400,
          404,
          409,
          429,
        ),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const language = answerIn(request, reply);
      const asked = { runId: request.params.id, language, baseUrl: baseUrlOf(request, access) };
      const poll = async () => await reportOf(parts, asked);
      const report = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (report === undefined) return reply;
      const signal = untilGone(reply);
      return await drawnAnswers.send(
        request,
        reply,
        async () => ({
          parts: [report.key],
          headers: { 'content-security-policy': policy },
          draw: async () => ({
            contentType: media,
            bytes: await report.write(
              signal,
              async (picture) => await tileBudget.spend(clientOf(request), picture, signal),
            ),
          }),
        }),
        maps.forgetAll,
      );
    },
  });
}
