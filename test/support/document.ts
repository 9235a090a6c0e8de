import { z } from 'zod';

/**
 * The keywords of JSON Schema 2020-12 that the description uses. It is strict, so that a keyword which is new to it is
 * an error here and not an unchecked promise.
 */
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
    return z.union([z.literal(false), Schema]).optional();
  },
  get prefixItems() {
    return z.array(Schema).optional();
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
});
export type Schema = z.infer<typeof Schema>;

const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() }));
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
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

/** The schemas that references lead to, by name. */
export type Definitions = Readonly<Record<string, Schema>>;

export interface Operation extends z.infer<typeof DescribedOperation> {
  /** In capitals. */
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
}

/** The description that a service gives of itself. */
export interface Document {
  readonly operations: readonly Operation[];
  readonly definitions: Definitions;
}

/** Reads `/openapi.json`. @throws when it holds a keyword that `Schema` does not know. */
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

/** A schema that is not a reference. */
export function resolve(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined) return schema;
  const target = definitions[schema.$ref.replace('#/components/schemas/', '')];
  if (target === undefined) throw new Error(`nothing at ${schema.$ref}`);
  return resolve(target, definitions);
}
