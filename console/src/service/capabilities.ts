import { signal } from '@preact/signals';
import { get } from './request.ts';
import type { Capabilities } from './types.ts';

export type Scope = Capabilities['scopes'][number];

/** The scopes of this tab; unknown until the service has answered. */
export const capabilities = signal<Capabilities | undefined>(undefined);

/** Interval of requests until the service has answered. */
const againAfterMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Requests the scopes at the start and after a change of token, until the service answers. The last answer stays meanwhile. */
export async function readCapabilities(): Promise<void> {
  clearTimeout(timer);
  try {
    capabilities.value = await get('/capabilities', {});
  } catch {
    timer = setTimeout(() => void readCapabilities(), againAfterMs);
  }
}

/** Returns true if actions with this scope are offered. While the scopes are unknown, all are offered, and the service decides. */
export function may(scope: Scope): boolean {
  const known = capabilities.value;
  return known === undefined || known.scopes.includes(scope);
}
