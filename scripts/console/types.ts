import { z } from 'zod';
import { DistrictMatches } from '../../src/units/names/names-schema.ts';
import { GroupFreshness } from '../../src/catalogue/cadence-schema.ts';
import { Category, DatasetGroup } from '../../src/catalogue/schema.ts';
import { DatasetAreas, OwnAreas } from '../../src/areas/areas-schema.ts';
import { ImportReport } from '../../src/datasets/report.ts';
import { Dataset, DatasetStatusView, DatasetSummary } from '../../src/datasets/schema.ts';
import { DatasetMetadata } from '../../src/metadata/schema.ts';
import { Denominator } from '../../src/tables/rates/denominator-schema.ts';
import { KatoSeries } from '../../src/tables/kato-map/kato-series.ts';
import { Lineage } from '../../src/landscape/runs/lineage-schema.ts';
import { MappingSuggestion, TableMatch } from '../../src/tables/match/match-schema.ts';
import { RasterStatistics } from '../../src/datasets/statistics-schema.ts';
import { Capabilities } from '../../src/runtime/api/capabilities.ts';
import { RunComparison } from '../../src/landscape/comparison/compare-schema.ts';
import { Balance } from '../../src/landscape/balance/balance-schema.ts';
import { Conflicts } from '../../src/landscape/balance/conflicts-schema.ts';
import { Sensitivity } from '../../src/landscape/balance/sensitivity-schema.ts';
import { Stability } from '../../src/landscape/balance/stability-schema.ts';
import { Dossier, DossierSignature, DossierSigner } from '../../src/landscape/dossier/dossier-schema.ts';
import { LandscapeGraph } from '../../src/landscape/groups/graph-schema.ts';
import { LandscapeResult } from '../../src/landscape/groups/results.ts';
import { LandscapeSlot } from '../../src/landscape/groups/slots.ts';
import { LandscapeExplanation } from '../../src/landscape/explain/schema.ts';
import { LandscapeInputSensitivity } from '../../src/landscape/input-moves/input-sensitivity-schema.ts';
import { LandscapeLimits } from '../../src/landscape/limits/limits-schema.ts';
import { LandscapeWhere } from '../../src/landscape/limits/where-schema.ts';
import { LandscapeGaps } from '../../src/landscape/gaps/gaps-schema.ts';
import { LandscapePlan } from '../../src/landscape/runs/plan-schema.ts';
import { RunPolygons } from '../../src/landscape/polygons/polygons-schema.ts';
import { GroupZonal } from '../../src/zonal/zonal-schema.ts';
import { RunRecord, RunRecordChange } from '../../src/landscape/runs/record-schema.ts';
import { LandscapeRun } from '../../src/landscape/runs/schema.ts';
import { LandscapeWatch } from '../../src/landscape/watch/watch-schema.ts';
import { DistrictHistory } from '../../src/units/history/schema.ts';

/** The answers that the console reads, by the files of `console/src/service/` and the names that it has for them. */
const answers = {
  'types.ts': {
    Capabilities,
    Category,
    Dataset,
    DatasetGroup,
    DatasetStatusView,
    DatasetSummary,
    GroupFreshness,
    ImportReport,
    Lineage,
    RasterStatistics,
  },
  'areas-types.ts': { DatasetAreas, OwnAreas },
  'zonal-types.ts': { GroupZonal },
  'metadata-types.ts': { DatasetMetadata },
  'rate-types.ts': { Denominator },
  'table-match-types.ts': { MappingSuggestion, TableMatch },
  'matches-types.ts': { DistrictMatches },
  'balance-types.ts': { Balance, Conflicts, Sensitivity, Stability },
  'district-types.ts': { DistrictHistory, KatoSeries },
  'dossier-types.ts': { Dossier, DossierSignature, DossierSigner },
  'explain-types.ts': { LandscapeExplanation },
  'landscape-types.ts': {
    LandscapeGaps,
    LandscapeGraph,
    LandscapePlan,
    LandscapeResult,
    LandscapeRun,
    LandscapeSlot,
    LandscapeWatch,
    RunRecord,
    RunRecordChange,
  },
  'polygons-types.ts': { RunPolygons },
  'limits-types.ts': { LandscapeInputSensitivity, LandscapeLimits, LandscapeWhere },
  'comparison-types.ts': { RunComparison },
};

/** A part of a JSON schema, as zod writes it. */
type Schema = z.core.JSONSchema.BaseSchema;

const fileOf: ReadonlyMap<string, string> = new Map(
  Object.entries(answers).flatMap(([file, schemas]) => Object.keys(schemas).map((name) => [name, file])),
);

/**
 * Writes the types of the service's answers from the schemas that describe them, by the names of their files. Schemas that have a
 * name there, and are part of an answer, are types of their own.
 */
export function describeTypes(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(answers).map(([file, schemas]) => [file, describeFile(file, schemas)]),
  );
}

function describeFile(file: string, schemas: Readonly<Record<string, z.ZodType>>): string {
  const definitions = new Map<string, Schema>();
  for (const [name, schema] of Object.entries(schemas)) {
    const document = z.toJSONSchema(schema, { io: 'output' });
    definitions.set(name, document);
    for (const [part, definition] of Object.entries(document.$defs ?? {})) definitions.set(part, definition);
  }
  const imported = new Map<string, string[]>();
  const types: string[] = [];
  for (const [name, definition] of definitions) {
    const owner = fileOf.get(name);
    if (owner === undefined || owner === file)
      types.push(`${owner === undefined ? '' : 'export '}type ${name} = ${typeOf(definition)};\n`);
    else imported.set(owner, [...(imported.get(owner) ?? []), name]);
  }
  const imports = [...imported].map(
    ([from, names]) => `import type { ${names.toSorted().join(', ')} } from './${from}';`,
  );
  return [
    '// Written by `npm run console-types` from the schemas of the service.',
    ...imports,
    ...types,
  ].join('\n');
}

function typeOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return 'unknown';
  const { $ref, anyOf, enum: values, items, properties, additionalProperties: others, minItems } = schema;
  if ($ref !== undefined) return $ref.replace(/^#\/\$defs\//, '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined) return union(anyOf.map(typeOf));
  const types: unknown = schema.type;
  if (Array.isArray(types)) return union(types.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') {
    const item = typeOf(Array.isArray(items) ? true : (items ?? true));
    // Ranges and boxes, whose numbers have names of their own.
    const isTuple = minItems !== undefined && minItems <= 4 && minItems === schema.maxItems;
    return isTuple ? `readonly [${Array(minItems).fill(item).join(', ')}]` : `readonly (${item})[]`;
  }
  if (schema.type === 'object' && properties !== undefined) {
    const required = new Set(schema.required);
    const members = Object.entries(properties).map(
      ([name, member]) => `readonly ${name}${required.has(name) ? '' : '?'}: ${typeOf(member)};`,
    );
    return `{ ${members.join(' ')} }`;
  }
  if (schema.type === 'object') return `Readonly<Record<string, ${typeOf(others ?? true)}>>`;
  if (schema.type === 'integer') return 'number';
  return typeof types === 'string' ? types : 'unknown';
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
