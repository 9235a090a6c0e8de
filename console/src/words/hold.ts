/** A space between a number and its unit, at which no line may break. Words with more letters than these are none of the units. */
const beforeUnit =
  /(?<=\d) (?=(?:%|‰|°|px|m²|м²|ha|га|kB|MB|GB|кБ|МБ|ГБ|km|км|cm|см|mm|мм|m|м|s|с|min|мин|h|ч|сағ|EUR|KZT)(?![\p{L}\p{N}]))/gu;

/** Holds numbers and their units together in a sentence of the page. */
export function holdUnits(text: string): string {
  return text.replace(beforeUnit, '\u00a0');
}

const held = new WeakMap<object, object>();

/** The same words, whose sentences hold numbers and units together: the one place in which they are written so. */
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
  return function speak(this: unknown, ...facts: readonly unknown[]): unknown {
    const said: unknown = Reflect.apply(sentence, this, facts);
    return typeof said === 'string' ? holdUnits(said) : said;
  };
}
