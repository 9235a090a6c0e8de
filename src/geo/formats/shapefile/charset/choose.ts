import {
  charsetNamed,
  utf8,
  type Charset,
  charsetNameOf,
  charsetNameOfLanguage,
} from '../../../../../common/charset/charset.ts';
import { createLikelihood, lettersOf, likeliestCyrillic } from '../../../../../common/charset/cyrillic.ts';
import { withoutCutCharacter } from './cut-character.ts';
import { isUtf8 } from 'node:buffer';

/**
 * Thresholds for overruling a declared charset in favour of Cyrillic, measured with names of countries in forty
 * languages and their charsets, so that no correct declaration is overruled.
 */
const signs = {
  /** Minimum gain in likelihood for another Cyrillic charset, per letter and in total. */
  Cyrillic: { gain: 0.05, gainInAll: 15 },
  /** In Latin texts, such bytes are beside ASCII letters, not in rows. */
  Latin: { high: 6, likelihood: -4.2, inRows: 0.6, besideLatin: 0.15 },
  /** Other scripts also have rows of letters; Hebrew looks most like Cyrillic. */
  other: { high: 200, likelihood: -3.5 },
  /** For charsets with two bytes per letter. */
  wide: { high: 24, likelihood: -3.7 },
} as const;
/** Fewer bytes may be valid UTF-8 by chance, in charsets whose letters form rows. */
const minUtf8Bytes = { Cyrillic: 6, Latin: 6, other: 12, wide: 12 } as const;
/** First bytes of UTF-8 for symbols and for Latin and Cyrillic letters; a single character may be enough. */
const usualLeads: readonly number[] = [0xc2, 0xc3, 0xc4, 0xc5, 0xd0, 0xd1, 0xd2, 0xe2];
/** A further first byte with its continuations in ә and ө; other continuations are letters of no language in use here. */
const [kazakhLead, kazakhTails]: readonly [number, readonly number[]] = [0xd3, [0x98, 0x99, 0xa8, 0xa9]];
/** Charsets with two bytes per letter. */
const wideNames: readonly string[] = ['GBK', 'GB2312', 'GB18030', 'BIG5', 'CP932', 'CP949'];

/** Returns whether the texts can be in the charset; false if UTF-8 or a Cyrillic charset is far more likely. */
export function fits(charset: Charset, evidence: TextEvidence): boolean {
  const { counts, high, inRows, besideLatin, isUtf8 } = evidence;
  if (high === 0 || charset.name === utf8.name) return isUtf8;
  const letters = lettersOf(charset);
  const script = wideNames.includes(charset.name) ? 'wide' : scriptOf(letters);
  if (isUtf8)
    return high < minUtf8Bytes[script] && (script === 'wide' || script === 'other' || hasUnusualLead(counts));
  const { likelihood } = likeliestCyrillic(evidence);
  if (script === 'Cyrillic') {
    const gain = likelihood - createLikelihood(letters)(counts);
    return gain < signs.Cyrillic.gain || gain * high < signs.Cyrillic.gainInAll;
  }
  if (high < signs[script].high || likelihood < signs[script].likelihood) return true;
  return (
    script === 'Latin' && (inRows < signs.Latin.inRows * high || besideLatin > signs.Latin.besideLatin * high)
  );
}

function hasUnusualLead(counts: Uint32Array): boolean {
  const isKazakh = kazakhTails.some((byte) => (counts[byte] ?? 0) > 0);
  const isUsual = (byte: number) => usualLeads.includes(byte) || (byte === kazakhLead && isKazakh);
  return counts.some((count, byte) => count > 0 && byte >= 0xc0 && !isUsual(byte));
}

/** Returns the prevalent script of a charset's letters beyond ASCII. */
function scriptOf(letters: readonly string[]): 'Cyrillic' | 'Latin' | 'other' {
  const high = letters.slice(0x80).filter((letter) => /\p{L}/u.test(letter));
  const isMost = (script: RegExp) => high.filter((letter) => script.test(letter)).length > high.length / 2;
  if (isMost(/\p{Script=Cyrillic}/u)) return 'Cyrillic';
  return isMost(/\p{Script=Latin}/u) ? 'Latin' : 'other';
}

