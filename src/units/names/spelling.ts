import { plainLetters, soundOf } from './letters.ts';

/** Kind of a unit according to a word such as «район». */
export type Kind = 'region' | 'city' | 'district';

/** A name within a text, with the meaning of the words around it. */
export interface NamePart {
  /** Lower case, without blanks and hyphens; `*` replaces the ending of a Russian adjective. */
  readonly key: string;
  /** Phonetic key. */
  readonly sound: string;
  /** Kind according to a word such as «район». */
  readonly kind: Kind | undefined;
  /** Kind according to the gender of a Russian adjective: «Павлодарская» is a region, «Павлодарский» a district. */
  readonly gender: 'region' | 'district' | undefined;
}

/** Parsed cell of a column of names. */
export interface Spelling {
  /** Nine digits at its beginning, or the whole text. */
  readonly code: string | undefined;
  readonly parts: readonly NamePart[];
  /** «Всего», «Барлығы»; a total of the parts, if there are any. */
  readonly isTotal: boolean;
  readonly isCountry: boolean;
  /** True for a village or a rural district, below the levels of the units. */
  readonly isBelow: boolean;
}

/** Longer texts are notes, not names. */
const maxCharacters = 160;

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const kindWords: Readonly<Record<Kind, ReadonlySet<string>>> = {
  region: setOf(
    'область области областью областного обл облысы облыс облысының облысында облысынан region oblast oblysy oblys obl province prov',
  ),
  city: setOf(
    'город города городе городу городов гор г қала қаласы қаласының қаласында қ к кала каласы қаласының горадминистрация city qalasy qala c municipality',
  ),
  district: setOf(
    'район района районе районы району рн р аудан ауданы ауданының ауданында ауд district districts rayon raion audany audan dist',
  ),
};
const belowWords = setOf(
  'округ сельский сельского сельская село селе с п пос поселок поселка пгт ауылдық ауыл ауылы ауылдык кент кенті аул станция village rural township settlement okrug',
);
const fillers = setOf(
  'им имени атындағы атын ат атындагы акимат әкімдігі әкімдік акиматы администрация городская the of and in including в по целом бойынша оның ішінде соның онын ишинде including',
);
const totals = setOf('всего итого итог барлығы барлыгы жиыны барлық жалпы total sum overall grand');
const countries = setOf(
  'казахстан казахстана казахстану республика республике республики рк қр қазақстан республикасы казакстан kazakhstan republic rk qazaqstan respublikasy стране ел country',
);

const bounded = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'gu');
/** Abbreviations with punctuation, and their meaning. */
const abbreviations: readonly (readonly [RegExp, string])[] = [
  [bounded(String.raw`в\s*(?:т\.?\s*ч|том\s+числе)|из\s+них|of\s+which`), ' '],
  [bounded(String.raw`р\s?[-/]\s?о?н|р-он`), ' район '],
  [bounded(String.raw`г\.?\s?[-/]?\s?а`), ' город '],
  [bounded(String.raw`қ\.?\s?[-/]?\s?ә`), ' қала '],
  [bounded(String.raw`c\.\s?a`), ' city '],
  [bounded(String.raw`public administration|city administration`), ' city '],
  [bounded(String.raw`[са]\s?[./]\s?о`), ' округ '],
  [/(?<!\p{L})[гғ]\.?\s*(?=м[уү]с[иі]?реп)/gu, ''],
  // The point of «С. Казахстанская» does not mark a village.
  [/(?<!\p{L})([свзю])[\s.-]+(?=каз)/gu, '$1'],
];

