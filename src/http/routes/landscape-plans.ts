import { getRunPlan, planWithoutRun } from '../../landscape/runs/plan-answers.ts';
import { LandscapePlan } from '../../landscape/runs/plan-schema.ts';
import { LandscapeRunInput } from '../../landscape/runs/schema.ts';
import { IdParams } from '../../validation/fields.ts';
import { planFor } from '../language/language.ts';
import { ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

const reasons = `\`inputs\` is what it reads and \`because\` of what: \`pinned\`, the \`only\` ready raster of the group, the one with a
\`later_end_date\`, or a \`newer_upload\` among those with the same one. \`nodes\` is what it does. A node is reused, \`same\`, where a run has
computed the same from the same; else it is computed, and \`reason\` says why:

- \`forced\`: it could be reused, but \`from_stage\` forbids it
- \`output_gone\`: a run has computed the same, but its output was deleted
- \`first\`: no run has finished this node
- \`algorithm\`: the node was last computed by another version of the graph
- \`params\`: its own parameters are not those of the last time, see \`params\`; its \`inputs\` may have changed as well
- \`inputs\`: only its inputs have changed, see \`inputs\`; \`to\` is null where this run makes the raster

The last time is the newest run in which the node was computed or reused, \`compared_with\`.`;

export function registerLandscapePlanRoutes(app: App, { db }: Services): void {
  app.post('/landscape/plans', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'planLandscapeRun',
      summary: 'Plan a run without starting it, with a reason for each node',
      description: `Takes the body of \`POST /landscape/runs\` and stores nothing: what that run would do if it started now.\n\n${reasons}`,
      body: LandscapeRunInput.optional(),
      response: ok('The plan', LandscapePlan, 400, 413, 422),
    },
    handler: async (request, reply) => planFor(request, reply, await planWithoutRun(db, request.body ?? {})),
  });

  app.get('/landscape/runs/:id/plan', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeRunPlan',
      summary: 'Read why a run computes or reuses each node',
      description: `The plan as it was made when the run began: what was deleted or uploaded since does not change it. A run that is \`queued\` has
the plan that it would have now, with \`planned_at\` null. A run of an earlier release has no \`inputs\` here, and null in each \`reason\`.\n\n${reasons}`,
      params: IdParams,
      response: ok('The plan', LandscapePlan, 400, 404),
    },
    handler: async (request, reply) => planFor(request, reply, await getRunPlan(db, request.params.id)),
  });
}
