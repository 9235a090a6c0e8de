import { z } from 'zod';
import { reportOf } from '../../landscape/report/report.ts';
import { IdParams } from '../../validation/fields.ts';
import { baseUrlOf } from '../access/access-policy.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { pendingResponse, waitQuery } from '../long-poll/result-waiters.ts';
import { drawnResponses } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import type { Services } from './services.ts';

const description = `One HTML page that needs nothing else: no request, no script, pictures inside. It has a summary, the state, note, basis and history of the
record, maps with legends, hectares by region and district as \`GET /datasets/{id}/areas\` has them, what the settings decide, what is not known, and the SHA-256 of
each input and output; it prints on A4. In the language of \`lang\`, else of \`Accept-Language\`. It has no date of its own: equal facts are equal bytes, so that the
ETag changes only with what it says.

What cannot be counted of a run, such as the balance of one that has pinned its zones, is a sentence in its place. A run that has not ended is 409. What is not
counted yet is counted by jobs: the answer waits for them up to \`wait\` seconds, then it is 202, and the same request has the report later.`;

const media = 'text/html; charset=utf-8';
/** Nothing of the page runs on the origin of the service, beside what the page itself forbids. */
const policy = "sandbox; frame-ancestors 'none'";

export function registerRunReportRoute(app: App, services: Services): void {
  const { resultWaiters, drawnAnswers, tileBudget, maps, access } = services;

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
      const language = languageAsked(request, request.query);
      const asked = { runId: request.params.id, language, baseUrl: baseUrlOf(request, access) };
      const look = async () => await reportOf(services, asked);
      const report = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, look });
      if (report === undefined) return reply;
      const signal = untilGone(reply);
      return await drawnAnswers.send(
        request,
        reply,
        async () => ({
          parts: [report.key],
          headers: { ...languageHeaders(language), 'content-security-policy': policy },
          draw: async () => ({
            contentType: media,
            bytes: await report.write(
              signal,
              async (picture) => await tileBudget.spend(request.ip, picture, signal),
            ),
          }),
        }),
        maps.forgetAll,
      );
    },
  });
}
