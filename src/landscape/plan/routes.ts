import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRunPlan, planWithoutRun } from './plan-answers.ts';
import { LandscapePlan } from '../runs/plan-schema.ts';
import { LandscapeRunInput } from '../runs/schema.ts';
import { IdParams } from '../../validation/fields.ts';
import { ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import { answerIn, told } from '../../http/language/language.ts';
import { inLanguage } from '../runs/in-language.ts';

const tags = ['landscape'];

const reasons = `\`inputs\` lists the datasets that the run reads, and \`because\` the reason: \`pinned\`, the \`only\` ready raster of the group, the raster with a
\`later_end_date\`, or a \`newer_upload\` among rasters with the same one. \`nodes\` lists the actions. A node is reused, \`same\`, if a run has
computed the same from the same inputs; otherwise it is computed, and \`reason\` gives the cause:

- \`forced\`: it could be reused, but \`from_stage\` prevents it
- \`output_gone\`: a run has computed the same, but its output was deleted
- \`first\`: no run has finished this node
- \`algorithm\`: the node was last computed by another version of the graph
- \`params\`: its own parameters differ from the last time, see \`params\`; its \`inputs\` may have changed as well
- \`inputs\`: only its inputs have changed, see \`inputs\`; \`to\` is null if this run makes the raster

The last time is the newest run in which the node was computed or reused, \`compared_with\`.

\`findings\` of an input say what keeps its dataset from being what the slot takes: its reference system, its bands, its values by range, factor and
classes, and its place beside the other inputs, by what was found and counted when it was read. One that \`stops\` is the \`error\` of the plan, one that \`warns\`
is not, and one that \`waits\` says that values are still being counted. They are in the language of \`Accept-Language\`.`;

export function registerLandscapePlanRoutes(app: App, { db }: { readonly db: Database }): void {
  app.post('/landscape/plans', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'planLandscapeRun',
      summary: 'Plan a run without starting it, with a reason for each node',
      description: `Takes the body of \`POST /landscape/runs\`, and returns what that run would do if it started now. Stores nothing.\n\n${reasons}`,
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
      description: `The plan that was made when the run began: later deletions and uploads do not change it. A \`queued\` run has
its plan as of now, with \`planned_at\` null. A run of an earlier release has no \`inputs\` here, and null in each \`reason\`.\n\n${reasons}`,
      params: IdParams,
      response: ok('The plan', LandscapePlan, 400, 404),
    },
    handler: async (request, reply) => planFor(request, reply, await getRunPlan(db, request.params.id)),
  });
}

/** Returns a plan with its error, and the findings about its inputs, in the language of the client. */
function planFor(request: FastifyRequest, reply: FastifyReply, plan: LandscapePlan): LandscapePlan {
  if (plan.error === null && plan.inputs.every(({ findings = [] }) => findings.length === 0)) return plan;
  const language = answerIn(request, reply);
  if (language === 'en') return plan;
  const inputs = plan.inputs.map(({ findings, ...input }) =>
    findings === undefined
      ? input
      : { ...input, findings: findings.map((finding) => told(finding, language)) },
  );
  return { ...inLanguage(plan, language), inputs };
}
