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
 * Signs that a text is Cyrillic, whatever is said: measured with names of countries in forty languages and their charsets,
 * so that nothing true is overruled.
 */
const signs = {
  /** In a Cyrillic charset the likeliest must gain so much in each letter, and so much in all. */
  Cyrillic: { gain: 0.05, gainInAll: 15 },
  /** In Latin texts such bytes stand beside ASCII letters, not in rows. */
  Latin: { high: 6, likelihood: -4.2, inRows: 0.6, besideLatin: 0.15 },
  /** Other letters stand in rows, too; Hebrew makes the likeliest Cyrillic. */
  other: { high: 200, likelihood: -3.5 },
  /** For charsets with two bytes per letter. */
  wide: { high: 24, likelihood: -3.7 },
} as const;
/** Fewer bytes can be UTF-8 by chance, in charsets whose letters stand in rows. */
const minUtf8Bytes = { Cyrillic: 6, Latin: 6, other: 12, wide: 12 } as const;
/** First bytes of UTF-8 for signs and for Latin and Cyrillic letters, which even one character may be. */
const usualLeads: readonly number[] = [0xc2, 0xc3, 0xc4, 0xc5, 0xd0, 0xd1, 0xd2, 0xe2];
/** One more, and what follows it in ә and ө; with others it begins letters that no language here has. */
const [kazakhLead, kazakhTails]: readonly [number, readonly number[]] = [0xd3, [0x98, 0x99, 0xa8, 0xa9]];
/** Charsets with two bytes for a letter. */
const wideNames: readonly string[] = ['GBK', 'GB2312', 'GB18030', 'BIG5', 'CP932', 'CP949'];

/** Whether the texts can be in the charset; false when UTF-8 or a Cyrillic charset is far likelier. */
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

/** Returns the script of most letters that a charset has beside ASCII. */
function scriptOf(letters: readonly string[]): 'Cyrillic' | 'Latin' | 'other' {
  const high = letters.slice(0x80).filter((letter) => /\p{L}/u.test(letter));
  const isMost = (script: RegExp) => high.filter((letter) => script.test(letter)).length > high.length / 2;
  if (isMost(/\p{Script=Cyrillic}/u)) return 'Cyrillic';
  return isMost(/\p{Script=Latin}/u) ? 'Latin' : 'other';
}

/** Evidence for the charset in the bytes of all texts of a file. */
export interface TextEvidence {
  /** How often each byte from 0x80 on occurs, and zeros before. */
  readonly counts: Uint32Array;
  /** How many of them there are. */
  readonly high: number;
  /** Those that stand beside a Latin letter: many in French, none in Russian. */
  readonly besideLatin: number;
  /** Those that stand in rows of three and more: most in Russian, next to none in French. */
  readonly inRows: number;
  readonly isUtf8: boolean;
}

/** Where a text is in its bytes; one that ends at `room` fills its place, and may have been cut there. */
interface TextPlace {
  readonly begin: number;
  readonly end: number;
  readonly room: number;
}

const minRow = 3;

/** Gathers evidence from texts. */
export function createEvidence() {
  const counts = new Uint32Array(256);
  let [high, besideLatin, inRows, isAllUtf8] = [0, 0, 0, true];
  return {
    /** Looks at a text; what follows a zero byte is none. */
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

/** Language byte of a dbf whose writer said no more than "what Windows uses here". */
const ansiLanguage = 0x57;

/** Who says in which encoding the texts are. */
const sources = ['cpg', 'cst', 'dbf'] as const;
type CharsetSource = (typeof sources)[number];

/**
 * Chooses the charset of a shapefile's texts: what its `.cpg`, else its `.cst`, else the language byte of its `.dbf` says; else
 * UTF-8 when all texts are, else windows-1252 where letters stand among Latin ones, else the likeliest of the Cyrillic ones. A name that is not known counts as none, and one that
 * the texts do not fit is overruled.
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

/** From here on windows-1252 and ISO 8859-1 have letters; before it DOS has its own, and others signs such as № and °. */
const firstWesternLetter = 0xc0;

/** Without any statement more than half of the bytes must be letters of a Western charset. */
function areLetters({ counts, high }: TextEvidence): boolean {
  const letters = counts.subarray(firstWesternLetter).reduce((sum, count) => sum + count, 0);
  return letters > high / 2;
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian next to none. */
function isWestern({ besideLatin, high }: TextEvidence): boolean {
  return besideLatin > high * 0.75;
}
