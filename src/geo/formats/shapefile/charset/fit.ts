import { charsetNamed, utf8, type Charset } from './charset.ts';
import type { TextEvidence } from './evidence.ts';
import { createLikelihood } from './languages.ts';

/** Charsets of Cyrillic text in Kazakhstan; of two that read the same, the first. */
const candidates = ['windows-1251', 'CP866', 'ISO-8859-5', 'KZ-1048'].flatMap((name) => {
  const charset = charsetNamed(name);
  return charset === undefined ? [] : [{ charset, likelihoodOf: createLikelihood(lettersOf(charset)) }];
});

/** Returns the Cyrillic charset in which the bytes make the likeliest letters. */
export function likeliestCyrillic({ counts }: TextEvidence): { charset: Charset; likelihood: number } {
  const scored = candidates.map(({ charset, likelihoodOf }) => {
    return { charset, likelihood: likelihoodOf(counts) };
  });
  const none = { charset: utf8, likelihood: -Infinity };
  return scored.reduce((best, next) => (next.likelihood > best.likelihood ? next : best), none);
}

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
  /** Of charsets with two bytes for a letter. */
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

function lettersOf(charset: Charset): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => charset.decode(Uint8Array.of(byte)));
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
