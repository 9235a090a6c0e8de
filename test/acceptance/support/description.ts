import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Reads the description that the service serves of itself. */
export async function readDescription({ get }: Client): Promise<Description> {
  return await get('/openapi.json');
}

export interface DescribedPath {
  /** Path in the form of the description, such as `/datasets/{id}`. */
  readonly path: string;
  /** Methods in upper case. */
  readonly methods: readonly string[];
  /** Required query of `GET`; empty if there is none. */
  readonly query: string;
}

export async function describedPaths(client: Client): Promise<DescribedPath[]> {
  const { paths } = await readDescription(client);
  return Object.entries(paths).map(([path, operations]) => ({
    path,
    methods: Object.keys(operations).map((method) => method.toUpperCase()),
    query: requiredQuery(operations['get']?.parameters ?? []),
  }));
}

/** Required parameters of a query, each with its example, its first allowed value, or 1. */
function requiredQuery(parameters: readonly Parameter[]): string {
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const query = required.map(({ name, example, schema: { enum: allowed, examples } }) => {
    const [first] = [example, ...listOf(examples), ...listOf(allowed), 1].filter(
      (each) => each !== undefined,
    );
    return `${name}=${encodeURIComponent(typeof first === 'string' ? first : JSON.stringify(first))}`;
  });
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The path with an unknown id, or another one, an unknown code, and the tile of the whole world. */
export function filledIn(path: string, id: string = randomUUID()): string {
  return path
    .replace('{id}', id)
    .replace('{form}', randomUUID())
    .replace('{code}', `nothing-${randomUUID()}`)
    .replace('{z}/{x}/{y}', '0/0/0');
}
