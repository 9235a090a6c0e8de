import type { CompiledRaster, CompiledRule, CompiledStop, CompiledStyle } from './compiled-style.ts';
import { shortText } from './sld-literal.ts';
import { withoutHalves } from './sld-rule.ts';
import { thinOut } from './colour-map.ts';
import { createNotes, type Note } from './undrawn.ts';

/** Bytes of a compiled style as JSON in UTF-8. */
export const maxCompiledBytes = 64 * 1024;
/** For the title, what is left out, and the names of members. */
const reservedBytes = 4 * 1024;
/** Lengths that labels are cut to, until the stops find room. */
const labelCharacters = [64, 16, 0];

/**
 * Cuts a style to `maxCompiledBytes`: first labels, then stops (those of a ramp are thinned out), then rules from the last.
 * What is cut is named with the parts that are left out.
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
  // The members beside the stops are short; eight rasters have them within what is reserved.
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

/** The first items that find room. */
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

/** Bytes of a value as JSON, with the comma behind it. */
function bytesOf(value: unknown): number {
  return byteLength(JSON.stringify(value)) + 1;
}

/** Bytes of a text in UTF-8. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a pair stands for two of its four bytes.
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
