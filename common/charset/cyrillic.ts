import { type Charset, charsetNamed, utf8 } from './charset.ts';

/** Occurrences of each letter per 10,000 letters of a language. */
type Frequencies = ReadonlyMap<string, number>;

/** Mean of Russian (National Corpus of the Russian Language) and Kazakh, rounded. Any other character is rare. */
const russianAndKazakh = frequencies(
  `а1030 б190 в250 г130 д370 е800 ё5 ж120 з160 и420 й130 к390 л490 м310 н680 о620 п210 р500 с480 т560
   у200 ф20 х60 ц30 ч90 ш110 щ20 ъ4 ы500 ь100 э20 ю40 я130 ә100 ғ100 қ170 ң80 ө60 ұ70 ү60 һ5 і240`,
);

/** Approximate frequencies of other languages in Cyrillic, to recognise their texts. */
const others = [
  // Ukrainian, mixed with some Russian
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
/** Capitals inside lower-case text are rare; texts in capitals only are common. */
const [capitalShare, capitalsAlone] = [0.4, 0.8];
const perLetters = 10_000;

function frequencies(text: string): Frequencies {
  return new Map(text.split(/\s+/).map((entry) => [entry.slice(0, 1), Number(entry.slice(1))]));
}

const [punctuation, punctuationShare] = [/[«»№°–—“”„’…\u00a0]/u, 10];

/**
 * Creates a measure of how likely bytes are as Cyrillic letters, in the most likely language: the mean of the
 * logarithms, about -3 for real text and below -4 for other bytes.
 * @param letters character of each byte.
 */
export function createLikelihood(letters: readonly string[]): (counts: Uint32Array) => number {
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

/** Cyrillic charsets in Kazakhstan; of two with the same result, the first wins. */
const candidates = ['windows-1251', 'CP866', 'ISO-8859-5', 'KZ-1048'].flatMap((name) => {
  const charset = charsetNamed(name);
  return charset === undefined ? [] : [{ charset, likelihoodOf: createLikelihood(lettersOf(charset)) }];
});

/** Returns the charset in which the counted bytes from 0x80 on are the most likely Cyrillic letters. */
export function likeliestCyrillic({ counts }: { readonly counts: Uint32Array }): {
  charset: Charset;
  likelihood: number;
} {
  const scored = candidates.map(({ charset, likelihoodOf }) => {
    return { charset, likelihood: likelihoodOf(counts) };
  });
  const none = { charset: utf8, likelihood: -Infinity };
  return scored.reduce((best, next) => (next.likelihood > best.likelihood ? next : best), none);
}

/** Returns the character of each byte. */
export function lettersOf(charset: Charset): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => charset.decode(Uint8Array.of(byte)));
}
