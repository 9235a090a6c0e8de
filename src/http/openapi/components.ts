import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';

const inputSuffix = 'Input';

/**
 * Tidies the named schemas of the description. The type provider makes two of each, one as it is read (`XInput`) and
 * one as it is written (`X`); those that nothing refers to are left out, and `XInput` is called `X` where it is alone.
 */
export const tidyComponents: SwaggerTransformObject = (document) => {
  const described = jsonSchemaTransformObject(document);
  if (!('components' in described) || described.components?.schemas === undefined) return described;
  const { schemas } = described.components;
  const used = findUsed(JSON.stringify(described.paths ?? {}), schemas);
  const text = JSON.stringify({
    ...described,
    components: {
      ...described.components,
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => used.has(name))
          .map(([name, schema]) => [finalName(name, used), schema])
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ),
    },
  });
  return JSON.parse(
    text.replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_reference, name: string) =>
      JSON.stringify(`#/components/schemas/${finalName(name, used)}`),
    ),
  );
};

/** The names that `text` refers to, and those that these refer to in turn. */
function findUsed(
  text: string,
  schemas: Readonly<Record<string, unknown>>,
  used = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (used.has(name)) continue;
    used.add(name);
    findUsed(JSON.stringify(schemas[name] ?? {}), schemas, used);
  }
  return used;
}

function finalName(name: string, used: ReadonlySet<string>): string {
  const base = name.endsWith(inputSuffix) ? name.slice(0, -inputSuffix.length) : name;
  return used.has(base) ? name : base;
}
