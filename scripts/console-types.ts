/** Generates the API types of the page from `/openapi.json`; `npm run check` does so, too. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTestApp } from '../test/support/app.ts';
import {
  type Document,
  type Operation,
  readDescription,
  type Schema,
} from '../test/support/http/document.ts';
import { projectRoot } from '../test/support/project.ts';

const file = join(projectRoot, 'console/generated/api.ts');
// The API description does not depend on a database.
await using app = await startTestApp({ databaseTarget: { host: '/nonexistent', database: 'none' } });
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, declare(await readDescription(app)));

function declare({ operations, definitions }: Document): string {
  const types = Object.entries(definitions).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  const methods = [...Map.groupBy(operations, ({ method }) => method)].map(
    ([method, those]) => `${method}: {\n${those.map(declareOperation).join('\n')}\n};\n`,
  );
  return `// Made by \`npm run console-types\`.\n${types.join('')}export interface Api {\n${methods.join('')}}\n`;
}

function declareOperation(operation: Operation): string {
  const { path, parameters } = operation;
  const within = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) =>
        required ? member(name, typeOf(schema)) : member(name, `${typeOf(schema)} | undefined`, '?'),
      );
  const [inPath, inQuery] = [within('path'), within('query')];
  const isQueryRequired = parameters.some((parameter) => parameter.in === 'query' && parameter.required);
  const asked = [
    ...(inPath.length === 0 ? [] : [member('path', `{ ${inPath.join(' ')} }`)]),
    ...(inQuery.length === 0
      ? []
      : [member('query', `{ ${inQuery.join(' ')} } | URLSearchParams`, isQueryRequired ? '' : '?')]),
  ];
  return `'${path}': { asked: { ${asked.join(' ')} }; answer: ${answerOf(operation)} };`;
}

/** Returns the type of successful JSON answers; null without one. */
function answerOf({ responses }: Operation): string {
  if ('204' in responses) return 'null';
  const bodies = ['200', '201', '202'].flatMap((status) => Object.entries(responses[status]?.content ?? {}));
  const json = bodies.filter(([mediaType]) => /\bjson$/.test(mediaType));
  return json.length === 0 ? 'unknown' : union(json.map(([, { schema }]) => typeOf(schema)));
}

function member(name: string, type: string, mark = ''): string {
  return `readonly ${JSON.stringify(name)}${mark}: ${type};`;
}

function typeOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return 'unknown';
  const { $ref, anyOf = schema.oneOf, enum: values, type, items, properties = {}, minItems } = schema;
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined) return union(anyOf.map(typeOf));
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })));
  if (type === 'array') {
    const item = typeOf(items ?? true);
    // Ranges and boxes, whose elements have fixed meanings.
    const isTuple = minItems !== undefined && minItems <= 4 && minItems === schema.maxItems;
    return isTuple ? `readonly [${Array(minItems).fill(item).join(', ')}]` : `readonly (${item})[]`;
  }
  if (type === 'object') {
    const members = Object.entries(properties).map(([name, part]) =>
      member(name, typeOf(part), schema.required?.includes(name) ? '' : '?'),
    );
    const others = typeOf(schema.additionalProperties ?? true);
    return members.length > 0 ? `{ ${members.join(' ')} }` : `Readonly<Record<string, ${others}>>`;
  }
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
