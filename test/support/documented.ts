import { z } from 'zod';

interface Media {
  readonly schema: object;
}
interface DocumentedResponse {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Every status that a description promises, such as `get /datasets/{id} 404`. */
export function documentedStatuses({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method} ${path} ${status}`),
    ),
  );
}

/** Finds the promise of a description for the body of one answer; undefined when there is none. */
export function documentedBody(
  description: Description,
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): { readonly mediaType: string; readonly schema: z.ZodType } | undefined {
  const content = description.paths[path]?.[method]?.responses[status]?.content;
  const [first] = Object.entries(content ?? {});
  if (first === undefined) return undefined;
  const [mediaType, media] = first;
  return { mediaType, schema: z.fromJSONSchema(withDefinitions(description, media.schema)) };
}

/** The schema by itself: what it refers to comes with it. */
function withDefinitions({ components }: Description, schema: object): Record<string, unknown> {
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
}
