import { Problem } from '../../src/lib/errors.ts';

const ellipsis = '…';

/** Writes a sentence with an ellipsis in the place of each fact. */
export function templateOf(sentence: unknown): string {
  if (typeof sentence !== 'function') return String(sentence);
  const made = Reflect.apply(sentence, undefined, unknownFacts);
  const text =
    made instanceof Problem ? String(Object.values(made.fields ?? {})[0] ?? made.message) : String(made);
  // A number that is computed of an unknown one, and a word that is looked up by an unknown name.
  return text.replaceAll(/NaN|undefined/g, ellipsis);
}

/** More than any sentence takes. */
const unknownFacts = Array.from({ length: 8 }, unknownFact);

/** A fact of any type: it reads as an ellipsis, whatever a sentence asks it for or does to it. */
function unknownFact(): unknown {
  return new Proxy(() => undefined, {
    apply: unknownFact,
    get(_, key) {
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? NaN : ellipsis);
      if (key === Symbol.iterator) return () => [ellipsis].values();
      return key === 'length' ? NaN : unknownFact();
    },
  });
}
