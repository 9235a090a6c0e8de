/** Parts of a style that are not drawn as in the file, in the order in which they are reported. */
export const undrawnParts = [
  'labels',
  'hillshade',
  'contrast',
  'pictures',
  'strokes_of_signs',
  'fills_of_signs',
  'shapes',
  'offsets',
  'sizes',
  'units_of_measure',
  'vendor_options',
  'filters',
  'expressions',
  'missing_properties',
  'interpolation',
  'colours',
  'quantities',
  'decimal_commas',
  'channels',
  'other_rasters',
  'other_styles',
  'long_texts',
  'stops_beyond_limit',
  'rules_beyond_limit',
  'elements_beyond_limit',
] as const;

export type Undrawn = (typeof undrawnParts)[number];

/** Records an undrawn part. @param entry label or number of the colour-map entry that contains it. */
export type Note = (part: Undrawn, entry?: string) => void;

/** A rule of a style: its one-based position, and its title, which may be empty. */
export interface RuleName {
  readonly number: number;
  readonly name: string;
  /** The affected entries of its colour map, if the part is in single ones. */
  readonly entries?: readonly string[];
}

export type UndrawnRules = Readonly<Partial<Record<Undrawn, readonly RuleName[]>>>;

interface Notes {
  readonly note: Note;
  /** Returns a recorder that attributes notes to a rule. */
  readonly noteFor: (rule: RuleName) => Note;
  readonly parts: () => readonly Undrawn[];
  readonly rules: () => UndrawnRules;
}

/** Maximum number of rules per part, and of entries per rule. */
export const maxRules = 20;
/** Maximum total length of rule titles and entries, in UTF-16 units. */
const maxNameCharacters = 2_000;
const maxNameLength = 60;

/** Creates a list of undrawn parts, each listed once. */
export function createNotes(): Notes {
  const noted = new Map<Undrawn, Map<number, RuleName>>();
  let room = maxNameCharacters;
  const take = (part: Undrawn) => {
    const rules = noted.get(part) ?? new Map<number, RuleName>();
    noted.set(part, rules);
    return rules;
  };
  const shorten = (text: string): string => {
    const short = text.slice(0, Math.min(room, maxNameLength)).toWellFormed();
    room -= short.length;
    return short;
  };
  return {
    note: (part) => void take(part),
    noteFor:
      ({ number, name }) =>
      (part, entry = '') => {
        const rules = take(part);
        if (!rules.has(number)) {
          if (rules.size === maxRules) return;
          rules.set(number, { number, name: shorten(name) });
        }
        const { entries = [], ...rule } = rules.get(number) ?? { number, name: '' };
        if (entry === '' || entries.length === maxRules) return;
        const short = shorten(entry);
        if (short !== '' && !entries.includes(short))
          rules.set(number, { ...rule, entries: [...entries, short] });
      },
    parts: () => undrawnParts.filter((part) => noted.has(part)),
    rules: () =>
      Object.fromEntries(
        undrawnParts.flatMap((part) => {
          const rules = [...(noted.get(part)?.values() ?? [])];
          return rules.length === 0 ? [] : [[part, rules.toSorted((a, b) => a.number - b.number)]];
        }),
      ),
  };
}
