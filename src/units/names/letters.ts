/** Letters that look alike in both scripts; a word in one script may contain letters of the other. */
const latinAlike = 'AaBCcEeHIiKkMOoPpTXxyYƏəh';
const cyrillicAlike = 'АаВСсЕеНІіКкМОоРрТХхуУӘәһ';
const toCyrillic = new Map([...latinAlike].map((letter, at) => [letter, [...cyrillicAlike][at] ?? letter]));
const toLatin = new Map([...cyrillicAlike].map((letter, at) => [letter, [...latinAlike][at] ?? letter]));

/** Kazakh letters of the code page KZ-1048 as misread by a windows-1251 program, and older substitutes. */
const mistaken = new Map(
  Object.entries({ є: 'ғ', ј: 'ә', ќ: 'қ', ѕ: 'ң', ї: 'ү', ў: 'ұ', ґ: 'ө', ћ: 'һ', ё: 'е' }),
);

const unseen = /[\p{Cf}\p{Cc}\u00ad]+/gu;
const word = /[\p{Script=Cyrillic}\p{Script=Latin}]+/gu;
const hasLatin = /\p{Script=Latin}/u;
const hasCyrillic = /\p{Script=Cyrillic}/u;

/** Returns a text in NFKC and lower case, with every word in one script and without invisible characters. */
export function plainLetters(text: string): string {
  const seen = text
    .normalize('NFKC')
    .replace(/[\s\u2800\u3164]+/g, ' ')
    .replace(unseen, '');
  const isMixed = hasLatin.test(seen) && hasCyrillic.test(seen);
  return (isMixed ? seen.replace(word, oneScript) : seen)
    .toLowerCase()
    .replace(/[єјќѕїўґћё]/g, (letter) => mistaken.get(letter) ?? letter);
}

/** Writes a word of mixed scripts in one of them: in Cyrillic if each of its letters allows it. */
function oneScript(word: string): string {
  if (!hasLatin.test(word)) return word;
  const letters = [...word];
  if (letters.every((each) => !hasLatin.test(each) || toCyrillic.has(each)))
    return letters.map((each) => toCyrillic.get(each) ?? each).join('');
  if (letters.every((each) => !hasCyrillic.test(each) || toLatin.has(each)))
    return letters.map((each) => toLatin.get(each) ?? each).join('');
  return word;
}

/** One Latin letter or none for each Cyrillic one; letters that lists confuse are equal. */
const sounds = readTable(
  'а=a ә=a б=b в=v г=g ғ=g д=d е=e ж=j з=z и=i й=i і=i ы=i к=k қ=k л=l м=m н=n ң=n о=o ө=o п=p ' +
    'р=r с=s т=t у=u ү=u ұ=u ф=f х=h һ=h ц=c ч=c ш=x щ=x ъ= ь= э=e ю=u я=a w=u q=k x=h y=i ı=i ə=a',
);
/** Latin letters with diacritics whose sound differs without them. */
const marked = readTable('ş=sh š=sh ç=ch č=ch ž=zh ý=u');
const pairs = readTable('shch=x sch=x dzh=j sh=x ch=c zh=j dj=j kh=h gh=g ts=c yu=u ya=a ye=e');
/** Marks a letter that is already a sound; names do not contain it. */
const made = '\ue000';
const pair = /shch|sch|dzh|sh|ch|zh|dj|kh|gh|ts|yu|ya|ye/g;

/**
 * Returns an approximate phonetic key of a word in lower case, in a few Latin letters: the same for Russian, Kazakh in
 * either script, and the usual English spelling.
 */
export function soundOf(text: string): string {
  const latin = text
    .replace(/[şšçčžý]/g, (letter) => marked.get(letter) ?? letter)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
  // The breve of й is a mark too, but й sounds like и.
  const joined = latin.replace(pair, (letters) => `${made}${pairs.get(letters) ?? letters}`);
  const sounded = joined.replace(
    /\ue000(.)|(.)/gsu,
    (_all, sound?: string, letter?: string) => sound ?? sounds.get(letter ?? '') ?? letter ?? '',
  );
  return sounded.replace(/(.)\1+/gu, '$1');
}

/** Parses `from=to` pairs separated by blanks. */
function readTable(text: string): ReadonlyMap<string, string> {
  return new Map(text.split(' ').map((entry) => [entry.split('=')[0] ?? '', entry.split('=')[1] ?? '']));
}