/** Statistics of the bytes of all texts in a file. */
export interface TextEvidence {
  /** Counts of each byte from 0x80 on; zeros before. */
  readonly counts: Uint32Array;
  /** Number of bytes from 0x80 on. */
  readonly high: number;
  /** Number of those beside a Latin letter: many in French, none in Russian. */
  readonly besideLatin: number;
  /** Number of those in rows of three or more: most in Russian, hardly any in French. */
  readonly inRows: number;
  readonly isUtf8: boolean;
}

/** Place of a text in its bytes; a text that ends at `room` fills its place, and may be truncated. */
interface TextPlace {
  readonly begin: number;
  readonly end: number;
  readonly room: number;
}

const minRow = 3;

/** Collects statistics of texts. */
export function createEvidence() {
  const counts = new Uint32Array(256);
  let [high, besideLatin, inRows, isAllUtf8] = [0, 0, 0, true];
  return {
    /** Adds a text up to its first zero byte. */
    add(bytes: Uint8Array, { begin, end, room }: TextPlace): void {
      const before = high;
      let [at, row] = [begin, 0];
      for (; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte < 0x80) {
          if (row >= minRow) inRows += row;
          row = 0;
          if (byte === 0) break;
          continue;
        }
        high += 1;
        row += 1;
        counts[byte] = (counts[byte] ?? 0) + 1;
        if ((at > begin && isLatin(bytes[at - 1])) || (at + 1 < end && isLatin(bytes[at + 1])))
          besideLatin += 1;
      }
      if (row >= minRow) inRows += row;
      if (high === before || !isAllUtf8) return;
      const text = bytes.subarray(begin, at);
      isAllUtf8 = isUtf8(text) || (at === room && isUtf8(withoutCutCharacter(text)));
    },
    finish: (): TextEvidence => ({ counts, high, besideLatin, inRows, isUtf8: isAllUtf8 }),
  };
}

function isLatin(byte: number | undefined): boolean {
  const lower = (byte ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Language byte of a dbf that only means "the code page of Windows here". */
const ansiLanguage = 0x57;

/** Sources of a declared encoding. */
const sources = ['cpg', 'cst', 'dbf'] as const;
type CharsetSource = (typeof sources)[number];

/**
 * Chooses the charset of a shapefile's texts: declared by its `.cpg`, or its `.cst`, or the language byte of its
 * `.dbf`; otherwise UTF-8 if all texts are valid, windows-1252 if letters have Latin neighbours, or the most likely
 * Cyrillic charset. An unknown name counts as no declaration, and one that does not fit the texts is overruled.
 */
export function chooseCharset(
  cpg: string | undefined,
  cst: string | undefined,
  languageByte: number,
  evidence: TextEvidence,
) {
  const names = {
    cpg: cpg === undefined ? undefined : charsetNameOf(cpg),
    cst: cst === undefined ? undefined : charsetNameOf(cst),
    dbf: charsetNameOfLanguage(languageByte),
  };
  const unknown = (['cpg', 'cst'] as const).find(
    (from) => ({ cpg, cst })[from] !== undefined && names[from] === undefined,
  );
  const overruled: { readonly from: CharsetSource; readonly name: string }[] = [];
  for (const from of sources) {
    const name = names[from];
    const charset = name === undefined ? undefined : charsetNamed(name);
    if (charset === undefined) continue;
    if (fits(charset, evidence)) return { charset, from, overruled, unknown };
    overruled.push({ from, name: charset.name });
  }
  if (evidence.isUtf8) return { charset: utf8, from: 'strict UTF-8', overruled, unknown } as const;
  const western = isWestern(evidence) && (languageByte === ansiLanguage || areLetters(evidence));
  const charset = western ? charsetNamed('windows-1252') : undefined;
  return {
    charset: charset ?? likeliestCyrillic(evidence).charset,
    from: 'guess',
    overruled,
    unknown,
  } as const;
}

/** From here on, windows-1252 and ISO 8859-1 have letters; lower bytes are letters in DOS, and signs such as № and ° elsewhere. */
const firstWesternLetter = 0xc0;

/** Without a declaration, more than half of the bytes must be letters of a Western charset. */
function areLetters({ counts, high }: TextEvidence): boolean {
  const letters = counts.subarray(firstWesternLetter).reduce((sum, count) => sum + count, 0);
  return letters > high / 2;
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian hardly any. */
function isWestern({ besideLatin, high }: TextEvidence): boolean {
  return besideLatin > high * 0.75;
}
