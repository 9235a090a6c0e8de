import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { unitName } from '../../messages/languages/unit-name.ts';
import { graphWordsIn, nodeWords, slotWords } from '../groups/graph-words.ts';
import { nodeByCode } from '../graph/graph.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import type { RunComparison } from './compare-schema.ts';
import { type InputDifference, inputsThatDiffer, paramsThatDiffer } from './differences.ts';
import { changeOf, type CountedPairs, matrixOf } from './matrix.ts';

/** The data of a comparison. */
export interface ComparisonParts {
  readonly a: LandscapeRun;
  readonly b: LandscapeRun;
  readonly node: GraphNode;
  /** Datasets of the first and of the second run. */
  readonly datasets: readonly [string, string];
  /** Graph versions of the first and of the second run. */
  readonly graphVersions: readonly [number, number];
  readonly by: AreaLevels;
  readonly counted: CountedPairs;
  readonly countedFrom: RunComparison['counted_from'];
  readonly districtsVersion: number;
}

/** Describes the differences between two runs, in a language. */
export async function describeComparison(
  db: Database,
  { a, b, node, datasets, graphVersions, by, counted, countedFrom, districtsVersion }: ComparisonParts,
  language: Language,
): Promise<RunComparison> {
  const { title, classes = {} } = nodeWords(language, node.code);
  const order = node.legend.entries.map(({ value }) => value);
  const { sides, ha } = matrixOf(counted, order);
  const whole = changeOf(counted, counted.raster);
  const inBoth = whole.changed_ha + whole.unchanged_ha;
  const [versionOfA, versionOfB] = graphVersions;
  const colours = new Map(node.legend.entries.map(({ value, color }) => [value, color]));
  return {
    unit: 'ha',
    node: node.code,
    title,
    by,
    districts_version: districtsVersion,
    counted_from: countedFrom,
    same_grid: true,
    a: sideOf(a, datasets[0]),
    b: sideOf(b, datasets[1]),
    graph_version: versionOfA === versionOfB ? null : { a: versionOfA, b: versionOfB },
    params: paramsThatDiffer(node, a, b).map(({ name, ...values }) => ({
      name,
      title: graphWordsIn(language).params[name]?.title ?? name,
      ...values,
    })),
    inputs: await nameInputs(db, inputsThatDiffer(node, a, b), language),
    classes: sides.flatMap((value) =>
      value === null
        ? []
        : [{ value, title: classes[value] ?? String(value), color: colours.get(value) ?? unknownColour }],
    ),
    matrix: { from: [...sides], to: [...sides], ha: ha.map((row) => [...row]) },
    ...whole,
    changed_share: inBoth === 0 ? null : whole.changed_ha / inBoth,
    units: describeUnits(counted, language),
    rest: changeOf(counted, counted.outside),
  };
}

/** The colour of a class that the graph does not know. */
const unknownColour = '#8a8a8a';

function sideOf({ id, created_at, record }: LandscapeRun, datasetId: string): RunComparison['a'] {
  return {
    run_id: id,
    name: record?.name ?? null,
    state: record?.state ?? 'draft',
    created_at,
    dataset_id: datasetId,
  };
}

async function nameInputs(
  db: Database,
  inputs: readonly InputDifference[],
  language: Language,
): Promise<RunComparison['inputs']> {
  const ids = inputs.flatMap(({ a, b }) => [a, b].filter((id) => id !== null));
  const rows = await db
    .selectFrom('datasets')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const rasterOf = (id: string | null) =>
    id === null ? null : { dataset_id: id, name: names.get(id) ?? null };
  return inputs.map(({ group, key, a, b, matters }) => ({
    group,
    title: (nodeByCode(key) === undefined ? slotWords(language, key) : nodeWords(language, key)).title,
    a: rasterOf(a),
    b: rasterOf(b),
    matters,
  }));
}

/** Describes the units that the raster intersects, those with the most change first. */
function describeUnits(counted: CountedPairs, language: Language): RunComparison['units'] {
  return counted.units
    .filter(({ areas }) => areas.length > 0)
    .map(({ unit, area_ha, outside_raster_ha, ...part }) => ({
      kato: unit.kato,
      name: unitName(unit, language),
      level: unit.level,
      area_ha,
      ...changeOf(counted, part),
      outside_raster_ha,
    }))
    .toSorted((one, other) => other.changed_ha - one.changed_ha || one.kato.localeCompare(other.kato));
}
