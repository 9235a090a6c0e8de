import { areasOf } from '../../areas/area-counts.ts';
import type { PendingResult } from '../../jobs/results.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { requestProblems } from '../../messages/request/english.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import { type Areas, readUnits } from '../../areas/by-unit.ts';
import { type Condition, conditionsText, parseConditions } from '../graph/conditions.ts';
import { failsConditions, meetsConditions, whereLayerName } from '../graph/layers/where-layer.ts';
import { unitIn } from '../groups/graph-words.ts';
import { titleOf } from '../groups/titles.ts';
import { layerOfRun, type MadeLayer, readZonedRun } from '../layers/layers.ts';
import { type CountedAnswer, howCounted, writtenLand } from './land-by-unit.ts';
import type { LimitDependencies } from './limits.ts';
import type { LandscapeWhere } from './where-schema.ts';
import { toHectares } from '../../../common/formats/hectares.ts';

export interface WhereRequest {
  readonly runId: string;
  readonly conditions: string;
  readonly by: AreaLevels;
  /** The code of the only requested unit, which includes the units in it; undefined for all. */
  readonly kato: string | undefined;
  readonly language: Language;
}

/**
 * Returns the land of a run that meets conditions, by unit, or has it counted. Any number of processes may ask at once.
 * @throws {Problem} `not_found`, `invalid` for conditions that cannot be parsed, `conflict`, `too_many`
 */
export async function whereOf(
  dependencies: LimitDependencies,
  request: WhereRequest,
): Promise<CountedAnswer<LandscapeWhere> | PendingResult> {
  const layer = await whereLayerOf(dependencies, request);
  if (layer.isPending) return layer;
  const conditions = readConditions(request.conditions);
  const { by, kato, language, runId } = request;
  const counted = await areasOf(dependencies, { cogs: [layer.cogKey] });
  if (counted.isPending) return counted;
  const read = async () => {
    const [figures, names] = [await counted.read(), await readUnits(dependencies.db)];
    const values = figures.tuples.map(([value]) => value ?? 0);
    const landOf = (areas: Areas) => toLand(areas, values);
    return {
      run_id: runId,
      ...howCounted(by, counted.districtsVersion),
      conditions: conditionsText(conditions),
      parts: conditions.map(({ band, comparison, value }) => ({
        group: band.group,
        title: titleOf(band.group, language) ?? band.title,
        unit: unitIn(language, band.unit),
        comparison,
        value,
      })),
      ...writtenLand(figures, { by, kato, names }, landOf),
    };
  };
  return { isPending: false, key: counted.key, read };
}

/**
 * Returns the layer of conditions of a run, or has it made.
 * @throws {Problem} as `whereOf` does.
 */
export async function whereLayerOf(
  dependencies: LimitDependencies,
  { runId, conditions }: Pick<WhereRequest, 'runId' | 'conditions'>,
): Promise<MadeLayer | PendingResult> {
  const run = await readZonedRun(dependencies.db, runId);
  return await layerOfRun(dependencies, run, whereLayerName(readConditions(conditions)));
}

function readConditions(text: string): readonly Condition[] {
  const parsed = parseConditions(text);
  if ('fault' in parsed) throw requestProblems.wrongParameters({ conditions: parsed.fault });
  return parsed.conditions;
}

function toLand(areas: Areas, values: readonly number[]) {
  const sum = (isWanted: (value: number) => boolean) =>
    toHectares(areas.reduce((all, [tuple, area]) => (isWanted(values[tuple] ?? 0) ? all + area : all), 0));
  return {
    meets_ha: sum((value) => value === meetsConditions),
    fails_ha: sum((value) => value === failsConditions),
    no_data_ha: sum((value) => value !== meetsConditions && value !== failsConditions),
  };
}
