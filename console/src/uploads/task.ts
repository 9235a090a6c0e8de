import { signal } from '@preact/signals';

/** A task of several steps, shown in the list of uploads. */
interface Task {
  readonly title: string;
  /** The current step in words, or the result of the task. */
  readonly step: string;
  /** From 0 to 1, if it is known. */
  readonly share?: number | undefined;
  /** Address of the result when the task is done. */
  readonly href?: string;
}

export const task = signal<Task | undefined>(undefined);
