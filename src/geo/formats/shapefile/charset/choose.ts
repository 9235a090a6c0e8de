import { isUtf8 } from 'node:buffer';
import { charsetNamed, utf8, withoutCutCharacter, type Charset } from './charset.ts';
import { charsetNameOf, charsetNameOfLanguage } from './labels.ts';

/** Evidence for the charset in the bytes of all texts of a file. */
interface TextEvidence {
  /** How often each byte occurs. */
  readonly counts: Uint32Array;
  /** Bytes from 0x80 on that stand beside a Latin letter: many in French, none in Russian. */
  readonly besideLatin: number;
  readonly isUtf8: boolean;
}

/** Gathers evidence from texts. */
export function createEvidence() {
  const counts = new Uint32Array(256);
  let [besideLatin, isAllUtf8] = [0, true];
  return {
    /** `full` texts fill their field to its last byte, where a writer may have cut a character. */
    add(text: Uint8Array, full: boolean): void {
      let high = false;
      for (let i = 0; i < text.length; i += 1) {
        const byte = text[i] ?? 0;
        counts[byte] = (counts[byte] ?? 0) + 1;
        if (byte < 0x80) continue;
        high = true;
        if (isLatin(text[i - 1]) || isLatin(text[i + 1])) besideLatin += 1;
      }
      if (!high) return;
      isAllUtf8 &&= isUtf8(text) || (full && isUtf8(withoutCutCharacter(text)));
    },
    finish: (): TextEvidence => ({ counts, besideLatin, isUtf8: isAllUtf8 }),
  };
}

function isLatin(byte: number | undefined): boolean {
  const lower = (byte ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Language byte of a dbf whose writer said no more than "what Windows uses here". */
const ansiLanguage = 0x57;

/**
 * Chooses the charset of a shapefile's texts: what its `.cpg`, else its `.cst`, else the language byte of its `.dbf` says; else
 * UTF-8 when all texts are, else the likeliest of the Cyrillic ones. A word for UTF-8 does not hold against bytes that
 * are none, and a name that is not known counts as none.
 */
export function chooseCharset(
  cpg: string | undefined,
  cst: string | undefined,
  languageByte: number,
  evidence: TextEvidence,
) {
  const named = [
    { from: 'cpg', name: cpg === undefined ? undefined : charsetNameOf(cpg) },
    { from: 'cst', name: cst === undefined ? undefined : charsetNameOf(cst) },
    { from: 'dbf', name: charsetNameOfLanguage(languageByte) },
  ] as const;
  for (const { from, name } of named) {
    const charset = name === undefined ? undefined : charsetNamed(name);
    if (charset === undefined || (charset.name === utf8.name && !evidence.isUtf8)) continue;
    return { charset, from };
  }
  if (evidence.isUtf8) return { charset: utf8, from: 'strict UTF-8' } as const;
  const western = languageByte === ansiLanguage && isWestern(evidence);
  const charset = western ? charsetNamed('windows-1252') : guessCharset(evidence);
  return { charset: charset ?? utf8, from: 'guess' } as const;
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian next to none. */
function isWestern(evidence: TextEvidence): boolean {
  let high = 0;
  for (let byte = 0x80; byte < 256; byte += 1) high += evidence.counts[byte] ?? 0;
  return evidence.besideLatin > high * 0.75;
}

/** Charsets of Cyrillic text in Kazakhstan; of two that read the same, the first. */
const candidates = ['windows-1251', 'CP866', 'ISO-8859-5', 'KZ-1048'].flatMap((name) => {
  const charset = charsetNamed(name);
  return charset === undefined ? [] : [charset];
});

/**
 * How many of 10,000 letters each is: the mean of Russian (National Corpus of the Russian Language) and Kazakh, rounded.
 * Any other character is rare.
 */
const frequency = new Map(
  `а1030 б190 в250 г130 д370 е800 ё5 ж120 з160 и420 й130 к390 л490 м310 н680 о620 п210 р500 с480 т560
   у200 ф20 х60 ц30 ч90 ш110 щ20 ъ4 ы500 ь100 э20 ю40 я130 ә100 ғ100 қ170 ң80 ө60 ұ70 ү60 һ5 і240`
    .split(/\s+/)
    .map((entry) => [entry[0], Number(entry.slice(1))]),
);
const rarely = 0.05;
/** A capital inside small letters is seldom; whole texts in capitals are common. */
const capitalShare = 0.4;

/** Returns the Cyrillic charset in which the bytes make the likeliest letters. */
function guessCharset(evidence: TextEvidence): Charset | undefined {
  const scored = candidates.map((charset) => ({ charset, score: likelihood(evidence.counts, charset) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).charset;
}

function likelihood(counts: Uint32Array, charset: Charset): number {
  let sum = 0;
  for (let byte = 0x80; byte < counts.length; byte += 1) {
    const count = counts[byte] ?? 0;
    if (count > 0) sum += count * Math.log(shareOf(charset.decode(Uint8Array.of(byte))));
  }
  return sum;
}

function shareOf(character: string): number {
  if (/[«»№°–—“”„’…\u00a0]/u.test(character)) return 10;
  const lower = character.toLowerCase();
  const share = frequency.get(lower) ?? rarely;
  return lower === character ? share : share * capitalShare;
}
