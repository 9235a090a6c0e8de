import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerIn, told } from '../../http/language/language.ts';
import { inLanguage } from '../runs/in-language.ts';
import type { LandscapePlan } from '../runs/plan-schema.ts';

/** Returns a plan with its error, and the findings about its inputs, in the language of the client. */
export function planFor(request: FastifyRequest, reply: FastifyReply, plan: LandscapePlan): LandscapePlan {
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
