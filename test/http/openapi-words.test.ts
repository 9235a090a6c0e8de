import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Operation,
  readDescription,
  resolve,
  type Schema,
  violations,
} from '../support/http/document.ts';
import { startTestApp } from '../support/app.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const app = await closeAfterTests(startTestApp());
const document = await readDescription(app);

interface Placed {
  readonly place: string;
  readonly schema: Schema;
  /** Example of a media type, beside its schema. */
  readonly example?: unknown;
  readonly isNamed: boolean;
}

/** Yields a schema and all schemas within it; references are not followed. */
function* within({ place, schema, isNamed, ...rest }: Placed): Generator<Placed> {
  yield { place, schema, isNamed, ...rest };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* within({ place: `${place}.${name}`, schema: property, isNamed: true });
  }
  const { items, additionalProperties: others, anyOf = [] } = schema;
  for (const part of [items, others, ...anyOf]) {
    if (typeof part === 'object') yield* within({ place, schema: part, isNamed: false });
  }
}

interface Media {
  readonly place: string;
  readonly mediaType: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Bodies of requests and answers of an operation. */
function mediaOf(operation: Operation): Media[] {
  const bodies = [
    ['body', operation.requestBody?.content ?? {}] as const,
    ...Object.entries(operation.responses).map(([status, { content }]) => [status, content] as const),
  ];
  return bodies.flatMap(([what, content]) =>
    Object.entries(content).map(([mediaType, media]) => ({
      place: `${nameOf(operation)} ${what}`,
      mediaType,
      ...media,
    })),
  );
}

function* everySchema(): Generator<Placed> {
  for (const [place, schema] of Object.entries(document.definitions)) {
    yield* within({ place, schema, isNamed: true });
  }
  for (const operation of document.operations) {
    for (const { name, schema } of operation.parameters) {
      yield* within({ place: `${nameOf(operation)} ${name}`, schema, isNamed: false });
    }
    for (const media of mediaOf(operation)) yield* within({ ...media, isNamed: false });
  }
}

const isDescribed = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

describe('everything in the description is described:', () => {
  test('every operation', () => {
    const bare = document.operations.filter(({ description }) => !isDescribed(description));
    assert.deepEqual(bare.map(nameOf), []);
    assert.ok(document.operations.length > 30);
  });

  test('every parameter', () => {
    const parameters = document.operations.flatMap((operation) =>
      operation.parameters.map(
        ({ name, description }) => [`${nameOf(operation)} ${name}`, description] as const,
      ),
    );
    const bare = parameters.filter(([, description]) => !isDescribed(description)).map(([place]) => place);
    assert.deepEqual(bare, []);
    assert.ok(parameters.length > 30);
  });

  test('every component, and every property wherever it stands', () => {
    const named = [...everySchema()].filter(({ isNamed }) => isNamed);
    const bare = named.filter(
      ({ schema }) => !isDescribed(schema.description ?? resolve(schema, document.definitions).description),
    );
    assert.deepEqual(
      bare.map(({ place }) => place),
      [],
    );
    assert.ok(named.length > 200);
  });
});

describe('examples', () => {
  test('conform to what they are examples of', () => {
    const faults: string[] = [];
    let count = 0;
    for (const { place, schema, example } of everySchema()) {
      for (const value of [...examplesOf(schema), ...(example === undefined ? [] : [example])]) {
        count += 1;
        faults.push(...violations(schema, value, document.definitions).map((fault) => `${place}: ${fault}`));
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(count > 30, String(count));
  });

  test('are there for every JSON body that is sent, and for every one that is answered', () => {
    const bare = document.operations
      .flatMap(mediaOf)
      .filter(({ mediaType, schema }) => mediaType.endsWith('json') && schema.format !== 'binary')
      .filter(({ schema, example }) => example === undefined && !hasExample(schema));
    assert.deepEqual(
      bare.map(({ place }) => place),
      [],
    );
  });

  test('are there for every required part of a form but the file', () => {
    const forms = document.operations
      .flatMap(mediaOf)
      .filter(({ mediaType }) => mediaType.startsWith('multipart'));
    assert.equal(forms.length, 5);
    const bare = forms.flatMap(({ place, schema }) =>
      (schema.required ?? [])
        .filter((name) => name !== 'file' && !hasExample(schema.properties?.[name] ?? {}))
        .map((name) => `${place} ${name}`),
    );
    assert.deepEqual(bare, []);
  });
});

function examplesOf({ examples = [], example }: Schema): readonly unknown[] {
  return example === undefined ? examples : [...examples, example];
}

/** Returns whether a schema has an example, or one can be composed of those of its parts. */
function hasExample(given: Schema): boolean {
  const schema = resolve(given, document.definitions);
  const { items, anyOf = [] } = schema;
  return (
    examplesOf(schema).length > 0 ||
    (typeof items === 'object' && hasExample(items)) ||
    anyOf.some(hasExample)
  );
}
