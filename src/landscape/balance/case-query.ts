import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults } from '../../messages/request/english.ts';
import { writtenLike } from '../../validation/fields.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { type ZoningCase, thresholds } from '../../../common/landscape/zoning.ts';
import { nodeByCode } from '../graph/graph.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { StoredRun } from '../runs/run-rows.ts';

const error = messageText(fieldFaults.outOfRange(1, 5));
const digit = z
  .string()
  .regex(/^[1-5]$/, { error })
  .optional();

/** Query parameters of a case that differs from the run. */
export const caseQuery = {
  v1_min_s_e12: digit.describe('V1 minimum suitability where E <= 2; without it, that of the run'),
  v1_min_s_e3: digit.describe('V1 minimum suitability where E == 3'),
  v2_min_s_e3: digit.describe('V2 minimum suitability where E == 3'),
  v2_min_s_e4: digit.describe('V2 minimum suitability where E == 4'),
  tie_priority: z
    .string()
    .regex(/^[1-5](,[1-5]){0,4}$/, { error: writtenLike('3,1,2') })
    .optional()
    .describe('Sectors by preference, such as `3,1,2`; the other sectors follow in the order of the run'),
};

type CaseQuery = Readonly<Partial<Record<keyof typeof caseQuery, string | undefined>>>;

/** Returns the case of a query: the parameters of the query, otherwise those of the run. */
export function caseOf(params: LandscapeParams, query: CaseQuery): ZoningCase {
  const asked = Object.fromEntries(thresholds.map((name) => [name, Number(query[name] ?? params[name])]));
  const first = query.tie_priority?.split(',').map(Number) ?? [];
  const order = [...new Set([...first, ...params.tie_priority])];
  return { ...runCaseOf(params), ...asked, tie_priority: order };
}

/** The parameters of a run that zones depend on. */
export function runCaseOf(params: LandscapeParams): ZoningCase {
  const { v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4, tie_priority } = params;
  return { v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4, tie_priority };
}

/** Output groups of nodes; if one of them is pinned, zones do not follow from cells. */
const derived = ['31', '32', '33'].flatMap((code) => nodeByCode(code)?.output.group ?? []);

/**
 * Refuses a run whose zones do not follow from its parameters.
 * @throws {Problem} `conflict` for a run whose zones do not follow from its parameters.
 */
export function refusePinned({ overrides }: Pick<StoredRun, 'overrides'>): void {
  const pinned = derived.filter((group) => Object.hasOwn(overrides, group));
  if (pinned.length > 0) throw zoningWords.pinned(pinned);
}
