import { z } from 'zod';
import { Category, DatasetGroup } from '../../src/catalogue/schema.ts';
import { ImportReport } from '../../src/datasets/report.ts';
import { Dataset, DatasetStatusView, DatasetSummary } from '../../src/datasets/schema.ts';
import { Lineage } from '../../src/datasets/lineage-schema.ts';
import { RasterStatistics } from '../../src/datasets/statistics-schema.ts';
import { Capabilities } from '../../src/http/routes/capabilities.ts';
import { LandscapeGraph } from '../../src/landscape/groups/graph-schema.ts';
import { LandscapeResult } from '../../src/landscape/groups/results.ts';
import { LandscapeSlot } from '../../src/landscape/groups/slots.ts';
import { LandscapeExplanation } from '../../src/landscape/explain/schema.ts';
import { LandscapeGapPlace, LandscapeGaps } from '../../src/landscape/runs/gaps-schema.ts';
import { LandscapePlan } from '../../src/landscape/runs/plan-schema.ts';
import { RunRecord, RunRecordChange } from '../../src/landscape/runs/record-schema.ts';
import { LandscapeRun } from '../../src/landscape/runs/schema.ts';

/** The answers that the console reads, by the files of `console/src/service/` and the names that it has for them. */
const answers = {
  'types.ts': {
    Capabilities,
    Category,
    Dataset,
    DatasetGroup,
    DatasetStatusView,
    DatasetSummary,
    ImportReport,
    Lineage,
    RasterStatistics,
  },
  'explain-types.ts': { LandscapeExplanation },
  'landscape-types.ts': {
    LandscapeGapPlace,
    LandscapeGaps,
    LandscapeGraph,
    LandscapePlan,
    LandscapeResult,
    LandscapeRun,
    LandscapeSlot,
    RunRecord,
    RunRecordChange,
  },
};

/** A part of a JSON schema, as zod writes it. */
type Schema = z.core.JSONSchema.BaseSchema;

/** Writes the types of the service's answers from the schemas that describe them, by the names of their files. */
export function describeTypes(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(answers).map(([file, schemas]) => {
      const types = Object.entries(schemas).map(([name, schema]) => {
        const document = z.toJSONSchema(schema, { io: 'output' });
        return `export type ${name} = ${typesWith(document.$defs ?? {})(document)};\n`;
      });
      return [
        file,
        ['// Written by `npm run console-types` from the schemas of the service.', ...types].join('\n'),
      ];
    }),
  );
}

/** Makes the function that writes a schema as a type, where names of schemas stand for these definitions. */
function typesWith(definitions: Readonly<Record<string, Schema>>): (schema: Schema | boolean) => string {
  function typeOf(schema: Schema | boolean): string {
    if (typeof schema === 'boolean') return 'unknown';
    const {
      $ref,
      anyOf,
      enum: values,
      items,
      properties,
      additionalProperties: others,
      prefixItems,
    } = schema;
    if ($ref !== undefined) return typeOf(definitions[$ref.replace(/^#\/\$defs\//, '')] ?? true);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (values !== undefined) return union(values.map((value) => JSON.stringify(value)));
    if (anyOf !== undefined) return union(anyOf.map(typeOf));
    const types: unknown = schema.type;
    if (Array.isArray(types)) return union(types.map((type) => typeOf({ ...schema, type })));
    if (schema.type === 'array') {
      if (prefixItems !== undefined) return `readonly [${prefixItems.map(typeOf).join(', ')}]`;
      return `readonly (${typeOf(Array.isArray(items) ? true : (items ?? true))})[]`;
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
  return typeOf;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
