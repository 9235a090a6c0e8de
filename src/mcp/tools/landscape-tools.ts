import { z } from 'zod';
import { DistrictMatches } from '../../units/names/names-schema.ts';
import { Balance } from '../../landscape/balance/balance-schema.ts';
import { RunComparison } from '../../landscape/comparison/compare-schema.ts';
import { LandscapeExplanation } from '../../landscape/explain/schema.ts';
import { LandscapePlan } from '../../landscape/runs/plan-schema.ts';
import { LandscapeParams, paramFacts } from '../../landscape/model/params.ts';
import { LandscapeRun, LandscapeRunInput } from '../../landscape/runs/schema.ts';
import { DistrictList } from '../../units/history/schema.ts';
import { common, defineTool, kato, queryOf, runId, waitSeconds } from './tool.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

type MatchUnit = z.infer<typeof DistrictMatches>['units'][number];
/** A number of candidates that a reader can still compare. */
const mostCandidates = 5;

const districts = defineTool({
  name: 'districts',
  title: 'Find administrative units',
  description:
    'Regions and districts of Kazakhstan with their KATO codes. With names, finds the unit of each, also by former names and with spelling mistakes; a doubtful match has candidates. Without names, lists the units of a level.',
  input: z.strictObject({
    ...common,
    names: z
      .array(z.string().min(1).max(200))
      .max(50)
      .optional()
      .describe('Names to find, in whatever language; among the units of today'),
    level: z
      .enum(['region', 'district'])
      .default('region')
      .describe('Level of the listed units, without names'),
    at: z.iso.date().optional().describe('Without names: the units of this day; those of today without it'),
  }),
  async run({ names, level, at }, get) {
    if (names === undefined) {
      const { data, ...of } = DistrictList.parse((await get(`/districts${queryOf({ level, at })}`)).body);
      // Those of today without borders are on no map, and in no answer about land.
      const units = data.filter(({ has_borders: isBordered }) => at !== undefined || isBordered);
      return { ...of, units };
    }
    const { body } = await get('/districts/match', { rows: names.map((name) => ({ name })) });
    const { matches, units } = DistrictMatches.parse(body);
    const byCode = new Map(units.map((unit) => [unit.kato, unit]));
    return { matches: matches.map((match, place) => ({ asked: names[place], ...unitsOf(match, byCode) })) };
  },
});

/** Returns a match with the names of its units, instead of the list of all units. */
function unitsOf(
  { status, kato: code, candidates, reason, remark }: z.infer<typeof DistrictMatches>['matches'][number],
  byCode: ReadonlyMap<string, MatchUnit>,
): object {
  const named = (kato: string) => {
    const region = byCode.get(`${kato.slice(0, 2)}0000000`);
    return { ...byCode.get(kato), kato, ...(region?.kato !== kato && { region: region?.name }) };
  };
  if (code !== null) return { status, reason, remark, unit: named(code) };
  const possible = candidates.slice(0, mostCandidates);
  return {
    status,
    reason,
    remark,
    unit: null,
    candidates: possible.map(({ kato, confidence }) => ({ ...named(kato), confidence })),
  };
}

const RunPage = z.object({
  data: z.array(LandscapeRun.omit({ nodes: true, failure: true, from_stage: true })),
  total: z.int(),
  page: z.int(),
  total_pages: z.int(),
});

