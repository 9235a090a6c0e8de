import type { UnitLevel } from '../../../../common/maps/units/levels.ts';
import { plainLetters, soundOf } from '../letters.ts';

/** Kind of a place below the districts, as a word beside its name says it. */
export type PlaceKind = 'rural' | 'township' | 'town' | 'village';
export type PlaceLevel = Extract<UnitLevel, 'okrug' | 'settlement'>;

/** A name of a place, without the words for its kind. */
export interface PlaceName {
  /** Level by its word; undefined without one, or for «г.» and «п.», which are words for both. */
  readonly level: PlaceLevel | undefined;
  readonly kind: PlaceKind | undefined;
  /** Lower case, without blanks; `~` replaces the ending of a Russian adjective. */
  readonly key: string;
  /** Phonetic key. */
  readonly sound: string;
  /** Phonetic key with the initial of a first name: «Сакена Сейфуллина» is also «С. Сейфуллина». Undefined for one word. */
  readonly initialed: string | undefined;
}

/** A cell with a place, and what it says about the units above. */
export interface PlaceCell extends PlaceName {
  /** Nine digits at its beginning. */
  readonly code: string | undefined;
  /** Text about the district and the region, if the cell has one. */
  readonly above: string | undefined;
}

interface Word {
  readonly pattern: RegExp;
  readonly level: PlaceLevel | undefined;
  readonly kind: PlaceKind;
}

const apart = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
const word = (level: Word['level'], kind: PlaceKind, patterns: string): Word => ({
  pattern: new RegExp(`${apart}(?:${patterns})${end}`, 'u'),
  level,
  kind,
});

/**
 * Words for the kind of a place, the longest first. «с.о.» has a Latin letter as often as not, and «аульный» is the word of before;
 * the endings of Kazakh are those of «округі», «ауылы», «кенті» and «қаласы» in tables.
 */
const words: readonly Word[] = [
  word(
    'okrug',
    'rural',
    String.raw`(?:сельск\p{L}*|аульн\p{L}*|сел\.?|аул\.?|ауыл(?:дық|дык|\.)?|ауылд?ы[қк])\s*\.?\s*(?:округ\p{L}*|окр\.?|администрац\p{L}*|акимат\p{L}*|[әа]к[іи]мд[іи]\p{L}*|[әа]к[іи]мш[іи]л\p{L}*)` +
      String.raw`|сельокруг\p{L}*|ауылокруг\p{L}*|[са]\s?[./\\-]?\s?окр(?:уг\p{L}*)?\.?|районн\p{L}*\s+администрац\p{L}*`,
  ),
  word(
    'okrug',
    'rural',
    String.raw`rural\s+(?:district|okrug)|(?:selskii|selskiy|auyldyk|auyldyq)\s+okrug\p{L}*|r\.\s?d\.`,
  ),
  word(
    'okrug',
    'township',
    String.raw`поселков\p{L}*\s+(?:администрац\p{L}*|акимат\p{L}*)|кент(?:т[іи]к|[іи]н[іи][нң])?\s+(?:[әа]к[іи]мд[іи]\p{L}*|[әа]к[іи]мш[іи]л\p{L}*)`,
  ),
  word(
    'okrug',
    'town',
    String.raw`городск\p{L}*\s+(?:администрац\p{L}*|акимат\p{L}*)|[қк]ала(?:лы[қк]|сы(?:ны[нң])?)?\s+(?:[әа]к[іи]мд[іи]\p{L}*|[әа]к[іи]мш[іи]л\p{L}*)`,
  ),
  word('okrug', 'rural', String.raw`[са]\s?[./\\-]\s?о\.?|[са]о|ао|[сра]\s?[./\\-]\s?[аә]\.?|аә|с\s?о\.`),
  word('okrug', 'township', String.raw`п\s?[./\\-]\s?а\.?|к\s?[./\\-]\s?[әа]\.?|кә`),
  word('okrug', 'town', String.raw`г\s?[./\\-]\s?а\.?|[қ]\s?[./\\-]\s?[әа]\.?|қә`),
  word('okrug', 'rural', String.raw`округ(?:а|у|ом|е|і|и|ы|[іи]н[іи][нң]|[іи]нде|[іи]нен)?|окр\.?|okrug`),
  word(
    undefined,
    'township',
    String.raw`пос[её]лок|пос[её]лка|пос[её]лке|пос\.|пгт\.?|кент(?:[іи]|[іи]н[іи][нң]|[іи]нде)?|township`,
  ),
  word(undefined, 'town', String.raw`город(?:а|е|у)?|гор\.|[қк]ала(?:сы|сыны[нң]|сында)?|town|city`),
  word('settlement', 'village', String.raw`сел[оае]|аул(?:а|е|ы)?|ауыл(?:ы|ыны[нң]|ында)?|village`),
];

/** A letter alone is a word only at the end, else at the beginning; elsewhere it is the initial of a first name. */
const letters: readonly (readonly [RegExp, Word['level'], PlaceKind])[] = [
  [/(?<=\p{L}{2})\s+(?:а|с)\.?$/u, 'settlement', 'village'],
  [/(?<=\p{L}{2})\s+(?:к|п)\.?$/u, undefined, 'township'],
  [/(?<=\p{L}{2})\s+(?:қ|г)\.?$/u, undefined, 'town'],
  [/^с[.\s]\s*(?=\p{L}{2})/u, 'settlement', 'village'],
  [/^п[.\s]\s*(?=\p{L}{2})/u, undefined, 'township'],
  [/^г[.\s]\s*(?=\p{L}{2})/u, undefined, 'town'],
];

