import type { CompiledRaster, CompiledRule, CompiledStop, CompiledStyle } from './compiled-style.ts';
import { shortText } from './sld-literal.ts';
import { withoutHalves } from './sld-rule.ts';
import { thinOut } from './colour-map.ts';
import { createNotes, type Note } from './undrawn.ts';

/** Maximum size of a compiled style as JSON in UTF-8. */
export const maxCompiledBytes = 64 * 1024;
/** For the title, the omitted parts, and member names. */
const reservedBytes = 4 * 1024;
/** Lengths to which labels are shortened in turn, until the stops fit. */
const labelCharacters = [64, 16, 0];

/**
 * Shortens a style to `maxCompiledBytes`: first labels, then stops (a ramp keeps an even selection), then rules from
 * the end. What is cut is listed with the undrawn parts.
 */
export function fitStyle(style: CompiledStyle): CompiledStyle {
  const { note, parts } = createNotes();
  for (const part of style.leftOut) note(part);
  let room = maxCompiledBytes - reservedBytes - bytesOf(style.leftOutRules);
  const fit = (raster: CompiledRaster) => {
    const fitted = fitRaster(raster, room, note);
    room -= bytesOf(fitted);
    return fitted;
  };
  const { raster, rastersAtScales, rules } = style;
  const fitted = {
    ...style,
    ...(raster === undefined ? {} : { raster: fit(raster) }),
    ...(rastersAtScales === undefined ? {} : { rastersAtScales: rastersAtScales.map(fit) }),
  };
  return { ...fitted, rules: fitRules(rules, room, note), leftOut: parts() };
}

function fitRaster(raster: CompiledRaster, room: number, note: Note): CompiledRaster {
  const { colours } = raster;
  if (colours === undefined) return raster;
  // The other members are short: those of eight rasters fit into the reserve.
  let { stops } = colours;
  for (const characters of labelCharacters) {
    if (sumOf(stops.map(bytesOf)) <= room) break;
    stops = stops.map((stop) => shortLabel(stop, characters, note));
  }
  return { ...raster, colours: { ...colours, stops: fitStops(colours.kind, stops, { room, note }) } };
}

function shortLabel([value, colour, label = '']: CompiledStop, characters: number, note: Note): CompiledStop {
  const short = shortText(label, note, characters);
  return short === '' ? [value, colour] : [value, colour, short];
}

function fitStops(
  kind: 'ramp' | 'intervals' | 'values',
  stops: readonly CompiledStop[],
  { room, note }: { readonly room: number; readonly note: Note },
): readonly CompiledStop[] {
  if (kind !== 'ramp') return fitList(stops, room, () => note('stops_beyond_limit'));
  const sizes = stops.map(bytesOf);
  if (sumOf(sizes) <= room) return stops;
  note('stops_beyond_limit');
  return thinOut(stops, Math.floor(room / Math.max(...sizes)));
}

function fitRules(rules: readonly CompiledRule[], room: number, note: Note): readonly CompiledRule[] {
  let isCut = false;
  const fitted = fitList(rules, room, () => {
    note('rules_beyond_limit');
    isCut = true;
  });
  return withoutHalves(fitted, isCut);
}

/** Returns the first items that fit. */
function fitList<T>(items: readonly T[], room: number, onCut: () => void): readonly T[] {
  let left = room;
  const cut = items.findIndex((item) => {
    left -= bytesOf(item);
    return left < 0;
  });
  if (cut < 0) return items;
  onCut();
  return items.slice(0, cut);
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Returns the size of a value as JSON, including a comma. */
function bytesOf(value: unknown): number {
  return byteLength(JSON.stringify(value)) + 1;
}

/** Returns the size of a text in UTF-8. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each surrogate counts for two of the four bytes of its pair.
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
