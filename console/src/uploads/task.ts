import { signal } from '@preact/signals';

/** Work of several steps that goes on in the list of uploads. */
interface Task {
  readonly title: string;
  /** The present step in words, or what has become of it all. */
  readonly step: string;
  /** From 0 to 1, where it is known. */
  readonly share?: number | undefined;
  /** Where its result is, once it is done. */
  readonly href?: string;
}

export const task = signal<Task | undefined>(undefined);