const code = /^(\d{9})(?!\d)/;
const lead = /^[^\p{L}\p{N}(]+/u;
const numbering = /^\d{1,3}(?:\.\d{1,3})*[.)]?\s*(?=\p{L})/u;
/** A number is matched whole: backtracking over its parts would practically never end. */
const footnotes = /(?:[\s*†‡:;,]|\(?(?<!\d)\d{1,2}(?!\d)\)?)+$/u;
const apart = /[(),;]|\s\/\s/;
const betweenWords = /[\s.:"'«»“”„‘’ʼ`´_/\\…]+/u;

/** Parses a cell; `parts` is empty if it contains no name. */
export function readSpelling(text: string): Spelling {
  const empty = { code: undefined, parts: [], isTotal: false, isCountry: false, isBelow: false };
  if (text.length > maxCharacters) return empty;
  const plain = plainLetters(text)
    .replace(/[‐‑‒–—−]/g, '-')
    .trim();
  const ownCode = code.exec(plain)?.[1];
  const named = plain
    .slice(ownCode?.length ?? 0)
    .replace(lead, '')
    .replace(numbering, '')
    .replace(footnotes, '');
  const reading = { parts: [], isTotal: false, isCountry: false, isBelow: false };
  for (const piece of named.split(apart)) readPiece(piece, reading);
  return { code: ownCode, ...reading };
}

interface Reading {
  readonly parts: NamePart[];
  isTotal: boolean;
  isCountry: boolean;
  isBelow: boolean;
}

/** Parses a piece between commas: «Жамбылский район Алматинской области» has two names, each with its word. */
function readPiece(piece: string, reading: Reading): void {
  let spelled = piece;
  for (const [pattern, word] of abbreviations) spelled = spelled.replace(pattern, word);
  const words = spelled
    .split(betweenWords)
    .filter((each) => each !== '' && !fillers.has(each) && !/^\d+$/.test(each));
  if (words.length === 0) return;
  const all = words.filter((each) => !totals.has(each));
  if (all.length < words.length) reading.isTotal = true;
  if (all.length > 0 && all.every((each) => countries.has(each))) {
    reading.isCountry = true;
    return;
  }
  let name: string[] = [];
  /** The word before a name, such as «область Абай». */
  let ahead: Kind | undefined;
  const isOnly = all.length === 1;
  for (const each of all) {
    if (belowWords.has(each) && !isOnly) {
      reading.isBelow = true;
      continue;
    }
    // A letter after the word is an initial, such as «район им. Г. Мусрепова».
    const isInitial = each.length === 1 && (isOnly || (ahead !== undefined && name.length === 0));
    const kind = isInitial ? undefined : kindOfWord(each);
    if (kind === undefined) {
      name.push(each);
    } else if (name.length > 0) {
      const region = ahead !== undefined && kind === 'region' && name.length > 1 ? name.pop() : undefined;
      addPart(reading, name, ahead ?? kind);
      // «район Биржан сал Акмолинской области»
      if (region !== undefined) addPart(reading, [region], kind);
      // «район Алтай область»: the word belongs to the following name if the name already has one.
      ahead = ahead === undefined || region !== undefined ? undefined : kind;
      name = [];
    } else {
      ahead = kind;
    }
  }
  if (name.length > 0) addPart(reading, name, ahead);
  else if (ahead !== undefined) addKind(reading, ahead);
}

function kindOfWord(word: string): Kind | undefined {
  for (const kind of ['region', 'city', 'district'] as const) if (kindWords[kind].has(word)) return kind;
  return undefined;
}

/** A word alone, such as in «Алматы (қала)», refers to the name before it. */
function addKind({ parts }: Reading, kind: Kind): void {
  const last = parts.at(-1);
  if (last !== undefined && last.kind === undefined) parts[parts.length - 1] = { ...last, kind };
}

const adjective = /^(.*[сзц]к)(?:(ий|ого|ому|им|ом|iy)|(ая|ой|ую|ою))$/u;
/** Occurs in lists, for example «Каратаускийский». */
const doubled = /(?:ский){2,}$/;
const soundedAdjective = /^(.{2,}sk)(?:(i|ij|ogo|om)|(a|aia|aja|oi|oj))$/;

function addPart(reading: Reading, words: readonly string[], kind: Kind | undefined): void {
  const whole = words.join('').replace(/[^\p{L}\p{N}]+/gu, '');
  if (whole === '') return;
  const [, stem, masculine, feminine] = adjective.exec(whole.replace(doubled, 'ский')) ?? [];
  if (stem !== undefined) {
    const gender = masculine === undefined ? (feminine === undefined ? undefined : 'region') : 'district';
    reading.parts.push({ key: `${stem}*`, sound: `${soundOf(stem)}*`, kind, gender });
    return;
  }
  const sounded = soundOf(whole);
  const [, root, he, she] = soundedAdjective.exec(sounded) ?? [];
  const gender = he === undefined ? (she === undefined ? undefined : 'region') : 'district';
  reading.parts.push({ key: whole, sound: root === undefined ? sounded : `${root}*`, kind, gender });
}
