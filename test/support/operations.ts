import type { TestApp } from './app.ts';
import { send } from './datasets.ts';

/** A JSON schema as far as the tests look into one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation of the service's own description. */
export interface Operation {
  readonly method: string;
  /** Such as `/datasets/{id}`. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly bodyKind: 'json' | 'form' | 'none';
  /** The fields of the body by name. */
  readonly fields: Readonly<Record<string, Schema>>;
}

/** Every operation that the service describes, so that a new one is tested like all others. */
export async function describedOperations(app: Pick<TestApp, 'baseUrl'>): Promise<readonly Operation[]> {
  const { body } = await send<Description>(app, '/openapi.json');
  const resolve = (schema: Schema | undefined): Schema => {
    if (schema?.$ref !== undefined)
      return resolve(body.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
    const [only] = (schema?.anyOf ?? []).filter(({ type }) => type !== 'null');
    return schema?.properties === undefined && only !== undefined ? resolve(only) : (schema ?? {});
  };
  const fieldsOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> =>
    Object.fromEntries(
      Object.entries(resolve(schema).properties ?? {}).map(([name, field]) => [name, resolve(field)]),
    );
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const [[mediaType, media] = []] = Object.entries(requestBody?.content ?? {});
      return {
        method: method.toUpperCase(),
        path,
        query: parameters.filter((parameter) => parameter.in === 'query'),
        bodyKind: mediaType === undefined ? 'none' : mediaType.startsWith('multipart/') ? 'form' : 'json',
        fields: fieldsOf(media?.schema),
      } as const;
    }),
  );
}
