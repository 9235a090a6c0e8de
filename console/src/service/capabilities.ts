import { signal } from '@preact/signals';
import { ask } from './ask.ts';
import type { Capabilities } from './types.ts';

export type Scope = Capabilities['scopes'][number];

/** The rights of this tab; unknown until it has answered. */
export const capabilities = signal<Capabilities | undefined>(undefined);

/** While nobody answers. */
const againAfterMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks at the start, when there is another token, and until somebody answers; what is known stays meanwhile. */
export async function readCapabilities(): Promise<void> {
  clearTimeout(timer);
  try {
    capabilities.value = await ask<Capabilities>('/capabilities');
  } catch {
    timer = setTimeout(() => void readCapabilities(), againAfterMs);
  }
}

/** Tells whether a button for what needs this scope makes sense: also while it is not known, and the service will say. */
export function may(scope: Scope): boolean {
  const known = capabilities.value;
  return known === undefined || known.scopes.includes(scope);
}
