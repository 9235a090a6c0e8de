import { Problem, type ProblemCode } from '../lib/errors.ts';
import { factsOf, remember } from '../lib/said.ts';

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

type Maker = (...facts: never) => string | Problem;
type Sentences = Readonly<Record<string, string | Maker>>;

/** The sentences of an area in another language: the same names, and functions from the same facts to words. */
export type Translation<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (...facts: infer Facts) => unknown
    ? (...facts: Facts) => string
    : string;
};

/**
 * Gives each sentence of an area its stable code, `AREA.name`, under which other languages say it. What it makes is
 * known by that code and its facts from then on.
 */
export function sentences<const Area extends Sentences>(area: string, table: Area): Area {
  const entries = Object.entries(table).map(([name, sentence]) => [
    name,
    typeof sentence === 'string'
      ? remember(sentence, { code: `${area}.${name}`, facts: [] })
      : told(`${area}.${name}`, sentence),
  ]);
  return Object.fromEntries(entries);
}

function told(code: string, sentence: Maker): Maker {
  return (...facts: never) => {
    const made = sentence(...facts);
    const said = { code, facts: factsOf(facts) };
    return typeof made === 'string' ? remember(made, said) : made.says(said);
  };
}
