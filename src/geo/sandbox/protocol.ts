import { MiB } from '../../units.ts';

/** Where a child writes its answer; the parent hears it there. */
export const answerDescriptor = 3;

/** A table of thousands of columns answers with some hundred kilobytes. */
export const maxAnswerBytes = 32 * MiB;
