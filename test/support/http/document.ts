import { z } from 'zod';
import type { TestApp } from '../app.ts';
import { send } from '../datasets.ts';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Keywords of JSON Schema 2020-12 that the description uses. It is strict: an unknown keyword is an error and not an unchecked promise. */
export const Schema = z.strictObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  example: z.unknown().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  format: z.enum(['binary', 'date', 'date-time', 'uuid']).optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  uniqueItems: z.boolean().optional(),
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
  get propertyNames() {
    return Schema.optional();
  },
  minProperties: z.int().optional(),
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
});
export type Schema = z.infer<typeof Schema>;

const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() }));
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: Schema,
});
export type Parameter = z.infer<typeof Parameter>;
const DescribedOperation = z.object({
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.default({}) })),
});
const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), DescribedOperation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** Schemas by name, which references point to. */
export type Definitions = Readonly<Record<string, Schema>>;

export interface Operation extends z.infer<typeof DescribedOperation> {
  /** Method in upper case. */
  readonly method: string;
  /** Path with names in braces. */
  readonly path: string;
}

/** The description that a service serves of itself. */
export interface Document {
  readonly operations: readonly Operation[];
  readonly definitions: Definitions;
}

/**
 * Reads `/openapi.json`.
 * @throws if it contains a keyword that `Schema` does not know
 */
export function readDocument(json: unknown): Document {
  const { paths, components } = Description.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  );
  return { operations, definitions: components.schemas };
}

/** Returns the schema that a reference points to, or the schema itself. */
export function resolve(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined) return schema;
  const target = definitions[schema.$ref.replace('#/components/schemas/', '')];
  if (target === undefined) throw new Error(`nothing at ${schema.$ref}`);
  return resolve(target, definitions);
}

/** Reads the description that a service gives of itself. */
export async function readDescription(app: Pick<TestApp, 'baseUrl'>) {
  return readDocument((await send<unknown>(app, '/openapi.json')).body);
}

/** Every operation that the service describes, so that a new one is tested like the others. */
export async function describedOperations(app: Pick<TestApp, 'baseUrl'>) {
  const { operations, definitions } = await readDescription(app);
  const withoutNull = (given: Schema): Schema => {
    const schema = resolve(given, definitions);
    const [only] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
    return schema.properties === undefined && only !== undefined ? withoutNull(only) : schema;
  };
  return operations.map(({ method, path, parameters, requestBody }) => {
    const [[mediaType, media] = []] = Object.entries(requestBody?.content ?? {});
    const properties = Object.entries(withoutNull(media?.schema ?? {}).properties ?? {});
    return {
      method,
      path,
      query: parameters.filter((parameter) => parameter.in === 'query'),
      bodyKind: bodyKindOf(mediaType),
      /** The fields of the body by name. */
      fields: Object.fromEntries(properties.map(([name, field]) => [name, withoutNull(field)])),
    } as const;
  });
}

export type DescribedOperation = Awaited<ReturnType<typeof describedOperations>>[number];

/** Every status that a description declares, such as `GET /datasets/{id} 404`. */
export function documentedStatuses(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ method, path, responses }) =>
    Object.keys(responses).map((status) => `${method} ${path} ${status}`),
  );
}

/** Finds the declared body of an answer; undefined when none is declared. */
export function documentedBody(
  operations: readonly Operation[],
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): { readonly mediaType: string; readonly schema: Schema } | undefined {
  const operation = operations.find((each) => each.method === method && each.path === path);
  const [first] = Object.entries(operation?.responses[status]?.content ?? {});
  return first === undefined ? undefined : { mediaType: first[0], schema: first[1].schema };
}

/** Reads a body in the form of its schema: JSON, the first event of a stream, or text. */
export function readBody(mediaType: string, text: string): unknown {
  if (mediaType.endsWith('json')) return JSON.parse(text);
  if (mediaType !== 'text/event-stream') return text;
  const fields = (text.split('\n\n')[0] ?? '').split('\n').map((line) => line.split(/: (.*)/).slice(0, 2));
  const event: Record<string, unknown> = Object.fromEntries(fields);
  return 'retry' in event ? { ...event, retry: Number(event['retry']) } : event;
}

/**
 * Lists the rules of a schema that a value breaks, with their places. Zod does not check this, because the
 * service makes its description with zod.
 */
export function violations(schema: Schema, value: unknown, definitions: Definitions): string[] {
  const validate = validatorOf(schema, definitions);
  return validate(value) ? [] : (validate.errors ?? []).map(describe);
}

const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strictTypes: false, strictTuples: false });
addFormats.default(ajv, ['date', 'date-time']);
ajv
  .addVocabulary(['components', 'example'])
  .addFormat('binary', true)
  .addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

interface Validators {
  /** Base URI of the definitions. */
  readonly base: string;
  readonly byText: Map<string, ValidateFunction>;
}

const known = new WeakMap<Definitions, Validators>();
let descriptions = 0;

/** Resolves references to the definitions and compiles each definition once: together they take longer than everything else. */
function validatorsWith(definitions: Definitions): Validators {
  const found = known.get(definitions);
  if (found !== undefined) return found;
  descriptions += 1;
  const made = { base: `https://example.org/${descriptions}`, byText: new Map() };
  ajv.addSchema({ $id: made.base, components: { schemas: definitions } });
  known.set(definitions, made);
  return made;
}

function validatorOf(schema: Schema, definitions: Definitions): ValidateFunction {
  const { base, byText } = validatorsWith(definitions);
  const text = JSON.stringify(schema).replaceAll('"#/components/', `"${base}#/components/`);
  const validate = byText.get(text) ?? ajv.compile(JSON.parse(text));
  byText.set(text, validate);
  return validate;
}

function describe({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath === '' ? 'the value' : instancePath} ${message} ${JSON.stringify(params)}`;
}

function bodyKindOf(mediaType: string | undefined): 'none' | 'form' | 'json' | 'bytes' {
  if (mediaType === undefined) return 'none';
  if (mediaType.startsWith('multipart/')) return 'form';
  return mediaType === 'application/json' ? 'json' : 'bytes';
}
