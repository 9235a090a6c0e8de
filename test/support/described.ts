import { type Operation, readDocument, resolve, type Schema } from './document.ts';
import type { TestApp } from './app.ts';
import { send } from './datasets.ts';

/** Reads the description that a service gives of itself. */
export async function readDescription(app: Pick<TestApp, 'baseUrl'>) {
  return readDocument((await send<unknown>(app, '/openapi.json')).body);
}

/** Every operation that the service describes, so that a new one is tested like all others. */
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
      bodyKind: mediaType === undefined ? 'none' : mediaType.startsWith('multipart/') ? 'form' : 'json',
      /** The fields of the body by name. */
      fields: Object.fromEntries(properties.map(([name, field]) => [name, withoutNull(field)])),
    } as const;
  });
}

export type DescribedOperation = Awaited<ReturnType<typeof describedOperations>>[number];

/** Every status that a description promises, such as `GET /datasets/{id} 404`. */
export function documentedStatuses(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ method, path, responses }) =>
    Object.keys(responses).map((status) => `${method} ${path} ${status}`),
  );
}

/** Finds the promise of a description for the body of one answer; undefined when there is none. */
export function documentedBody(
  operations: readonly Operation[],
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): { readonly mediaType: string; readonly schema: Schema } | undefined {
  const operation = operations.find((each) => each.method === method && each.path === path);
  const [first] = Object.entries(operation?.responses[status]?.content ?? {});
  return first === undefined ? undefined : { mediaType: first[0], schema: first[1].schema };
}
