import {
  charsetNamed,
  utf8,
  type Charset,
  withoutCutCharacter,
  charsetNameOf,
  charsetNameOfLanguage,
} from './charset.ts';
import { isUtf8 } from 'node:buffer';

/** How many of 10,000 letters of a language each is. */
type Frequencies = ReadonlyMap<string, number>;

/**
 * The mean of Russian (National Corpus of the Russian Language) and Kazakh, rounded. Any other character is rare.
 */
const russianAndKazakh = frequencies(
  `а1030 б190 в250 г130 д370 е800 ё5 ж120 з160 и420 й130 к390 л490 м310 н680 о620 п210 р500 с480 т560
   у200 ф20 х60 ц30 ч90 ш110 щ20 ъ4 ы500 ь100 э20 ю40 я130 ә100 ғ100 қ170 ң80 ө60 ұ70 ү60 һ5 і240`,
);

/** Other languages whose texts are Cyrillic, roughly: enough to see that a text is one of them. */
const others = [
  // Ukrainian, with some Russian among it
  `а807 б177 в535 г155 ґ1 д338 е495 є61 ж93 з232 и626 і575 ї65 й138 к354 л369 м303 н681 о942 п290 р448 с424
   т535 у336 ф28 х119 ц83 ч141 ш76 щ56 ь183 ю74 я248 ы50 э10 ё5 ъ5`,
  // Belarusian
  `а1500 б180 в320 г190 д360 е480 ё70 ж100 з260 і640 й130 к380 л400 м270 н590 о350 п270 р430 с430 т240 у330
   ў170 ф20 х100 ц380 ч150 ш110 ы400 ь180 э130 ю70 я550`,
  // Bulgarian
  `а1180 б150 в440 г160 д360 е920 ж70 з220 и980 й60 к340 л330 м260 н640 о900 п280 р480 с520 т750 у160 ф20 х80
   ц70 ч150 ш40 щ70 ъ170 ь2 ю15 я200`,
  // Serbian
  `а1150 б150 в370 г160 д370 ђ20 е880 ж60 з180 и950 ј430 к360 л310 љ50 м370 н560 њ70 о920 п300 р520 с500 т430
   ћ60 у430 ф20 х65 ц80 ч90 џ5 ш100`,
  // Macedonian
  `а1260 б130 в430 г140 д380 ѓ15 е960 ж50 з180 ѕ3 и900 ј150 к370 л330 љ15 м250 н670 њ20 о1060 п280 р480 с450
   т690 ќ40 у230 ф30 х10 ц110 ч100 џ5 ш60`,
].map(frequencies);

const languages = [russianAndKazakh, ...others];
const rarely = 0.05;
/** A capital inside small letters is seldom; whole texts in capitals are common. */
const [capitalShare, capitalsAlone] = [0.4, 0.8];
const perLetters = 10_000;

function frequencies(text: string): Frequencies {
  return new Map(text.split(/\s+/).map((entry) => [entry.slice(0, 1), Number(entry.slice(1))]));
}

const [punctuation, punctuationShare] = [/[«»№°–—“”„’…\u00a0]/u, 10];

/**
 * Creates a measure of how likely bytes are as Cyrillic letters, in the language in which they are the likeliest: the mean of
 * the logarithms, about -3 for what people write and below -4 for other text.
 * @param letters the character of each byte.
 */
function createLikelihood(letters: readonly string[]): (counts: Uint32Array) => number {
  const isCapital = letters.map((letter) => letter.toLowerCase() !== letter);
  const logarithms = languages.map((language) =>
    letters.map((letter) => Math.log(shareOf(letter, language))),
  );
  return (counts) => Math.max(...logarithms.map((ofBytes) => meanOf(counts, ofBytes, isCapital)));
}

function shareOf(letter: string, language: Frequencies): number {
  const share = punctuation.test(letter) ? punctuationShare : (language.get(letter.toLowerCase()) ?? rarely);
  return share / perLetters;
}

function meanOf(counts: Uint32Array, ofBytes: readonly number[], isCapital: readonly boolean[]): number {
  let [sum, all, capitals] = [0, 0, 0];
  for (let byte = 0x80; byte < counts.length; byte += 1) {
    const count = counts[byte] ?? 0;
    sum += count * (ofBytes[byte] ?? 0);
    all += count;
    if (isCapital[byte] === true) capitals += count;
  }
  const isInCapitals = capitals > all * capitalsAlone;
  return (sum + (isInCapitals ? 0 : capitals * Math.log(capitalShare))) / Math.max(1, all);
}

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
 * UTF-8 when all texts are, else the likeliest of the Cyrillic ones. A name that is not known counts as none, and one that
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
  const western = languageByte === ansiLanguage && isWestern(evidence);
  const charset = western ? charsetNamed('windows-1252') : undefined;
  return {
    charset: charset ?? likeliestCyrillic(evidence).charset,
    from: 'guess',
    overruled,
    unknown,
  } as const;
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian next to none. */
function isWestern({ besideLatin, high }: TextEvidence): boolean {
  return besideLatin > high * 0.75;
}
