import { Problem, type ProblemCode } from '../common/errors.ts';

/** Defines a sentence for the user and its code. The result makes the problem from the sentence's facts. */
export function problem<Facts extends readonly unknown[]>(
  code: ProblemCode,
  sentence: (...facts: Facts) => string,
): (...facts: Facts) => Problem {
  return (...facts) => new Problem(code, sentence(...facts));
}

/** Defines a sentence about a file or field that cannot be processed as it is. */
export const invalid = <Facts extends readonly unknown[]>(sentence: (...facts: Facts) => string) =>
  problem('invalid', sentence);

/** Defines a sentence about a state that does not allow what was asked for. */
export const conflict = <Facts extends readonly unknown[]>(sentence: (...facts: Facts) => string) =>
  problem('conflict', sentence);
