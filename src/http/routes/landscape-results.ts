import { z } from 'zod';
import { LandscapeResult, listResults } from '../../landscape/groups/results.ts';
import type { App } from '../request/schemas.ts';
import { errorResponses, jsonResponse } from '../openapi/responses.ts';
import type { Services } from './services.ts';

/** What the Landscape Program has computed so far. */
export function registerLandscapeResultRoutes(app: App, { db }: Services): void {
  app.get(
    '/landscape/results',
    {
      schema: {
        tags: ['landscape'],
        operationId: 'listLandscapeResults',
        summary: 'List the outputs of the graph, each with its freshest raster',
        description: `One item per node, by node code. \`latest\` is the freshest \`ready\` raster of the output group by the rule of
\`GET /dataset-groups/{id}/latest\`; it need not stem from the newest run (a run's own rasters are in its nodes'
\`outputs\`). \`cog_url\` and \`sld_url\` are paths of this service: the raster as a COG, and its colours and legend. 404 when an
output group was deleted; the next start of the service creates it again.`,
        response: {
          200: jsonResponse('Every output group', z.array(LandscapeResult)),
          ...errorResponses(404),
        },
      },
    },
    async () => await listResults(db),
  );
}
