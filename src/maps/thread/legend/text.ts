import { type Face, faceOf } from './font.ts';
import type { Scale } from '../../legend/picture.ts';
import type { Role } from './faces.ts';

const maxCharacters = 200;
const ellipsis = '…';

/** Signs that mean the same as one that the letters have. */
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
};
/** Spaces at which a line does not end; the narrow ones stand between thousands. */
const wideSpace = '\u00a0';
const narrowSpaces = /[\u2007-\u200a\u202f]/g;
const narrowSpace = '\u202f';
const narrowShare = 0.6;

/** Makes text fit for one line: composed letters, single spaces, no controls, 200 characters at most. */
export function cleanText(text: string): string {
  const composed = text
    .slice(0, 20 * maxCharacters)
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(narrowSpaces, narrowSpace)
    .replaceAll(/[^\S\u00a0\u202f]+|\p{Cc}+/gu, ' ')
    .trim();
  const characters = Array.from(composed, (character) => substitutes[character] ?? character);
  if (characters.length <= maxCharacters) return characters.join('');
  return (
    characters
      .slice(0, maxCharacters - 1)
      .join('')
      .trimEnd() + ellipsis
  );
}

/** Letters of a role at a scale, measured in pixels of a plain screen. */
export interface Letters {
  readonly face: Face;
  readonly scale: Scale;
}

export function lettersOf(role: Role, scale: Scale): Letters {
  return { face: faceOf(role, scale), scale };
}

/** The width of a character in pixels of the picture. */
export function advanceOf(character: string, face: Face): number {
  if (character === wideSpace) return face.glyphOf(' ')?.advance ?? 0;
  if (character === narrowSpace) return (face.glyphOf(' ')?.advance ?? 0) * narrowShare;
  return face.glyphOf(character)?.advance ?? 0;
}

/** Tells whether a character is nothing but room. */
export const isSpace = (character: string): boolean =>
  character === ' ' || character === wideSpace || character === narrowSpace;

/** The width of a line in pixels of a plain screen. */
export function widthOf(text: string, { face, scale }: Letters): number {
  let width = 0;
  for (const character of text) width += advanceOf(character, face);
  return width / scale;
}

export interface Room {
  /** Pixels of a plain screen. */
  readonly width: number;
  readonly maxLines: number;
}

/** Breaks text into lines at spaces, and within words that are longer than a line; what is left over is cut with `…`. */
export function wrapText(text: string, letters: Letters, { width, maxLines }: Room): readonly string[] {
  const fits = (line: string) => widthOf(line, letters) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of cleanText(text).split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shortened(lines[maxLines - 1] ?? '', fits)];
}

function shortened(line: string, fits: (line: string) => boolean): string {
  const characters = Array.from(line);
  while (characters.length > 0 && !fits(characters.join('') + ellipsis)) characters.pop();
  return characters.join('').trimEnd() + ellipsis;
}