const runs = defineTool({
  name: 'runs',
  title: 'Read and compare runs',
  description:
    'Runs of the Landscape Program, which computes suitability, sensitivity and zones of land. Without an id, lists them, newest first. With one, its parameters, nodes and output datasets. With compare_with, what differs between the two: parameters, inputs, and geodesic hectares from class to class by region.',
  input: z.strictObject({
    ...common,
    run_id: runId.optional(),
    compare_with: runId.optional().describe('Another run, which has succeeded as well'),
    node: z
      .string()
      .regex(/^[0-9]{2}$/)
      .default(zoningCode)
      .describe('The node whose classes are compared; 34 is the functional zoning'),
    page: z.int().min(1).max(10_000).default(1).describe('Page of the list'),
  }),
  async run({ run_id: id, compare_with: other, node, page }, get) {
    if (id === undefined) {
      const { data, ...counts } = RunPage.parse(
        (await get(`/landscape/runs${queryOf({ page, page_size: 20 })}`)).body,
      );
      return { ...counts, runs: data };
    }
    if (other === undefined) return LandscapeRun.parse((await get(`/landscape/runs/${id}`)).body);
    const query = queryOf({ node, by: 'region', wait: waitSeconds });
    return RunComparison.parse((await get(`/landscape/runs/${id}/compare/${other}${query}`)).body);
  },
});

const threshold = (name: Exclude<keyof typeof paramFacts, 'window_size' | 'tie_priority'>) =>
  LandscapeParams.shape[name].removeDefault().optional().describe(paramFacts[name].description);
const thresholds = {
  v1_min_s_e12: threshold('v1_min_s_e12'),
  v1_min_s_e3: threshold('v1_min_s_e3'),
  v2_min_s_e3: threshold('v2_min_s_e3'),
  v2_min_s_e4: threshold('v2_min_s_e4'),
};

const planRun = defineTool({
  name: 'plan_run',
  title: 'Plan a run',
  description:
    'What a run of the Landscape Program would do now: for each node whether it is computed or reused and why, and which datasets it would read. Nothing is stored and no run starts: a person starts it.',
  input: z.strictObject({
    ...common,
    from_stage: LandscapeRunInput.shape.from_stage,
    params: LandscapeParams.omit({ window_size: true })
      .strict()
      .optional()
      .describe('Parameters; those that are left out have their defaults'),
    overrides: LandscapeRunInput.shape.overrides,
  }),
  run: async ({ from_stage, params, overrides }, get) =>
    LandscapePlan.parse((await get('/landscape/plans', { from_stage, params, overrides })).body),
});

const Land = Balance.omit({ cells: true });

const whatif = defineTool({
  name: 'whatif',
  title: 'What if thresholds were others',
  description:
    'Hectares of the zones V1, V2 and V3 and of the codes of the functional zoning of a run, with other thresholds or another order of sectors in the place of those of the run. Exact, by unit, geodesic on WGS 84; nothing is stored. Without parameters, the balance of the run as it is.',
  input: z.strictObject({
    ...common,
    run_id: runId,
    ...thresholds,
    tie_priority: z
      .array(z.int().min(1).max(5))
      .min(1)
      .max(5)
      .optional()
      .describe(
        `${paramFacts.tie_priority.description}; those not named come after them as the run has them`,
      ),
    by: z.enum(['district', 'region']).default('region').describe('The level of the units'),
    kato: kato.optional().describe('Only this unit; of a region, also its districts'),
  }),
  async run({ run_id: id, tie_priority: first, language, ...query }, get) {
    const asked = { ...query, tie_priority: first?.join(','), lang: language, wait: waitSeconds };
    return Land.parse((await get(`/landscape/runs/${id}/balance${queryOf(asked)}`)).body);
  },
});

const explainPlace = defineTool({
  name: 'explain_place',
  title: 'Explain a place',
  description:
    'Why a place of a run is in its zone, step by step: inputs, ratings, suitability of each sector, the rule that decided, limiting factors, and the nearest changes that would give it another zone. `sentence` has it in one sentence.',
  input: z.strictObject({
    ...common,
    run_id: runId,
    lon: z.number().min(-180).max(180).describe('Longitude, WGS 84'),
    lat: z.number().min(-90).max(90).describe('Latitude, WGS 84'),
  }),
  run: async ({ run_id: id, lon, lat }, get) =>
    LandscapeExplanation.parse((await get(`/landscape/runs/${id}/explain${queryOf({ lon, lat })}`)).body),
});

export const landscapeTools = [districts, runs, planRun, whatif, explainPlace];
