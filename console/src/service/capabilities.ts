import { signal } from '@preact/signals';
import { get } from './request.ts';
import type { Capabilities } from './types.ts';

export type Scope = Capabilities['scopes'][number];

/** The rights of this tab; unknown until it has answered. */
export const capabilities = signal<Capabilities | undefined>(undefined);

/** Until the service has answered. */
const againAfterMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks at the start and after a change of token, until the service answers. The last answer stays meanwhile. */
export async function readCapabilities(): Promise<void> {
  clearTimeout(timer);
  try {
    capabilities.value = await get('/capabilities', {});
  } catch {
    timer = setTimeout(() => void readCapabilities(), againAfterMs);
  }
}

/** Returns whether to offer what needs this scope. True also while the scopes are unknown: the service then decides. */
export function may(scope: Scope): boolean {
  const known = capabilities.value;
  return known === undefined || known.scopes.includes(scope);
}
