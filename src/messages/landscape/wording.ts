const maxNamesListed = 5;

/** Forms of a word by the plural category of a number; a language fills those that it has. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Creates what the sentences of a language share: numbers as it writes them, and words in the form that a number asks for. */
export function createWording(locale: string, andMore: (count: number) => string) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const measurements = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
  return {
    grouped: (count: number): string => numbers.format(count),
    /** Writes a value of a raster, with a minus that does not look like a hyphen. */
    measured: (value: number): string => measurements.format(value).replace('-', '−'),
    /** Returns the form of a word for a number, without the number. */
    form: (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other,
    /** Returns the first of some names, and how many others there are. */
    listed(names: readonly string[]): string {
      const others = names.length - maxNamesListed;
      return names.slice(0, maxNamesListed).join(', ') + (others > 0 ? andMore(others) : '');
    },
  };
}
