import { Problem, type ProblemCode } from '../../lib/errors.ts';
import { factsOf, Message } from '../../lib/message.ts';

/** Defines a sentence with a code. The result creates the problem from the sentence's facts. */
export function problem<Facts extends readonly unknown[]>(
  code: ProblemCode,
  sentence: (...facts: Facts) => string,
): (...facts: Facts) => Problem {
  return (...facts) => new Problem(code, sentence(...facts));
}

/** Defines a sentence about a file or field that cannot be processed. */
export const invalid = <Facts extends readonly unknown[]>(sentence: (...facts: Facts) => string) =>
  problem('invalid', sentence);

/** Defines a sentence about a state that does not permit the request. */
export const conflict = <Facts extends readonly unknown[]>(sentence: (...facts: Facts) => string) =>
  problem('conflict', sentence);

type Maker = (...facts: never) => string | Problem;
type Words = Readonly<Record<string, string | Maker>>;

/** Sentences of an area by name: a message, or a function from facts to a message or a problem. */
export type Messages<Area extends Words> = {
  readonly [Name in keyof Area]: Area[Name] extends (...facts: infer Facts) => infer Made
    ? (...facts: Facts) => Made extends Problem ? Made : Message
    : Message;
};

/** Facts for a sentence in another language: nested messages are words already. */
type Worded<Fact> = Fact extends Message
  ? string
  : Fact extends string | number | bigint | boolean | undefined | null
    ? Fact
    : { readonly [Key in keyof Fact]: Worded<Fact[Key]> };

/** Sentences of an area in another language: the same names, and functions from the same facts to words. */
type Translation<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (...facts: infer Facts) => unknown
    ? (...facts: Extract<Worded<Facts>, readonly unknown[]>) => string
    : string;
};

/** Sentences of several areas in another language; a missing sentence, or one with other facts, is a type error. */
export type Translations<English> = { readonly [Area in keyof English]: Translation<English[Area]> };

/** Assigns each sentence of an area its stable code, `AREA.name`, which identifies its translations. */
export function sentences<const Area extends Words>(area: string, table: Area): Messages<Area> {
  const entries = Object.entries(table).map(([name, sentence]) => [
    name,
    typeof sentence === 'string'
      ? new Message(sentence, { code: `${area}.${name}`, facts: [] })
      : coded(`${area}.${name}`, sentence),
  ]);
  return Object.fromEntries(entries);
}

function coded(code: string, sentence: Maker) {
  return (...facts: never): Message | Problem => {
    const made = sentence(...facts);
    const own = { code, facts: factsOf(facts) };
    return typeof made === 'string' ? new Message(made, own) : made.says(own);
  };
}
