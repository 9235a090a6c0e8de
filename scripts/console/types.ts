import { z } from 'zod';
import { Category, DatasetGroup } from '../../src/catalogue/schema.ts';
import { ImportReport } from '../../src/datasets/report.ts';
import { Dataset, DatasetStatusView, DatasetSummary } from '../../src/datasets/schema.ts';
import { Capabilities } from '../../src/http/routes/capabilities.ts';

/** The answers that the console reads, by the names that it has for them. */
const answers = {
  Capabilities,
  Category,
  Dataset,
  DatasetGroup,
  DatasetStatusView,
  DatasetSummary,
  ImportReport,
};

/** A part of a JSON schema, as zod writes it. */
type Schema = z.core.JSONSchema.BaseSchema;

/** Writes the types of the service's answers from the schemas that describe them. */
export function describeTypes(): string {
  const types = Object.entries(answers).map(([name, schema]) => {
    const document = z.toJSONSchema(schema, { io: 'output' });
    return `export type ${name} = ${typesWith(document.$defs ?? {})(document)};\n`;
  });
  return ['// Written by `npm run console-types` from the schemas of the service.', ...types].join('\n');
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
