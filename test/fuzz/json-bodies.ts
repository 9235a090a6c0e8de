import * as fc from 'fast-check';
import { isRecord } from './conforms.ts';
import type { Definitions, Schema } from './document.ts';
import { nastyText, nastyValue } from './nasty.ts';
import { valuesOf } from './values.ts';

/** A change to one place of a value: another value there, nothing there, or one more property. */
interface Mutation {
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'add' | 'repeat';
  readonly name: string;
  readonly value: unknown;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 50 }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'repeat'),
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'status'), nastyText),
  value: nastyValue,
});

/** Damage to the text of a body; what it was is the argument. */
const damages: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => `${text},`,
  (text) => `${text}\0`,
  (text) => `\u00ef\u00bb\u00bf${text}`, // a byte-order mark, byte by byte
  (text) => text.replace('"', '"\u00ff'), // a byte that is never in UTF-8
  (text) => text.replace('"', '"\u00ed\u00a0\u0080'), // half a surrogate pair as bytes
  (text) => text.replace('{', `{"__proto__":{"name":"x"},`),
  (text) => text.replace('{', `{"name":"first","name":"x","code":1,`),
  (text) => text.replace(/:"[^"]*"/, ':1e999'),
  (text) => text.replaceAll('"', "'"),
  (text) => `[${text}]`,
  (text) => `"${text.length}"`,
  () => 'null',
  () => '12',
  () => '',
  () => ' \n',
  () => '{}',
  () => '{"name":NaN}',
  () => `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`,
  () => `{"a":${'['.repeat(64)}${']'.repeat(64)}}`,
  () => '['.repeat(100_000),
  () => `{"description":"${'x'.repeat(1_100_000)}"}`,
  () => `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
];

/** Bodies for a schema, a character for each byte: conforming ones, ones with a change or two, and damaged text. */
export function jsonBodies(schema: Schema, definitions: Definitions): fc.Arbitrary<string> {
  const values = valuesOf(schema, definitions);
  const bytes = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('latin1');
  return fc.oneof(
    { weight: 5, arbitrary: values.map(bytes) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(values, fc.array(mutations, { minLength: 1, maxLength: 2 }))
        .map(([value, changes]) => bytes(changes.reduce(mutate, value))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(values, fc.constantFrom(...damages)).map(([value, damage]) => damage(bytes(value))),
    },
  );
}

function mutate(value: unknown, mutation: Mutation): unknown {
  const places = placesOf(value);
  return changeAt(value, places[mutation.place % places.length] ?? [], mutation);
}

type Place = readonly (string | number)[];

/** The way to each part of a value, the whole last: it is the least telling one to change. */
function placesOf(value: unknown): Place[] {
  const parts: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return [...parts.flatMap(([step, part]) => placesOf(part).map((rest) => [step, ...rest])), []];
}

function changeAt(value: unknown, [step, ...rest]: Place, mutation: Mutation): unknown {
  if (step === undefined) return changed(value, mutation);
  const gone = rest.length === 0 && mutation.kind === 'remove';
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.flatMap((item, index) =>
      index !== step ? [item] : gone ? [] : [changeAt(item, rest, mutation)],
    );
  }
  return Object.fromEntries(
    Object.entries(value ?? {}).flatMap(([key, part]) =>
      key !== step ? [[key, part]] : gone ? [] : [[key, changeAt(part, rest, mutation)]],
    ),
  );
}

function changed(value: unknown, mutation: Mutation): unknown {
  if (mutation.kind === 'add' && isRecord(value)) {
    return Object.fromEntries([...Object.entries(value), [mutation.name, mutation.value]]);
  }
  if (mutation.kind === 'repeat') return Array.isArray(value) ? [...value, ...value] : [value];
  return mutation.value;
}
