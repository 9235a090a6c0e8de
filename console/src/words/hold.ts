/** A space between a number and its unit, where a line must not break. Longer words are not units. */
const beforeUnit =
  /(?<=\d) (?=(?:%|‰|°|px|m²|м²|ha|га|kB|MB|GB|кБ|МБ|ГБ|km|км|cm|см|mm|мм|m|м|s|с|min|мин|h|ч|сағ|EUR|KZT)(?![\p{L}\p{N}]))/gu;

/** Joins numbers and their units with no-break spaces in a sentence of the page. */
export function holdUnits(text: string): string {
  return text.replace(beforeUnit, '\u00a0');
}

const held = new WeakMap<object, object>();

/** Returns the words with numbers and units joined in their sentences; only here are no-break spaces inserted. */
export function heldWords<W extends object>(words: W): W {
  return new Proxy(words, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === 'string') return holdUnits(value);
      if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
      const known = held.get(value) ?? (typeof value === 'function' ? heldSentence(value) : heldWords(value));
      held.set(value, known);
      return known;
    },
  });
}

function heldSentence(sentence: Function): object {
  return function withHeldUnits(this: unknown, ...facts: readonly unknown[]): unknown {
    const text: unknown = Reflect.apply(sentence, this, facts);
    return typeof text === 'string' ? holdUnits(text) : text;
  };
}
