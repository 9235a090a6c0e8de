import { readFileSync } from 'node:fs';
import { type Role, widthOf } from './canvas.ts';

const maxCharacters = 200;
const ellipsis = '…';

/** Characters with an equivalent in the font. */
const substitutes: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u2032': '’',
  '\u2033': '”',
  '\u03bc': 'µ',
  '\u2219': '·',
  '\u22c5': '·',
  '\ufffd': '?',
};
/** Non-breaking spaces; the narrow ones separate thousands. */
const narrowSpaces = /[\u2007-\u200a\u202f]/g;
const narrowSpace = '\u202f';

/** Characters of the font, as a class of a regular expression. For any other one, Skia would search the fonts of the system. */
const drawn = readFileSync(new URL('golos-text.characters', import.meta.url), 'utf8').trim();
const undrawn = new RegExp(`[^${drawn}]`, 'gu');
/** Some PDF readers take U+FFFD for a glyph number in the font, and show a wrong letter. */
const replacement = '?';
/** Emoji and their modifiers, which are omitted unless the text has nothing else. */
const pictograph = /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\ufe0e\ufe0f\u20e3]$/u;

/** Normalises text for one line: composed letters of the font, single spaces, no control characters, at most 200 characters. */
export function cleanText(text: string): string {
  const composed = text
    .slice(0, 20 * maxCharacters)
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '');
  const known = Array.from(composed, (character) => substitutes[character] ?? character)
    .join('')
    .replaceAll(narrowSpaces, narrowSpace)
    .replaceAll(/[^\S\u00a0\u202f]+|\p{Cc}+/gu, ' ');
  const letters = known.replaceAll(undrawn, (character) => (pictograph.test(character) ? '' : replacement));
  const shown = /[\p{L}\p{N}]/u.test(letters) ? letters : known.replaceAll(undrawn, replacement);
  const characters = Array.from(shown.replaceAll(/ {2,}/g, ' ').trim());
  if (characters.length <= maxCharacters) return characters.join('');
  return (
    characters
      .slice(0, maxCharacters - 1)
      .join('')
      .trimEnd() + ellipsis
  );
}

export interface Room {
  /** In pixels at scale 1. */
  readonly width: number;
  readonly maxLines: number;
}

/** Breaks text into lines at spaces, and inside words longer than a line; the rest is cut with `…`. */
export function wrapText(text: string, role: Role, { width, maxLines }: Room): readonly string[] {
  const fits = (line: string) => widthOf(line, role) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of cleanText(text).split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line)) {
      const start = longestStart(line, fits);
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1] ?? '';
  const shortened = fits(last + ellipsis) ? last : longestStart(last, (start) => fits(start + ellipsis));
  return [...lines.slice(0, maxLines - 1), shortened.trimEnd() + ellipsis];
}

/** Returns the longest beginning of a line that fits, at least one character. */
function longestStart(line: string, fits: (start: string) => boolean): string {
  const characters = Array.from(line);
  const startOf = (length: number) => characters.slice(0, length).join('');
  let [fitting, tooLong] = [1, characters.length];
  while (fitting < tooLong - 1) {
    const middle = (fitting + tooLong) >> 1;
    if (fits(startOf(middle))) fitting = middle;
    else tooLong = middle;
  }
  return startOf(fitting);
}
