import { numberOfGdal } from './no-data.ts';

/** What GDAL has written of a band into a TIFF. */
export interface BandNotes {
  /** A value is its sample times this, plus `offset`. */
  readonly scale: number;
  readonly offset: number;
  /** GDAL's name of the colour that it is, such as `Red`. */
  readonly colour: string | undefined;
  readonly description: string | undefined;
}

export const plainBand: BandNotes = { scale: 1, offset: 0, colour: undefined, description: undefined };

const item = /<Item\b([^<>]*)>([^<]*)<\/Item>/g;
const maxItems = 100_000;

/** Reads GDAL's metadata of a TIFF: the notes of each band, from the first; a band without any is plain. */
export function bandNotesOf(xml: string, bands: number): readonly BandNotes[] {
  const notes = new Map<number, BandNotes>();
  for (const [, attributes = '', text = ''] of xml.matchAll(item).take(maxItems)) {
    const [sample, role] = [attributeOf(attributes, 'sample'), attributeOf(attributes, 'role')];
    const band = sample === undefined ? Number.NaN : Math.trunc(numberOfGdal(sample));
    if (!(band >= 0 && band < bands)) continue;
    notes.set(band, { ...(notes.get(band) ?? plainBand), ...noteOf(role, text) });
  }
  return Array.from({ length: bands }, (_, band) => notes.get(band) ?? plainBand);
}

function noteOf(role: string | undefined, text: string): Partial<BandNotes> {
  switch (role?.toLowerCase()) {
    case 'scale':
      return { scale: numberOfGdal(text) };
    case 'offset':
      return { offset: numberOfGdal(text) };
    case 'colorinterp':
      return { colour: text.trim() };
    case 'description':
      return { description: text.trim() };
    default:
      return {};
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
}

const primaries = ['red', 'green', 'blue'] as const;

/**
 * The bands that are red, green and blue, counted from one: by what GDAL has noted, else by their descriptions, else the first three of a
 * picture. Undefined where they are no colours.
 */
export function colourBandsOf(
  notes: readonly BandNotes[],
  isPicture: boolean,
): readonly [number, number, number] | undefined {
  const named = (nameOf: (note: BandNotes) => string | undefined) => {
    const [red, green, blue] = primaries.map(
      (colour) => notes.findIndex((note) => nameOf(note)?.toLowerCase() === colour) + 1,
    );
    return red && green && blue ? ([red, green, blue] as const) : undefined;
  };
  const own = named(({ colour }) => colour);
  if (own !== undefined) return own;
  if (isPicture) return notes.length >= 3 ? [1, 2, 3] : undefined;
  return named(({ description }) => description);
}
