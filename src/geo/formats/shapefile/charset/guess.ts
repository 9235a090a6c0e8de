import { charsetNamed, type Charset } from './charset.ts';
import type { TextEvidence } from './evidence.ts';

/** What Cyrillic text of Kazakhstan is written in; of two that read the same, the first. */
const candidates = ['windows-1251', 'CP866', 'ISO-8859-5', 'KZ-1048'].flatMap((name) => {
  const charset = charsetNamed(name);
  return charset === undefined ? [] : [charset];
});

/**
 * How many of 10,000 letters each is: the mean of Russian (National Corpus of the Russian Language) and Kazakh, rounded.
 * Any other character is rare.
 */
const frequency: Readonly<Record<string, number>> = {
  а: 1030,
  б: 190,
  в: 250,
  г: 130,
  д: 370,
  е: 800,
  ё: 5,
  ж: 120,
  з: 160,
  и: 420,
  й: 130,
  к: 390,
  л: 490,
  м: 310,
  н: 680,
  о: 620,
  п: 210,
  р: 500,
  с: 480,
  т: 560,
  у: 200,
  ф: 20,
  х: 60,
  ц: 30,
  ч: 90,
  ш: 110,
  щ: 20,
  ъ: 4,
  ы: 500,
  ь: 100,
  э: 20,
  ю: 40,
  я: 130,
  ә: 100,
  ғ: 100,
  қ: 170,
  ң: 80,
  ө: 60,
  ұ: 70,
  ү: 60,
  һ: 5,
  і: 240,
};
const rarely = 0.05;
/** A capital inside small letters is seldom; whole texts in capitals are common. */
const capitalShare = 0.4;

/** The Cyrillic charset in which the bytes make the likeliest letters. */
export function guessCharset(evidence: TextEvidence): Charset | undefined {
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
  const share = frequency[lower] ?? rarely;
  return lower === character ? share : share * capitalShare;
}
