/**
 * Kazakh suffixes after figures: `98 %-ын`, `12-сі`, `3 м²-ден`. A suffix depends on the vowels and the final sound of the last word of the
 * reading, and is joined by a hyphen.
 *
 * The rules of vowel harmony, assimilation and cases follow R. Muhamedowa, “Kazakh: A Comprehensive Grammar” (Routledge, 2016), and «Қазақ
 * грамматикасы» (Астана, 2002); the hyphen follows the orthographic rules of Kazakh («қосымшалар цифрдан кейін дефис арқылы жазылады»).
 */
export type Ending =
  | 'genitive'
  | 'dative'
  | 'accusative'
  | 'locative'
  | 'ablative'
  /** Third-person possessive: `үш файлдың 2-сі`. */
  | 'possessive'
  | 'possessive genitive'
  | 'possessive dative'
  | 'possessive accusative'
  | 'possessive locative'
  | 'possessive ablative'
  | 'ordinal';

/** The final sound of a stem, as far as suffixes depend on it. */
type Final = 'vowel' | 'nasal' | 'voiced' | 'voiceless' | 'devoiced';

/** Suffixes by final sound, with placeholders for the vowels and consonants that follow the harmony. */
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

/** `А` is а or е, `Ы` is ы or і, `Ғ` is ғ or г, `Қ` is қ or к. */
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
/** Indexed by the number of trailing zeros divided by three. */
const powers = ['', 'мың', 'миллион', 'миллиард', 'триллион'];

/** Readings of signs and abbreviations. */
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
 * Formats a number, with an optional unit, and a suffix: `98 %` becomes `98 %-ын`. A full word, as in `5 файл`, takes
 * its suffix without a hyphen.
 */
export function withEnding(written: number | string, ending: Ending): string {
  const text = String(written);
  const word = lastWord(text);
  // The only numeral that keeps the possessive before the ordinal suffix: жиырмасыншы.
  const pattern = ending === 'ordinal' && word === 'жиырма' ? 'сЫншЫ' : patterns[ending][finalOf(word)];
  const letters = harmony[isFront(word) ? 'front' : 'back'];
  const suffix = pattern.replaceAll(/[АЫҒҚ]/g, (mark) =>
    mark === 'А' || mark === 'Ы' || mark === 'Ғ' || mark === 'Қ' ? letters[mark] : mark,
  );
  const isWord = !readAs.has(signOf(text)) && /\p{L}$/u.test(text);
  return `${text}${isWord ? '' : '-'}${suffix}`;
}

/** Returns the last word of the reading of a number or its unit. */
export function lastWord(text: string): string {
  const digits = /\d[\d\s]*(?:[.,](\d+))?$/.exec(text);
  // A fraction is read by its digits: 0,05 is «нөл бүтін жүзден бес».
  if (digits !== null) return numeral((digits[1] ?? digits[0]).replaceAll(/\D/g, ''));
  const last = signOf(text);
  return readAs.get(last) ?? last.toLowerCase();
}

/** Returns the word, sign or abbreviation at the end of a text; empty if it ends with a number. */
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

/** The last vowel decides, except у and и, which are neutral. */
function isFront(word: string): boolean {
  const vowel = [...word].findLast((letter) => /[аоұыяёюәөүіеэ]/.test(letter));
  return vowel !== undefined && /[әөүіеэ]/.test(vowel);
}

/** Loanwords in б, в, г or д are pronounced voiceless, and take the suffixes of voiceless consonants. */
function finalOf(word: string): Final {
  const last = word.at(-1) ?? '';
  if (/[аоұыяёюәөүіеэ]/.test(last)) return 'vowel';
  if (/[мнң]/.test(last)) return 'nasal';
  if (/[бвгд]/.test(last)) return 'devoiced';
  return /[пфкқтсшщхһцч]/.test(last) ? 'voiceless' : 'voiced';
}
