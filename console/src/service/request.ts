import type { Api } from '../../generated/api.ts';
import { fetchJson, type RequestOptions } from './fetch.ts';

/** Operations by path; each has the types of its parameters and its answer. */
export type Gets = Api['GET'];
export type Posts = Api['POST'];
type Puts = Api['PUT'];
type Patches = Api['PATCH'];
type Deletes = Api['DELETE'];

/** @throws {Refused} */
export async function get<P extends keyof Gets>(
  path: P,
  options: Gets[P]['asked'] & RequestOptions,
): Promise<Gets[P]['answer']> {
  return await fetchJson(filled(path, options), options);
}

/** @throws {Refused} */
export async function post<P extends keyof Posts>(
  path: P,
  options: Posts[P]['asked'] & RequestOptions,
): Promise<Posts[P]['answer']> {
  return await fetchJson(filled(path, options), { ...options, method: 'POST' });
}

/** @throws {Refused} */
export async function put<P extends keyof Puts>(
  path: P,
  options: Puts[P]['asked'] & RequestOptions,
): Promise<Puts[P]['answer']> {
  return await fetchJson(filled(path, options), { ...options, method: 'PUT' });
}

/** @throws {Refused} */
export async function patch<P extends keyof Patches>(
  path: P,
  options: Patches[P]['asked'] & RequestOptions,
): Promise<Patches[P]['answer']> {
  return await fetchJson(filled(path, options), { ...options, method: 'PATCH' });
}

/** @throws {Refused} */
export async function remove<P extends keyof Deletes>(
  path: P,
  options: Deletes[P]['asked'] & RequestOptions,
): Promise<void> {
  await fetchJson(filled(path, options), { ...options, method: 'DELETE' });
}

/** Returns the path of a resource that is read as a file or by a map. */
export function pathTo<P extends keyof Gets>(path: P, asked: Gets[P]['asked']): string {
  return filled(path, asked);
}

interface Places extends RequestOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: object | URLSearchParams;
}

/**
 * Inserts parameters into a path. An id may come from an address typed by hand, so it is encoded and cannot leave its
 * segment. Undefined and empty query parameters are left out.
 */
export function filled(path: string, { path: places = {}, query = {} }: Places): string {
  const whole = path.replace(/\{(\w+)\}/g, (_place, name: string) =>
    encodeURIComponent(String(places[name])),
  );
  const given = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const asked = given.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return asked.length === 0 ? whole : `${whole}?${new URLSearchParams(asked).toString()}`;
}
