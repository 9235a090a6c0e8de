import { z } from 'zod';
import { common, defineTool, kato, queryOf, runId, waitSeconds } from './tool.ts';

const Units = z.array(z.looseObject({ kato: z.string(), name: z.string(), level: z.string() }));

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
      .describe('Names to find, in whatever language'),
    level: z.enum(['region', 'district']).default('region').describe('What is listed without names'),
    at: z.iso.date().optional().describe('The units of this day; those of today without it'),
  }),
  async run({ names, level, at }, get) {
    if (names === undefined)
      return { units: Units.parse((await get(`/districts${queryOf({ level, at })}`)).body) };
    const { body } = await get('/districts/match', { rows: names.map((name) => ({ name })) });
    return z.looseObject({}).parse(body);
  },
});

const RunRow = z.looseObject({ id: z.string(), status: z.string() });
/** Nodes are null in lists. */
const ListedRun = z.object({
  id: z.string(),
  status: z.string(),
  params: z.unknown(),
  overrides: z.unknown(),
  error: z.string().nullable(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  record: z.unknown().optional(),
});
const RunPage = z.object({ data: z.array(ListedRun), total: z.int(), page: z.int(), total_pages: z.int() });
const Comparison = z.looseObject({});

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
      .default('34')
      .describe('The node whose classes are compared; 34 is the functional zoning'),
    page: z.int().min(1).max(10_000).default(1).describe('Of the list'),
  }),
  async run({ run_id: id, compare_with: other, node, page }, get) {
    if (id === undefined) {
      const { data, ...counts } = RunPage.parse(
        (await get(`/landscape/runs${queryOf({ page, page_size: 20 })}`)).body,
      );
      return { ...counts, runs: data };
    }
    if (other === undefined) return RunRow.parse((await get(`/landscape/runs/${id}`)).body);
    const query = queryOf({ node, by: 'region', wait: waitSeconds });
    return Comparison.parse((await get(`/landscape/runs/${id}/compare/${other}${query}`)).body);
  },
});

const grade = z.int().min(1).max(5).optional();
const order = z
  .array(z.int().min(1).max(5))
  .max(5)
  .optional()
  .describe('Sectors as they are preferred: 1 irrigation, 2 snow, 3 crop, 4 pasture, 5 tourism');
const thresholds = {
  v1_min_s_e12: grade.describe('V1: minimum suitability S where sensitivity E <= 2'),
  v1_min_s_e3: grade.describe('V1: minimum S where E == 3'),
  v2_min_s_e3: grade.describe('V2: minimum S where E == 3'),
  v2_min_s_e4: grade.describe('V2: minimum S where E == 4'),
};

const planRun = defineTool({
  name: 'plan_run',
  title: 'Plan a run',
  description:
    'What a run of the Landscape Program would do now: for each node whether it is computed or reused and why, and which datasets it would read. Nothing is stored and no run starts: a person starts it.',
  input: z.strictObject({
    ...common,
    from_stage: z.int().min(0).max(3).optional().describe('Everything from this stage on is computed again'),
    params: z
      .strictObject({ ...thresholds, tie_priority: order })
      .optional()
      .describe('Parameters; those that are left out have their defaults'),
    overrides: z
      .record(z.string().max(255), z.guid())
      .refine((pinned) => Object.keys(pinned).length <= 50)
      .optional()
      .describe('Dataset ids by group code: rasters that stand in the place of the freshest ones'),
  }),
  run: async ({ from_stage, params, overrides }, get) =>
    z.looseObject({}).parse((await get('/landscape/plans', { from_stage, params, overrides })).body),
});

const Land = z.object({
  area_ha: z.number(),
  zones: z.array(z.number()),
  functional: z.array(z.number()),
  not_allocable_ha: z.number(),
  no_data_ha: z.number(),
});
const Balance = z.object({
  run_id: z.string(),
  unit: z.string(),
  method: z.unknown(),
  run_params: z.unknown(),
  params: z.unknown(),
  codes: z.array(z.int()),
  units: z.array(z.object({ kato: z.string(), name: z.string(), level: z.string(), ...Land.shape })),
  raster: Land,
  chosen_by_order: z.unknown(),
});

const whatif = defineTool({
  name: 'whatif',
  title: 'What if thresholds were others',
  description:
    'Hectares of the zones V1, V2 and V3 and of the codes of the functional zoning of a run, with other thresholds or another order of sectors in the place of those of the run. Exact, by unit, geodesic on WGS 84; nothing is stored. Without parameters, the balance of the run as it is.',
  input: z.strictObject({
    ...common,
    run_id: runId,
    ...thresholds,
    tie_priority: order,
    by: z.enum(['district', 'region']).default('region').describe('The level of the units'),
    kato: kato.optional().describe('Only this unit; of a region, also its districts'),
  }),
  async run({ run_id: id, tie_priority: first, language, ...query }, get) {
    const asked = { ...query, tie_priority: first?.join(','), lang: language, wait: waitSeconds };
    return Balance.parse((await get(`/landscape/runs/${id}/balance${queryOf(asked)}`)).body);
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
    z.looseObject({}).parse((await get(`/landscape/runs/${id}/explain${queryOf({ lon, lat })}`)).body),
});

export const landscapeTools = [districts, runs, planRun, whatif, explainPlace];
