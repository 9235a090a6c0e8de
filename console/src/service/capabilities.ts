import { signal } from '@preact/signals';
import { ask } from './ask.ts';
import type { Capabilities } from './types.ts';

export type Scope = Capabilities['scopes'][number];

/** The rights of this tab; unknown until it has answered. */
export const capabilities = signal<Capabilities | undefined>(undefined);

/** Asks anew: at the start, and when there is another token. What is known stays while nobody answers. */
export async function readCapabilities(): Promise<void> {
  capabilities.value = await ask<Capabilities>('/capabilities').catch(() => capabilities.peek());
}

/** Tells whether a button for what needs this scope makes sense: also while it is not known, and the service will say. */
export function may(scope: Scope): boolean {
  const known = capabilities.value;
  return known === undefined || known.scopes.includes(scope);
}
