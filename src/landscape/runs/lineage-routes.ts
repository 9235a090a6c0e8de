import { answerIn } from '../../http/language/language.ts';
import { ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { IdParams } from '../../validation/fields.ts';
import { Lineage } from './lineage-schema.ts';
import { readLineage } from './lineage.ts';
import type { Database } from '../../database/tables/tables.ts';

export function registerLineageRoute(app: App, { db }: { readonly db: Database }): void {
  app.get('/datasets/:id/lineage', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getDatasetLineage',
      summary: 'Read all datasets from which a dataset was made',
      description: `From an output of a run down to the uploads, through outputs that the run has reused and pinned rasters. A dataset that
was deleted since is named by its id, and by the facts that runs keep. An upload has no other source. At most 1,000 datasets, the
nearest ones; \`is_complete\` is false if some are left out.`,
      params: IdParams,
      response: ok('The dataset and all its sources', Lineage, 400, 404),
    },
    handler: async (request, reply) => await readLineage(db, request.params.id, answerIn(request, reply)),
  });
}
