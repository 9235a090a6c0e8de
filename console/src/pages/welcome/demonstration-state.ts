import { signal } from '@preact/signals';
import type { Refused } from '../../service/ask.ts';

/** The reason why the demonstration stands still, and the way on; it is told on whatever page is open. */
export const halted = signal<
  { readonly failure: Refused; readonly again: () => void; readonly giveUp: () => void } | undefined
>(undefined);
/** True while the demonstration is on its way. */
export const isLoading = signal(false);

/** The code of the category of its three files. */
export const demonstrationCode = 'demonstration';
