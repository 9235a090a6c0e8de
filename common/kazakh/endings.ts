/**
 * Endings of Kazakh behind figures: `98 %-ын`, `12-сі`, `3 м²-ден`. An ending follows the word that is read last, in its vowels and in
 * its first consonant, and is joined by a hyphen.
 *
 * The rules of vowel harmony, of assimilation and of the cases are those of R. Muhamedowa, “Kazakh: A Comprehensive Grammar” (Routledge,
 * 2016), and of «Қазақ грамматикасы» (Астана, 2002); the hyphen is that of the orthographic rules of Kazakh («қосымшалар цифрдан кейін
 * дефис арқылы жазылады»).
 */
export type Ending =
  | 'genitive'
  | 'dative'
  | 'accusative'
  | 'locative'
  | 'ablative'
  /** Belonging to a third person: `үш файлдың 2-сі`. */
  | 'possessive'
  | 'possessive genitive'
  | 'possessive dative'
  | 'possessive accusative'
  | 'possessive locative'
  | 'possessive ablative'
  | 'ordinal';

/** How the stem of a word ends, as far as endings depend on it. */
type Final = 'vowel' | 'nasal' | 'voiced' | 'voiceless' | 'devoiced';

/** Marks of vowels that follow the harmony, where an ending is written with them. */
type Pattern = Readonly<Record<Final, string>>;

const dOrT = (vowel: string, rest = ''): Pattern => ({
  vowel: `д${vowel}${rest}`,
  nasal: `д${vowel}${rest}`,
  voiced: `д${vowel}${rest}`,
  voiceless: `т${vowel}${rest}`,
  devoiced: `т${vowel}${rest}`,
});
const behindVowel = (vowel: string, consonant: string): Pattern => ({
  vowel,
  nasal: consonant,
  voiced: consonant,
  voiceless: consonant,
  devoiced: consonant,
});

/** `А` stands for а or е, `Ы` for ы or і, `Ғ` for ғ or г, `Қ` for қ or к. */
const patterns: Readonly<Record<Ending, Pattern>> = {
  genitive: { ...dOrT('Ы', 'ң'), vowel: 'нЫң', nasal: 'нЫң' },
  dative: { vowel: 'ҒА', nasal: 'ҒА', voiced: 'ҒА', voiceless: 'ҚА', devoiced: 'ҚА' },
  accusative: { ...dOrT('Ы'), vowel: 'нЫ' },
  locative: dOrT('А'),
  ablative: { ...dOrT('А', 'н'), nasal: 'нАн' },
  possessive: behindVowel('сЫ', 'Ы'),
  'possessive genitive': behindVowel('сЫнЫң', 'ЫнЫң'),
  'possessive dative': behindVowel('сЫнА', 'ЫнА'),
  'possessive accusative': behindVowel('сЫн', 'Ын'),
  'possessive locative': behindVowel('сЫндА', 'ЫндА'),
  'possessive ablative': behindVowel('сЫнАн', 'ЫнАн'),
  ordinal: behindVowel('ншЫ', 'ЫншЫ'),
};

const harmony = {
  back: { А: 'а', Ы: 'ы', Ғ: 'ғ', Қ: 'қ' },
  front: { А: 'е', Ы: 'і', Ғ: 'г', Қ: 'к' },
} as const;

const ones = ['', 'бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз'];
const tens = ['', 'он', 'жиырма', 'отыз', 'қырық', 'елу', 'алпыс', 'жетпіс', 'сексен', 'тоқсан'];
/** By the number of zeros at the end of a number, in threes. */
const powers = ['', 'мың', 'миллион', 'миллиард', 'триллион'];

/** The words as which signs and abbreviations are read. */
const readAs: ReadonlyMap<string, string> = new Map([
  ['%', 'пайыз'],
  ['°', 'градус'],
  ['°C', 'градус'],
  ['га', 'гектар'],
  ['мм', 'миллиметр'],
  ['см', 'сантиметр'],
  ['м', 'метр'],
  ['м²', 'метр'],
  ['км', 'километр'],
  ['км²', 'километр'],
  ['г', 'грамм'],
  ['кг', 'килограмм'],
  ['т', 'тонна'],
  ['Б', 'байт'],
  ['кБ', 'килобайт'],
  ['МБ', 'мегабайт'],
  ['ГБ', 'гигабайт'],
  ['ТБ', 'терабайт'],
  ['КиБ', 'кибибайт'],
  ['МиБ', 'мебибайт'],
  ['ГиБ', 'гибибайт'],
]);

/**
 * Writes a number, with its unit where it has one, and an ending: `98 %` becomes `98 %-ын`. A word in full, as in
 * `5 файл`, takes its ending without a hyphen.
 */
export function withEnding(written: number | string, ending: Ending): string {
  const text = String(written);
  const word = lastWord(text);
  // Of all numerals, only this one keeps the ending of belonging before that of its place: жиырмасыншы.
  const pattern = ending === 'ordinal' && word === 'жиырма' ? 'сЫншЫ' : patterns[ending][finalOf(word)];
  const letters = harmony[isFront(word) ? 'front' : 'back'];
  const suffix = pattern.replaceAll(/[АЫҒҚ]/g, (mark) =>
    mark === 'А' || mark === 'Ы' || mark === 'Ғ' || mark === 'Қ' ? letters[mark] : mark,
  );
  const isWord = !readAs.has(signOf(text)) && /\p{L}$/u.test(text);
  return `${text}${isWord ? '' : '-'}${suffix}`;
}

/** Returns the word with which a number, or its unit, ends when it is read aloud. */
export function lastWord(text: string): string {
  const digits = /\d[\d\s]*(?:[.,](\d+))?$/.exec(text);
  // A fraction is read by its digits: 0,05 is «нөл бүтін жүзден бес».
  if (digits !== null) return numeral((digits[1] ?? digits[0]).replaceAll(/\D/g, ''));
  const last = signOf(text);
  return readAs.get(last) ?? last.toLowerCase();
}

/** Returns the word, the sign or the abbreviation at the end of a text; empty where that is a number. */
function signOf(text: string): string {
  return /[^\s\d/·×]+$/.exec(text)?.[0] ?? '';
}

function numeral(digits: string): string {
  const plain = digits.replace(/^0+/, '');
  if (plain === '') return 'нөл';
  const zeros = /0*$/.exec(plain)?.[0].length ?? 0;
  const digit = Number(plain.at(-1 - zeros));
  if (zeros === 0) return ones[digit] ?? '';
  if (zeros === 1) return tens[digit] ?? '';
  return zeros === 2 ? 'жүз' : (powers[Math.floor(zeros / 3)] ?? 'триллион');
}

/** The last vowel that is not у or и decides, which go with either kind. */
function isFront(word: string): boolean {
  const vowel = [...word].findLast((letter) => /[аоұыяёюәөүіеэ]/.test(letter));
  return vowel !== undefined && /[әөүіеэ]/.test(vowel);
}

/** Loans that end in б, в, г or д are spoken without voice, and so take the endings of voiceless consonants. */
function finalOf(word: string): Final {
  const last = word.at(-1) ?? '';
  if (/[аоұыяёюәөүіеэ]/.test(last)) return 'vowel';
  if (/[мнң]/.test(last)) return 'nasal';
  if (/[бвгд]/.test(last)) return 'devoiced';
  return /[пфкқтсшщхһцч]/.test(last) ? 'voiceless' : 'voiced';
}
