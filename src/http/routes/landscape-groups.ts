import { z } from 'zod';
import { LandscapeResult, listResults } from '../../landscape/groups/results.ts';
import { LandscapeSlot, listSlots } from '../../landscape/groups/slots.ts';
import { ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

/** Registers the inputs and the outputs of the Landscape Program. */
export function registerLandscapeGroupRoutes(app: App, { db }: Services): void {
  app.get('/landscape/slots', {
    schema: {
      tags,
      operationId: 'listLandscapeSlots',
      summary: 'List the inputs of the graph, each with its freshest dataset',
      description: `A slot is one input of the computation: a dataset group that the graph reads, such as the elevation or the
land cover. Fill a slot by uploading a GeoTIFF to it. \`latest\` is the freshest dataset of the group in any status: greatest
\`end_date\`, none last, then the newest; a run reads the freshest one that is \`ready\`. 404 when a slot's group was deleted;
the next start of the service creates it again.`,
      response: ok('Every slot, in the order of the graph', z.array(LandscapeSlot), 404),
    },
    handler: async () => await listSlots(db),
  });

  app.get('/landscape/results', {
    schema: {
      tags,
      operationId: 'listLandscapeResults',
      summary: 'List the outputs of the graph, each with its freshest raster',
      description: `One item per node, by node code. \`latest\` is the freshest \`ready\` raster of the output group by the rule of
\`GET /dataset-groups/{id}/latest\`; it need not stem from the newest run (a run's own rasters are in its nodes'
\`outputs\`). \`cog_url\` and \`sld_url\` are paths of this service: the raster as a COG, and its colours and legend. 404 when an
output group was deleted; the next start of the service creates it again.`,
      response: ok('Every output group', z.array(LandscapeResult), 404),
    },
    handler: async () => await listResults(db),
  });
}
