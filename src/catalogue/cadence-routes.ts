import { z } from 'zod';
import { FreshnessState, GroupCadenceInput, GroupFreshness } from './cadence-schema.ts';
import { getFreshness, listFreshness, removeCadence, setCadence } from './cadences.ts';
import { getDatasetGroup } from './dataset-groups.ts';
import { IdParams } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { errorResponses, ok } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';

const tags = ['dataset groups'];

/** Registers the routes of cadences and freshness of dataset groups. */
export function registerCadenceRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get('/dataset-groups/freshness', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listGroupFreshness',
      summary: 'List the dataset groups that have a cadence, with their freshness',
      description: `All groups at once, without pages, by code. The state follows from the freshest \`ready\` dataset of the group, by the rule of
\`GET /dataset-groups/{id}/latest\`, and from today in UTC. A group without a ready dataset is \`empty\`; a group whose freshest dataset has no date is
\`undated\`: neither is late. Groups without a cadence are not in the list.`,
      querystring: z.object({ state: FreshnessState.optional().describe('Only groups in this state') }),
      response: ok('Ordered by code', z.array(GroupFreshness), 400),
    },
    handler: async ({ query: { state } }) => [...(await listFreshness(db, state))],
  });

  app.get('/dataset-groups/:id/cadence', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getGroupCadence',
      summary: 'Read how often a dataset group is delivered, and its freshness',
      description: '404 for a group without a cadence as well.',
      params: IdParams,
      response: ok('The cadence and the current state', GroupFreshness, 400, 404),
    },
    handler: async ({ params }) => await getFreshness(db, params.id),
  });

  app.put('/dataset-groups/:id/cadence', {
    config: { scope: 'catalog:write' },
    schema: {
      tags,
      operationId: 'setGroupCadence',
      summary: 'Set how often a dataset group is delivered',
      description: `Durations of ISO 8601 with one number and one unit: \`P1Y\`, \`P3M\`, \`P2W\`, \`P60D\`. Months are calendar months: a year after 29 February 2024 is
28 February 2025, and a month after an \`end_date\` of 28 February 2026 is 31 March, since that was the last day of its month. The rest of
the group does not change.`,
      params: IdParams,
      body: GroupCadenceInput,
      response: ok('The cadence and the current state', GroupFreshness, 400, 404, 413, 422),
    },
    handler: async ({ params, body }) => {
      await getDatasetGroup(db, params.id); // a missing group is reported before invalid input
      return await setCadence(db, params.id, parseBody(GroupCadenceInput, body));
    },
  });

  app.delete('/dataset-groups/:id/cadence', {
    config: { scope: 'catalog:write' },
    schema: {
      tags,
      operationId: 'removeGroupCadence',
      summary: 'Remove the cadence of a dataset group',
      description: 'The group then has no state. 404 for a group without a cadence as well.',
      params: IdParams,
      response: { 204: z.null().describe('The group has no cadence'), ...errorResponses(400, 404) },
    },
    handler: async ({ params }, reply) => {
      await removeCadence(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