const fillers = new Set(['им', 'имени', 'атындағы', 'атындагы', 'атын', 'ат']);
const lead = /^[^\p{L}\p{N}(«"]+/u;
const numbering = /^\d{1,3}(?:\.\d{1,3})*[.)]\s*(?=\p{L})/u;
const mark = /^[\s*†‡:;,]$/;
/** The number of a footnote at the end, behind a letter or a full stop, with or without parentheses. */
const footnoteNumber = /(?<=[\p{L}.])\(?(?<!\d)\d{1,2}\)?$/u;
const longestFootnote = 6;
const ownCode = /^(\d{9})(?!\d)/;
const districtWord = new RegExp(
  `${apart}(?:район(?:а|е|ы|у)?|р\\s?[-/]\\s?о?н|р-он|аудан(?:ы|ының|ында)?|ауд\\.?|облы?с\\p{L}*|област\\p{L}*|обл\\.?|rayon|raion|district|region)${end}`,
  'u',
);
const longest = 160;

/** Parses a cell that names a place below the districts, as «Карааульский с.о.» or «Абайский район, Карааульский с/о». */
export function readPlace(text: string): PlaceCell {
  if (text.length > longest) return { ...nameOf(''), code: undefined, above: undefined };
  const plain = plainLetters(text)
    .replace(/[‐‑‒–—−]/g, '-')
    .trim();
  const code = ownCode.exec(plain)?.[1];
  const named = withoutFootnotes(
    plain
      .slice(code?.length ?? 0)
      .replace(lead, '')
      .replace(numbering, ''),
  );
  const { place, above } = partsOf(named);
  return { ...nameOf(place), code, above };
}

/** Removes marks and numbers of footnotes at the end, one at a time. */
function withoutFootnotes(text: string): string {
  let end = text.length;
  while (end > 0) {
    const tail = text.slice(Math.max(0, end - longestFootnote), end);
    const taken = mark.test(tail.slice(-1)) ? 1 : (footnoteNumber.exec(tail)?.[0].length ?? 0);
    if (taken === 0) break;
    end -= taken;
  }
  return text.slice(0, end);
}

/** Separates the place from the units above it: by commas and parentheses, or by the words for their kinds. */
function partsOf(text: string): { readonly place: string; readonly above: string | undefined } {
  const pieces = text
    .split(/[,;()]|\s\/\s/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const isAbove = (piece: string) => districtWord.test(piece) && markOf(piece)?.level !== 'okrug';
  const [first = '', ...more] = pieces;
  if (more.length > 0) {
    const above = pieces.filter(isAbove);
    const places = pieces.filter((piece) => !isAbove(piece));
    // «Карааул (село)»: a word alone belongs to the name.
    return { place: places.join(' '), above: above.length > 0 ? above.join(', ') : undefined };
  }
  const mark = markOf(first);
  if (mark?.level !== 'okrug' || !districtWord.test(first)) return { place: first, above: undefined };
  const [before, after] = [first.slice(0, mark.from).trim(), first.slice(mark.to).trim()];
  // «Карааульский с.о. Абайского района», «Абайский район с.о. Карааульский»
  if (districtWord.test(after) && !districtWord.test(before) && before !== '')
    return { place: `${before} ${first.slice(mark.from, mark.to)}`, above: after };
  const last = [...before.matchAll(new RegExp(districtWord, 'gu'))].at(-1);
  if (last === undefined) return { place: first, above: undefined };
  const cut = last.index + last[0].length;
  return { place: first.slice(cut).trim(), above: first.slice(0, cut).trim() };
}

function markOf(text: string) {
  for (const { pattern, level, kind } of words) {
    const found = pattern.exec(text);
    if (found !== null) return { level, kind, from: found.index, to: found.index + found[0].length };
  }
  return undefined;
}

const adjective = /(?:ый|ий|ой|ая|яя|ое|ее|ого|его|ому|ему|ую|юю)$/u;

function nameOf(text: string): PlaceName {
  const mark = markOf(text);
  let level = mark?.level;
  let kind = mark?.kind;
  let rest = mark === undefined ? text : `${text.slice(0, mark.from)} ${text.slice(mark.to)}`;
  // «г.Каратау», «Қараауыл а.»
  if (mark === undefined)
    for (const [pattern, of, letterKind] of letters) {
      if (!pattern.test(rest)) continue;
      rest = rest.replace(pattern, ' ');
      [level, kind] = [of, letterKind];
      break;
    }
  const tokens = rest
    .split(/[^\p{L}\p{N}]+/u)
    .filter((each) => each !== '' && !fillers.has(each))
    .map((each) => (each.length > 4 ? each.replace(adjective, '~') : each));
  const key = tokens.join('');
  const [first = '', ...others] = tokens;
  return {
    level,
    kind,
    key,
    sound: soundOf(key),
    initialed: others.length === 0 ? undefined : soundOf(`${first.slice(0, 1)}${others.join('')}`),
  };
}
