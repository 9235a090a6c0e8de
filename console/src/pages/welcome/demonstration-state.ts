import { signal } from '@preact/signals';
import type { Refused } from '../../service/fetch.ts';

/** The reason why the demonstration has stopped, and the actions to continue; every page shows it. */
export const halted = signal<
  { readonly failure: Refused; readonly again: () => void; readonly giveUp: () => void } | undefined
>(undefined);
/** True while the demonstration loads. */
export const isLoading = signal(false);

/** The code of the category of its three files. */
export const demonstrationCode = 'demonstration';
