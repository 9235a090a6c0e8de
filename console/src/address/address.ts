import { signal } from '@preact/signals';

/** The part of the address after `#`: the whole state of a page, so that it can be shared. */
export interface Address {
  /** Such as `['datasets', id]`; none for the first page. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Reads an address. Parts that cannot be decoded stay as they are. */
export function parseAddress(hash: string): Address {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** Writes an address; members of the query without a value are left out. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const text = filled.length === 0 ? '' : `?${new URLSearchParams(filled).toString()}`;
  return `#/${path.map(encodeURIComponent).join('/')}${text}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The current address. */
export const address = signal<Address>({ path: [], query: new URLSearchParams() });

/** Updates `address` whenever the address bar changes. */
export function followAddress(): void {
  const read = (): void => {
    address.value = parseAddress(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

/** Replaces members of the query without a new history entry, so that typing into a search field does not fill the history. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = address.peek();
  const href = hrefOf(path, { ...Object.fromEntries(query), ...changes });
  history.replaceState(null, '', href);
  address.value = parseAddress(href);
}
