const maxNamesListed = 5;

/** Forms of a word by the plural category of a number; each language has some of them. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Creates the common functions of a language: formatted numbers, and words in the form that a number requires. */
export function createWording(locale: string, andMore: (count: number) => string) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const measurements = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
  return {
    grouped: (count: number): string => numbers.format(count),
    /** Formats a value of a raster, with a true minus sign. */
    measured: (value: number): string => measurements.format(value).replace('-', '−'),
    /** Returns the form of a word for a number, without the number. */
    form: (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other,
    /** Returns the first few names and the number of the others. */
    listed(names: readonly string[]): string {
      const others = names.length - maxNamesListed;
      return names.slice(0, maxNamesListed).join(', ') + (others > 0 ? andMore(others) : '');
    },
  };
}
