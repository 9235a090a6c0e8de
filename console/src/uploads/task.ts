import { signal } from '@preact/signals';

/** Work of several steps that goes on in the list of uploads: the present step in words, and its share from 0 to 1 where it is known. */
export const task = signal<
  { readonly title: string; readonly step: string; readonly share?: number | undefined } | undefined
>(undefined);
