/** Parts of a style that are kept in the file and not drawn, or not as the file has them; in the order of being told. */
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

/** Takes note of a part that is not drawn. */
export type Note = (part: Undrawn) => void;

/** Creates a list of what is not drawn, each part once. */
export function createNotes(): { readonly note: Note; readonly parts: () => readonly Undrawn[] } {
  const noted = new Set<Undrawn>();
  return {
    note: (part) => void noted.add(part),
    parts: () => undrawnParts.filter((part) => noted.has(part)),
  };
}
