/** Words that name a month or a season in one text and an object in another: «қаз» is short for October, and a goose. */
import type { Token } from './forms.ts';

/** Kazakh abbreviations of months that are words as well: goose, snow, black, wind, house. */
const abbreviation = /^(?:қаз|қара?|жел|там)$/u;
/** May in Russian; butter and oil in Kazakh, where the month is «мамыр». */
const butter = 'май';
const kazakhLetter = /[әғқңөұүһі]/u;
const ofButter = /(?<!\p{L})(?:сары|өсімдік|күнбағыс|мақсары|мал|тоң|тоңазытылған) $/u;
/** «маусымы» after any word but a year is a working season: «жылыту маусымы». */
const ofWork = /^маусымы/u;
const behindThing = /(?<!\p{L})(?!(?:ж|жж|жыл(?:ы|ғы|дың|ында)?) $)\p{L}+ $/u;
/** «басы» is the beginning after a word for time, and heads of cattle after another: «мал басы». */
const head = /^бас[ыі]/u;
const season = /^(?:spring|summer|autumn|fall|winter)$/;
const crop =
  /^ (?:wheat|barley|rye|oats?|rape(?:seed)?|triticale|durum|crops?|cereals?|grains?|cotton|legumes)(?!\p{L})/u;

const wordOf = ({ start, end }: Token, plain: string) => plain.slice(start, end);

/** Returns tokens in which words that do not name a time here have no meaning, and words that may name one must be understood. */
export function withoutHomographs(tokens: Token[], plain: string): Token[] {
  const isWord = ({ sign, start }: Token) => sign === '?' && /\p{L}/u.test(plain.charAt(start));
  const hasOtherWords = tokens.some(isWord);
  const isMayInKazakh = !kazakhLetter.test(plain) || plain.includes('мамыр');
  return tokens.map((token, at) => {
    if (token.sign !== 'M' && token.sign !== 'S' && token.sign !== 'B') return token;
    const word = wordOf(token, plain);
    const before = plain.slice(0, token.start);
    const previous = tokens.slice(0, at).findLast(({ sign }) => sign !== ' ');
    if (head.test(word) && previous !== undefined && isWord(previous)) return { ...token, sign: '?' };
    if (ofWork.test(word) && behindThing.test(before)) return { ...token, sign: 'T' };
    const isThing =
      (hasOtherWords &&
        abbreviation.test(word) &&
        plain.charAt(token.end) !== '.' &&
        !isBesideMonth(tokens, at)) ||
      (hasOtherWords && word === butter && (!isMayInKazakh || ofButter.test(before))) ||
      (season.test(word) && crop.test(plain.slice(token.end)));
    return isThing ? { ...token, sign: '?' } : token;
  });
}

/** Returns whether a month precedes or follows a token: «қаң-қаз». */
function isBesideMonth(tokens: readonly Token[], at: number): boolean {
  const others = [tokens.slice(0, at).toReversed(), tokens.slice(at + 1)];
  return others.some((side) => side.find(({ sign }) => !/^[ .,/t-]$/.test(sign))?.sign === 'M');
}

/** Returns whether the only month in a text is a word with another meaning: «Қаз 2023», «Май 2023». */
export function mayNameThing(plain: string): boolean {
  const [word, other] = plain.match(/\p{L}{3,}/gu) ?? [];
  const isAlone = word !== undefined && (other === undefined || /^(?:год|жыл)/u.test(other));
  return isAlone && (word === butter || abbreviation.test(word)) && !plain.includes(`${word}.`);
}

/** Returns whether a text has a specifically Kazakh letter. */
export function isKazakh(plain: string): boolean {
  return kazakhLetter.test(plain);
}
