import { describeGraph } from './graph-answer.ts';
import { LandscapeGraph } from './graph-schema.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../../http/language/language.ts';
import { programResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Services } from '../../runtime/api/services.ts';

/** Registers the description of the graph. */
export function registerLandscapeGraphRoute(
  app: App,
  { drawnAnswers }: Pick<Services, 'drawnAnswers'>,
): void {
  app.get('/landscape/graph', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['landscape'],
      operationId: 'getLandscapeGraph',
      summary: 'Describe the graph: its inputs, nodes and parameters',
      description: `The inputs, nodes and parameters of the Landscape Program, with their texts in the language of
\`lang\`, otherwise of \`Accept-Language\`. The answer changes only with the version of the service; clients ask again with its ETag.`,
      querystring: LanguageQuery,
      response: programResponses(jsonResponse('The graph', LandscapeGraph)),
    },
    handler: async (request, reply) => {
      const language = languageAsked(request, request.query);
      return await drawnAnswers.send(request, reply, async () => {
        const text = JSON.stringify(describeGraph(language));
        return {
          parts: [text],
          headers: languageHeaders(language),
          draw: async () => ({ contentType: 'application/json; charset=utf-8', bytes: Buffer.from(text) }),
        };
      });
    },
  });
}
