/** The forms of a word after a number. Languages omit the forms that they lack. */
export interface Forms {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** Returns a function that chooses the form for a count, by the rules of a language. */
export function pluralsOf(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => {
    const rule = rules.select(count);
    const form = rule === 'one' || rule === 'few' || rule === 'many' ? forms[rule] : undefined;
    return form ?? forms.other;
  };
}
