import { z } from 'zod';
import { Text } from '../../validation/fields.ts';
import { MappingInput } from '../../datasets/table/mapping-schema.ts';
import { submitMapping } from '../../datasets/mapping.ts';
import { listObservations, Observation } from '../../datasets/observations.ts';
import { Dataset, toDataset } from '../../datasets/schema.ts';
import type { App } from '../request/schemas.ts';
import { pageOf, pageQuery, sendPage } from '../request/pages.ts';
import { ok } from '../openapi/responses.ts';
import type { Services } from './services.ts';
import { IdParams } from '../request/query-fields.ts';

const tags = ['tables by KATO'];

/** Registers the mapping of tables and the observations that come out of it. */
export function registerMappingRoutes(app: App, services: Services): void {
  app.post('/datasets/:id/mapping', {
    schema: {
      tags,
      operationId: 'submitMapping',
      summary: 'Say which columns hold codes and values',
      description:
        'For vector_with_kato datasets in awaiting_mapping, or in ready to map anew. Observations are made in the background ' +
        'and replace the earlier ones in one step.',
      params: IdParams,
      body: MappingInput,
      response: ok('The dataset with its mapping, in extracting', Dataset, 400, 404, 409, 413, 422),
    },
    handler: async (request) => toDataset(await submitMapping(services, request.params.id, request.body)),
  });

  app.get('/datasets/:id/observations', {
    schema: {
      tags,
      operationId: 'listObservations',
      summary: 'List observations by code, start and end',
      description: 'A dataset of any type and status without observations gives an empty page.',
      params: IdParams,
      querystring: z.object({
        ...pageQuery,
        kato_code: Text.optional().describe('Only observations of this code'),
      }),
      response: ok('A page of observations', pageOf(Observation, 'ObservationPage'), 400, 404),
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      return await sendPage(
        request,
        reply,
        async (window) => await listObservations(services.db, params.id, query, window),
      );
    },
  });
}
