import * as fc from 'fast-check';
import { violations } from './conforms.ts';
import { type Definitions, resolve, type Schema } from './document.ts';
import { nastyText } from './nasty.ts';
import { idStates, type IdState, referenceTo, type ResourceKind } from './pool.ts';

/** The kind of resource that a uuid names, by field or parameter. */
const kindByName: Readonly<Record<string, ResourceKind>> = {
  category_id: 'category',
  parent_id: 'category',
  dg_id: 'group',
  overrides: 'raster',
};

/** Words that mean something in a field of this name: columns of the files that forms bring, codes that are taken. */
const wordsByName: Readonly<Record<string, readonly string[]>> = {
  kato_column: ['kato'],
  column: ['2000-12-31', '2001-12-31', '2002-12-31', 'kato'],
  code: ['first', 'second', 'third', 'fourth'],
  category_code: ['first', 'landscape'],
  kato_code: ['100000000', '110000000'],
};

const weightByState: Readonly<Record<IdState, number>> = { live: 12, gone: 2, unknown: 1 };

/** A reference to a resource, most often to one that lives. */
export function idOf(kind: ResourceKind): fc.Arbitrary<string> {
  return fc.oneof(
    ...idStates.map((state) => ({
      weight: weightByState[state],
      arbitrary: fc.nat({ max: 9999 }).map((index) => referenceTo(kind, state, index)),
    })),
  );
}

/**
 * Values that conform to a schema, ids as references. `name` is that of the field, which tells what ids are of.
 * @throws for a schema that it cannot draw from
 */
export function valuesOf(given: Schema, definitions: Definitions, name = ''): fc.Arbitrary<unknown> {
  const schema = resolve(given, definitions);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf !== undefined && schema.type === undefined) {
    return fc.oneof(...schema.anyOf.map((branch) => valuesOf(branch, definitions, name)));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.maxSafeInteger().map((drawn) => intoRange(drawn, schema));
    case 'string':
      return textsOf(schema, definitions, name);
    case 'array':
      return fc
        .array(valuesOf(schema.items === false ? {} : (schema.items ?? {}), definitions, name), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? Infinity, (schema.minItems ?? 0) + 3),
        })
        .map((items) => (schema.uniqueItems === true ? items.map((_, index) => index + 1) : items));
    case 'object':
      return objectsOf(schema, definitions, name);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

/** Both ends of the range come often, whatever its size. */
function intoRange(drawn: number, { minimum = -1e6, maximum = 1e6 }: Schema): number {
  const offset = Math.abs(drawn) % (maximum - minimum + 1);
  return drawn % 5 === 0 ? maximum : drawn < 0 ? minimum + (offset % 10) : minimum + offset;
}

function textsOf(schema: Schema, definitions: Definitions, name: string): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return idOf(kindByName[name] ?? 'dataset');
  if (schema.format === 'date') {
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  }
  const keeps = (text: string): boolean => violations(schema, text, definitions).length === 0;
  const ordinary = fc.stringMatching(
    schema.pattern === undefined ? /^\w*$/ : new RegExp(schema.pattern, 'u'),
  );
  const words = wordsByName[name] ?? [];
  return fc.oneof(
    { weight: name.includes('column') ? 1 : 4, arbitrary: ordinary.filter(keeps) },
    { weight: 1, arbitrary: nastyText.map((text) => (keeps(text) ? text : 'x')) },
    ...(words.length === 0 ? [] : [{ weight: 4, arbitrary: fc.constantFrom(...words) }]),
  );
}

function objectsOf(schema: Schema, definitions: Definitions, name: string): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties: others, propertyNames } = schema;
  if (typeof others === 'object') {
    const names = valuesOf(propertyNames ?? { type: 'string' }, definitions).map(String);
    return fc.dictionary(names, valuesOf(others, definitions, name), { maxKeys: 3 });
  }
  const described = Object.fromEntries(
    Object.entries(properties).map(([key, sub]) => [key, valuesOf(sub, definitions, key)]),
  );
  const fields = fc.oneof(
    ...(schema.anyOf ?? [{}]).map((branch) =>
      fc.record(described, {
        requiredKeys: [...required, ...(branch.required ?? [])],
        noNullPrototype: true,
      }),
    ),
  );
  const unknown = fc.option(
    fc.dictionary(
      nastyText.map((text) => `x${text}`),
      fc.jsonValue(),
      { maxKeys: 2 },
    ),
    {
      nil: {},
      freq: 6,
    },
  );
  return fc.tuple(fields, unknown).map(([known, more]) => ({ ...more, ...known }));
}
