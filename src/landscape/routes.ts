import { z } from 'zod';
import type { AlsoWrite } from '../database/transaction.ts';
import { cancelRun, createRun, getRun, listRuns } from './runs/run-rows.ts';
import { planDryRun } from './plan/plan-answers.ts';
import { RecordState } from './runs/record-schema.ts';
import { LandscapeRun, LandscapeRunInput } from './runs/schema.ts';
import { BooleanText, IdParams } from '../validation/fields.ts';
import { parseParameters } from '../validation/parse-parameters.ts';
import { runFor, runsFor } from './runs/in-language.ts';
import { errorResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import { KeyHeaders, takeRequestKey } from '../http/access/idempotency.ts';
import { pageOf, pageQuery, sendPage } from '../http/request/pages.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';

const tags = ['landscape'];

const createDescription = `Runs are executed in the background, one after the other, oldest first; follow \`GET /landscape/runs/{id}\`.
Without a body the run has all defaults.

- **What it reads.** Each input of the graph is the freshest \`ready\` raster of its group when the run starts. \`overrides\` pins another
  one: a dataset id by the code of an input or output group (all but the last output). The pinned dataset must exist, be a
  raster and be \`ready\`; it need not be in the group. A slot without a raster is not an error here: the run will fail and name it,
  as it does if a raster cannot be used for its slot. \`POST /landscape/plans\` reports this before.
- **What it computes.** The \`fingerprint\` of a node consists of its code, its inputs and the parameters that it depends on. A node whose
  fingerprint an earlier run has computed is \`skipped\`: its output is reused. \`from_stage\` forces the nodes of that stage
  and all later ones to be computed again, \`0\` all nodes.
- **What it makes.** Each computed node puts a raster into its output group; \`GET /landscape/results\` lists them.
- **How it fails.** The first node that cannot be computed is \`failed\` with its \`error\`, and the run has the same text after the
  code of the node: \`01: no ready raster for input groups: landscape-in-dem\`. Nodes that were not reached stay \`pending\`; finished
  outputs stay, and the next run reuses them.

\`dry_run=true\` stores nothing and answers 200 with the run as it would start now: nodes that would be computed are \`pending\`, nodes
that would be reused are \`skipped\`; a node that would fail because inputs are missing has that \`error\`.`;

const readDescription = `Nodes are ordered by code. \`inputs\` and \`fingerprint\` exist once the run has begun, \`outputs\` once the node is \`succeeded\` or
\`skipped\`; ids of datasets that were deleted since stay. \`failure\` is the
\`error\` as code and facts, for clients with messages of their own. The \`error\` of a node can be, in English:

- \`no ready raster for input groups: …\`: these slots are empty, or their datasets are not \`ready\`
- \`dataset … of group … is not available\`: it was deleted since it was pinned, or since the run began
- \`input group …: The file on …\`: a raster that stays on another server cannot be read, or has changed since it was registered
- \`input group …: raster cannot be read\`, \`input group …: CRS missing or not supported\`
- \`reference raster: no CRS\`, \`not north-up\` (turned or sheared) or \`too many pixels\`: the elevation, whose grid all outputs have
- \`input group … does not overlap the reference grid\`
- \`input group …: a picture of … bands instead of a raster with one band of values\`
- \`input group … has no valid pixel on the reference grid; check unit, scale and nodata\`
- \`node …: output could not be stored\`, \`node …: internal error\`: the inputs are not the cause; start another run`;

export function registerRunRoutes(
  app: App,
  parts: { readonly db: Database; readonly messageQueue: MessageQueue },
): void {
  const { db } = parts;

  app.get('/landscape/runs', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listLandscapeRuns',
      summary: 'List runs, newest first',
      description: 'Lists have no nodes (`nodes` is null): read a single run for them.',
      querystring: z.object({
        ...pageQuery,
        state: RecordState.optional().describe(
          'Only runs with this state of the record; without a record it is `draft`',
        ),
      }),
      response: ok('A page of runs', pageOf(LandscapeRun, 'LandscapeRunPage'), 400),
    },
    handler: (request, reply) =>
      sendPage(request, reply, async (window) => {
        const { rows, total } = await listRuns(db, window, request.query.state);
        return { rows: runsFor(request, reply, rows), total };
      }),
  });

  app.post('/landscape/runs', {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'createLandscapeRun',
      summary: 'Start a run, or plan one without starting it',
      description: createDescription,
      headers: KeyHeaders,
      querystring: z.object({
        dry_run: BooleanText.default(false).describe('Only report what a run would do'),
      }),
      body: LandscapeRunInput.optional(),
      response: {
        200: jsonResponse('The run as it would start (`dry_run`); nothing was stored', LandscapeRun),
        202: jsonResponse('The run, queued, all its nodes pending', LandscapeRun),
        ...errorResponses(400, 409, 413, 422),
      },
    },
    handler: async (request, reply) => {
      const { query } = request;
      const body = request.body ?? {}; // Fastify makes null of a body that is absent
      if (query.dry_run) {
        parseParameters(KeyHeaders, request.headers); // a dry run creates nothing, but refuses the same requests
        return runFor(request, reply, await planDryRun(db, body));
      }
      await using key = await takeRequestKey(db, request, reply);
      const make = async (alsoWrite: AlsoWrite<LandscapeRun>) => await createRun(parts, body, alsoWrite);
      return await key.answer({ body }, make, (run) => ({
        status: 202,
        location: `/landscape/runs/${run.id}`,
        body: run,
      }));
    },
  });

  app.get('/landscape/runs/:id', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeRun',
      summary: 'Read a run with its nodes',
      description: readDescription,
      params: IdParams,
      response: ok('The run', LandscapeRun, 400, 404),
    },
    handler: async (request, reply) => runFor(request, reply, await getRun(db, request.params.id)),
  });

  app.delete('/landscape/runs/:id', {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'cancelLandscapeRun',
      summary: 'Cancel a run that is queued or running',
      description: `The run is \`failed\` with the error \`cancelled\`, and the next one in the queue begins within seconds. Its published
outputs stay and are reused by later runs; everything else is deleted. 409 when the run has ended.`,
      params: IdParams,
      response: { 204: z.null().describe('It is cancelled'), ...errorResponses(400, 404, 409) },
    },
    handler: async ({ params }, reply) => {
      await cancelRun(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
