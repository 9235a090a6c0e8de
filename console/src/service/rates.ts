import { ask } from './ask.ts';
import type { Denominator } from './types.ts';

const pathOf = (id: string): string => `/datasets/${encodeURIComponent(id)}/denominator`;

/** What the values of a table are divided by; `none` without a choice. @throws {Refused} */
export async function getDenominator(id: string, signal?: AbortSignal): Promise<Denominator> {
  return await ask(pathOf(id), signal === undefined ? {} : { signal });
}

export type DenominatorChoice =
  | { readonly by: 'area'; readonly per: number }
  | { readonly by: 'dataset'; readonly dataset_id: string; readonly per: number };

/** @throws {Refused} */
export async function setDenominator(id: string, choice: DenominatorChoice): Promise<Denominator> {
  return await ask(pathOf(id), { method: 'PUT', body: choice });
}

/** @throws {Refused} */
export async function removeDenominator(id: string): Promise<void> {
  await ask(pathOf(id), { method: 'DELETE' });
}
