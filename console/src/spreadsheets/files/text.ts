import { charsetNamed } from '../../../../common/charset/charset.ts';
import { likeliestCyrillic } from '../../../../common/charset/cyrillic.ts';
import { maxCells } from './sheet-builder.ts';
import { joinCommas } from './unquoted-commas.ts';
import { type Cell, SpreadsheetFault, type TextNotes } from '../model/types.ts';

const bytesExamined = 4096;
/** Largest share of invalid bytes above ASCII in a UTF-8 text; a text with more is in another charset. */
const damagedShare = 0.05;

interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly notes: TextNotes;
}

/**
 * Decodes bytes as text: UTF-8 or UTF-16 by the byte order mark or by the bytes, or else the Cyrillic charset in which
 * its letters are likeliest, as for attributes of shapefiles.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes);
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding, notes: {} };
  } catch {
    return decodeDamaged(bytes, encoding);
  }
}

function decodeDamaged(bytes: Uint8Array, encoding: Unicode): DecodedText {
  const lenient = new TextDecoder(encoding).decode(bytes);
  const lostBytes = lenient.split('\ufffd').length - 1;
  const counts = highBytes(bytes);
  const high = counts.reduce((sum, count) => sum + count, 0);
  if (encoding !== 'utf-8' || lostBytes < high * damagedShare)
    return { text: lenient, encoding, notes: { lostBytes } };
  const { charset } = likeliestCyrillic({ counts });
  const single = charsetNamed(charset.name) ?? charset;
  return { text: single.decode(bytes), encoding: charset.name, notes: { charset: charset.name } };
}

/** Counts each byte from 0x80 on that is part of a word. */
function highBytes(bytes: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    // Letters are next to letters; a dash or a space between digits carries no information about the charset.
    const isInWord = (bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80;
    if (isInWord) counts[byte] = (counts[byte] ?? 0) + 1;
  }
  return counts;
}

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(bytes: Uint8Array): Unicode {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // In UTF-16, each ASCII character, such as digits and delimiters, has a zero byte.
  const zeros = [0, 0];
  const head = bytes.subarray(0, bytesExamined);
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 20 && even * 10 < odd) return 'utf-16le';
  if (even > head.length / 20 && odd * 10 < even) return 'utf-16be';
  return 'utf-8';
}

/** In the order of preference: commas and bars also occur in texts. */
const delimiters = ['\t', ';', '|', ','] as const;
const linesExamined = 200;
const charactersExamined = 256 * 1024;
/** A quote that is not closed within this length is an ordinary character. */
const maxQuotedCharacters = 64 * 1024;
const maxColumns = 16_384;

/** Reads delimited text as rows of cells. @throws {SpreadsheetFault} */
export function readDelimited(text: string) {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  const body = declared === null ? text : text.slice(declared[0].length);
  const delimiter = declared?.[1] ?? delimiterOf(body);
  const rows = [...rowsOf(body, delimiter)];
  return delimiter === ',' ? joinCommas(rows) : { rows, notes: {} };
}

/** Finds the delimiter that gives most lines the same number of cells. */
function delimiterOf(text: string): string {
  const head = text.slice(0, charactersExamined);
  let [best, bestLines]: [string, number] = [',', 0];
  for (const delimiter of delimiters) {
    const counts = new Map<number, number>();
    let lines = 0;
    for (const { length } of rowsOf(head, delimiter)) {
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
      lines += 1;
      if (lines >= linesExamined) break;
    }
    const alike = Math.max(0, ...counts.values());
    // A less preferred delimiter has to be clearly better.
    if (alike > bestLines * 1.2) [best, bestLines] = [delimiter, alike];
  }
  return best;
}

function* rowsOf(text: string, delimiter: string): Generator<readonly Cell[]> {
  let left = maxCells;
  for (let at = 0; at < text.length;) {
    const cells: Cell[] = [];
    let ended = false;
    while (!ended) {
      const { value, end } = cellAt(text, at, delimiter);
      cells.push(value);
      ended = text[end] !== delimiter;
      at = end + 1;
      // A delimiter at the end of the text is followed by an empty cell, which is left out like all empty cells at the ends of rows.
      if (at > text.length) break;
    }
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1;
    if (cells.length > maxColumns) throw new SpreadsheetFault('tooManyCells');
    while (cells.length > 0 && cells.at(-1) === null) cells.pop();
    left -= cells.length + 1;
    if (left < 0) throw new SpreadsheetFault('tooManyCells');
    yield cells;
  }
}

/** Reads the cell that begins at `start`; `end` is the position of the delimiter or line break after it. */
function cellAt(text: string, start: number, delimiter: string): { value: Cell; end: number } {
  if (text[start] === '"') {
    const close = closingQuote(text, start);
    const end = close === -1 ? -1 : close + 1;
    if (end !== -1 && (end === text.length || text[end] === delimiter || isBreak(text[end])))
      return { value: shown(text.slice(start + 1, close).replaceAll('""', '"')), end };
  }
  let end = start;
  while (end < text.length && text[end] !== delimiter && !isBreak(text[end])) end += 1;
  return { value: shown(text.slice(start, end)), end };
}

function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at - start < maxQuotedCharacters; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1 || text[at + 1] !== '"') return at;
  }
  return -1;
}

function isBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

/** Programs write `="0123"` to keep digits as text. */
function shown(text: string): Cell {
  const typed = text.startsWith('="') ? (/^="([^"]*)"$/.exec(text)?.[1] ?? text) : text;
  return typed.trim() === '' ? null : typed;
}
