import { readPeriod } from '../../../../common/table/periods/read.ts';
import { isKatoCode, readKatoText } from '../../../../common/table/kato-code.ts';
import { lineOf, readValue } from '../model/cells.ts';
import type { Tally } from '../model/tally.ts';
import type { Cell, Column, NumberedRow } from '../model/types.ts';
import { isTotal, isUnitName } from './unit-words.ts';

/** Words above or before the parts of an amount, in Russian, Kazakh and English; a bilingual table has them twice. */
const word = String.raw`в том числе|в т\. ?ч\.?|из (?:них|неё|нее|него|общ(?:его|ей) \p{L}+)|(?:оның|соның|олардың) ішінде|including|of (?:which|whom|them)`;
const before = new RegExp(`^(?:(?:${word})[\\s:.,/–—-]*)+`, 'iu');
/** Between the levels of a path. */
const step = ' / ';
const longestLabel = 200;

/** The text behind the words, which may be empty; undefined for a text without them. */
export function partOf(text: string): string | undefined {
  const found = before.exec(text);
  if (found === null) return undefined;
  const rest = text.slice(found[0].length);
  // `includingly` is another word.
  return /^\p{L}/u.test(rest) && /\p{L}$/u.test(found[0]) ? undefined : rest.trim();
}

/** `барлығы`, `всего` and similar words add nothing to a path. */
const whole = /^(?:всего|все(?!\p{L})|итого|барлы[ғқ]ы?|жалпы|жиыны|total|all(?!\p{L}))/iu;

/**
 * Names the parts of an amount in a header by their path: `Зерновые` beside `из них: пшеница` gives `Зерновые / пшеница`.
 * Takes the lines of the header, in which groups are filled, and returns them with other texts.
 */
export function headerPaths(lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  if (!lines.some((line) => line.some((cell) => typeof cell === 'string' && before.test(lineOf(cell)))))
    return lines;
  const texts = lines.map((line) => line.map((cell) => lineOf(cell)));
  const made: Cell[][] = lines.map((line) => [...line]);
  for (const [row, line] of texts.entries()) {
    const parents = new Map<number, number>();
    for (const [column, text] of line.entries()) {
      const rest = text === '' ? undefined : partOf(text);
      if (rest === undefined) continue;
      // A column that only has these words is for `flatPaths`.
      if (rest === '' && texts.slice(row + 1).every((lower) => (lower[column] ?? '') === '')) continue;
      const isSameGroup = (other: number): boolean =>
        texts.slice(0, row).every((upper) => (upper[other] ?? '') === (upper[column] ?? ''));
      let start = column;
      if (rest === '') while (start > 0 && line[start - 1] === text && isSameGroup(start - 1)) start -= 1;
      const beside = start - 1;
      const parent = siblingOf(line, beside, text) ? parents.get(beside) : beside;
      if (parent === undefined || parent < 1 || !isSameGroup(parent)) continue;
      parents.set(column, parent);
      const above = lineOf(made[row]?.[parent] ?? null) || lineOf(texts[row]?.[parent] ?? null);
      // A part of a year differs from a part of an amount: the page asks for its time.
      if (above !== '' && readPeriod(above)?.note === '') continue;
      const path = above === '' || whole.test(above) ? '' : above;
      const target = made[row];
      if (target === undefined) continue;
      if (rest !== '') target[column] = path === '' ? rest : path + step + rest;
      else target[column] = path === '' ? null : `${path} /`;
    }
  }
  return made;
}

/** Returns true if a column has the same words before another part: both are parts of one amount. */
function siblingOf(line: readonly string[], column: number, text: string): boolean {
  const other = line[column] ?? '';
  const [own, beside] = [before.exec(text)?.[0], before.exec(other)?.[0]];
  return own !== undefined && beside !== undefined && beside !== other && normal(own) === normal(beside);
}

const normal = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();

/** Parts that tables give without words before them. */
const knownParts =
  /^(?:городск(?:ое|ая)|сельск(?:ое|ая)|мужчины|женщины|мальчики|девочки|қала(?:лық)?|ауыл(?:дық)?|ерлер|әйелдер|urban|rural|males?|females?|men|women|город|село)(?: (?:население|местность|халқы|халық|жерлер|population|areas?))?$/iu;

interface SubRow {
  readonly row: NumberedRow;
  readonly label: string;
  /** Blanks before the label. */
  readonly indent: number;
  /** The text behind the words; undefined without them. */
  readonly part: string | undefined;
  readonly hasValues: boolean;
  readonly isPlace: boolean;
}

interface Parted {
  readonly kept: readonly NumberedRow[];
  readonly headings: readonly NumberedRow[];
}

export interface SubBlocks extends Parted {
  /** The path of each row that is kept; empty for the row of a place. */
  readonly paths: readonly string[];
}

/**
 * Finds rows that are parts of the row of a place, such as crops below `из них`: they get the place of that row, and a
 * path. Undefined if there are none. Rows that may be places stay as they are.
 */
export function partSubBlocks(
  { kept, headings }: Parted,
  columns: readonly Column[],
  tally: Tally,
): SubBlocks | undefined {
  if (columns.some(({ role }) => role === 'indicator' || role === 'period')) return undefined;
  const name = columns.find(({ role }) => role === 'name')?.source ?? labelColumn(columns, kept);
  if (name === undefined) return undefined;
  const code = columns.find(({ role }) => role === 'code')?.source;
  const sources = columns.flatMap(({ role, source }) =>
    role === 'value' && source !== undefined ? [source] : [],
  );
  const rows = [...kept, ...headings]
    .toSorted((a, b) => a.number - b.number)
    .map((row) => subRow(row, { name, code, sources }));
  const isPart = partsAmong(rows, code !== undefined);
  if (!isPart.includes(true)) {
    remarkOpen(rows, isPart, tally);
    return undefined;
  }
  remarkOpen(rows, isPart, tally);
  const found: { readonly row: NumberedRow; readonly path: string }[] = [];
  const left: NumberedRow[] = [];
  const walk = createWalk(tally);
  const places = columns.flatMap(({ role, source }) =>
    (role === 'code' || role === 'name' || role === 'region') && source !== undefined ? [source] : [],
  );
  const isHeading = new Set(headings);
  let place: NumberedRow | undefined;
  for (const [index, each] of rows.entries()) {
    const { row } = each;
    if (isPart[index] === true && place !== undefined) {
      const path = walk.part(each);
      if (path === undefined) continue;
      const cells: Cell[] = [...row.cells];
      for (const at of new Set([name, ...places])) cells[at] = place.cells[at] ?? null;
      found.push({ row: { ...row, cells }, path });
      tally.add('partsFound', { row: row.number, text: path });
    } else if (each.part === '' && !each.hasValues && isPart[index + 1] === true) walk.open(each);
    else if (isHeading.has(row)) {
      walk.close();
      left.push(row);
    } else {
      walk.close();
      place = row;
      found.push({ row, path: '' });
    }
  }
  return { kept: found.map(({ row }) => row), headings: left, paths: found.map(({ path }) => path) };
}

/** The column of labels in a table with codes, whose names differ below one code and so are no names of places. */
function labelColumn(columns: readonly Column[], rows: readonly NumberedRow[]): number | undefined {
  if (!columns.some(({ role }) => role === 'code')) return undefined;
  return columns.find(
    ({ role, source }) =>
      role === 'note' &&
      source !== undefined &&
      rows.some(({ cells }) => partOf(lineOf(cells[source])) !== undefined),
  )?.source;
}

const otherPlaces =
  /(?:автономн|федеральн|сельск)\p{L}* округ|республик|(?<!\p{L})край(?!\p{L})|^(?:г\.|город|село|пос[её]лок|қала) ?\p{Lu}/u;
const isPlaceName = (text: string): boolean => isUnitName(text) || otherPlaces.test(text);

function subRow(
  row: NumberedRow,
  { name, code, sources }: { name: number; code: number | undefined; sources: readonly number[] },
): SubRow {
  const cell = row.cells[name] ?? null;
  const label = lineOf(cell).slice(0, longestLabel);
  const part = partOf(label);
  const ownCode = code === undefined ? '' : lineOf(row.cells[code]);
  const isCoded = ownCode !== '' && isKatoCode(readKatoText(ownCode).katoCode);
  return {
    row,
    label,
    indent: typeof cell === 'string' ? cell.length - cell.trimStart().length : 0,
    part,
    hasValues: sources.some((source) => {
      const { kind } = readValue(row.cells[source] ?? null);
      return kind !== 'empty' && kind !== 'text';
    }),
    isPlace: isCoded || isPlaceName(part ?? label) || isTotal(label),
  };
}

interface Block {
  readonly rows: number[];
  /** The row of the place above it. */
  readonly place: string;
  /** True for rows that follow without words; they are parts if other places have them as well. */
  readonly isImplicit: boolean;
}

/** Decides for each row whether it is a part of the place above it. */
function partsAmong(rows: readonly SubRow[], hasCodes: boolean): boolean[] {
  const isPart = rows.map(() => false);
  const blocks: Block[] = [];
  const worded: { readonly index: number; readonly place: string }[] = [];
  let block: Block | undefined;
  let [hasPlace, isUnit, place] = [false, false, ''];
  const begin = (isImplicit: boolean): Block => {
    const begun = { rows: [], place, isImplicit };
    blocks.push(begun);
    return begun;
  };
  for (const [index, { part, isPlace, hasValues, label }] of rows.entries()) {
    if (hasPlace && part === '' && !hasValues) block ??= begin(false);
    else if (hasPlace && part !== undefined && part !== '' && !isPlace && hasValues) {
      worded.push({ index, place });
      block ??= begin(false);
    } else if (isPlace || !hasValues || label === '' || !hasPlace) {
      [hasPlace, block, place] = [true, undefined, label];
      isUnit = isPlace && hasValues && !isTotal(label);
    } else if (block !== undefined) block.rows.push(index);
    else if (knownParts.test(label)) isPart[index] = true;
    else if (isUnit) (block = begin(true)).rows.push(index);
  }
  const uses = new Map<string, Set<string>>();
  for (const each of blocks)
    for (const index of each.rows) {
      const label = keyOf(rows[index]?.label ?? '');
      uses.set(label, (uses.get(label) ?? new Set()).add(each.place));
    }
  const places = Map.groupBy(worded, ({ index }) => keyOf(rows[index]?.part ?? ''));
  for (const same of places.values()) {
    // `Из них: Балхаш`, which no other place has, may be a place.
    const isLower = same.every(({ index }) => /^\p{Ll}/u.test(rows[index]?.part ?? ''));
    const isOfSeveral = new Set(same.map((each) => each.place)).size > 1;
    if (isLower || isOfSeveral || hasCodes) for (const { index } of same) isPart[index] = true;
  }
  for (const each of blocks) {
    const repeated = each.rows.filter(
      (index) => (uses.get(keyOf(rows[index]?.label ?? ''))?.size ?? 0) > 1,
    ).length;
    const isLower = each.rows.every((index) => /^\p{Ll}/u.test(rows[index]?.label ?? ''));
    // In a table with codes, a place has a code.
    const isWorded = !each.isImplicit && (hasCodes || isLower || repeated * 2 > each.rows.length);
    const isOfParts = isWorded || (each.isImplicit && repeated === each.rows.length && repeated > 0);
    if (isOfParts) for (const index of each.rows) isPart[index] = true;
  }
  // Men and women below one place alone may be anything.
  const known = rows.flatMap(({ label, part }, index) =>
    part === undefined && isPart[index] === true && knownParts.test(label) ? [index] : [],
  );
  if (blocks.length === 0 && known.length < 3) for (const index of known) isPart[index] = false;
  return isPart;
}

const keyOf = (label: string): string => label.toLowerCase().replaceAll('ё', 'е');

/** Adds a remark if rows below such words may be parts or places. */
function remarkOpen(rows: readonly SubRow[], isPart: readonly boolean[], tally: Tally): void {
  for (const [index, { part, label, isPlace, hasValues, row }] of rows.entries()) {
    const before = rows[index - 1];
    const isBehind = before !== undefined && before.part === '' && !before.hasValues;
    if (isPlace || !hasValues || isPart[index] === true) continue;
    if (isBehind || (part !== undefined && part !== ''))
      tally.add('partsOpen', { row: row.number, text: label });
  }
}

interface Level {
  readonly label: string;
  readonly indent: number;
  readonly isLower: boolean;
  /** True for the first part behind words: parts without words may follow on its level. */
  readonly words: string | undefined;
}

/** Follows the levels of parts below one place. */
function createWalk(tally: Tally) {
  let levels: Level[] = [];
  let isOpening: string | undefined;
  const pathOf = (): string => levels.map(({ label }) => label).join(step);
  return {
    close: (): void => void ([levels, isOpening] = [[], undefined]),
    open: ({ label }: SubRow): void => void (isOpening = normal(label)),
    /** Returns the path of a part; undefined for words without values. */
    part({ label, part, indent, hasValues, row }: SubRow): string | undefined {
      const text = part === undefined || part === '' ? label : part;
      if (part === '' && !hasValues) {
        isOpening = normal(label);
        return undefined;
      }
      const words = isOpening ?? (part === undefined ? undefined : normal(before.exec(label)?.[0] ?? ''));
      isOpening = undefined;
      const isLower = /^\p{Ll}/u.test(text);
      const own: Level = { label: text, indent, isLower, words };
      const last = levels.at(-1);
      if (last === undefined) levels = [own];
      else if (words !== undefined) {
        // The same words again name another part of the same amount.
        const same = levels.findLastIndex((each) => each.words === words);
        levels =
          same === -1 || indent > (levels[same]?.indent ?? 0)
            ? [...levels, own]
            : [...levels.slice(0, same), own];
      } else {
        const upper = levels.findLastIndex((each) => each.indent === indent && each.isLower === isLower);
        if (upper !== -1) levels = [...levels.slice(0, upper), own];
        else if (indent > last.indent) levels = [...levels, own];
        else levels = [...levels.slice(0, Math.max(0, levels.length - 1)), own];
        if (levels.length > 1 || upper > 0) {
          const isClear =
            upper !== -1 && levels.length === upper + 1 && hasDifferentLevels(levels, indent, isLower);
          if (!isClear) tally.add('partsAssumed', { row: row.number, text: pathOf() });
        }
      }
      return pathOf();
    },
  };
}

/** Returns true if the levels of a path differ in their form, so that a part belongs to one of them only. */
function hasDifferentLevels(levels: readonly Level[], indent: number, isLower: boolean): boolean {
  return levels.slice(0, -1).every((each) => each.indent !== indent || each.isLower !== isLower);
}

interface FlatHeader {
  readonly names: readonly string[];
  /** Columns that only have such words, without values. */
  readonly empty: ReadonlySet<number>;
}

/**
 * Names the parts behind a column that has `в том числе` alone. They end where their sum is the amount before the words;
 * otherwise all columns behind it are taken for parts, with a remark.
 */
export function flatPaths(names: readonly string[], rows: readonly NumberedRow[], tally: Tally): FlatHeader {
  const made = [...names];
  const empty = new Set<number>();
  for (const [column, name] of names.entries()) {
    if (column < 2 || partOf(name) !== '') continue;
    if (rows.some(({ cells }) => readValue(cells[column] ?? null).kind === 'number')) continue;
    empty.add(column);
    const parent = column - 1;
    const above = made[parent] ?? '';
    if (above === '' || whole.test(above) || readPeriod(above)?.note === '') continue;
    const count = partsInSum(rows, parent, { first: column + 1, last: names.length - 1 });
    if (count === undefined) tally.add('partsAssumed', { text: above });
    const end = count === undefined ? names.length : column + 1 + count;
    for (let at = column + 1; at < end; at += 1) {
      const own = made[at] ?? '';
      if (own !== '') made[at] = above + step + own;
    }
  }
  return { names: made, empty };
}

/** The number of columns from `first` on whose sum is the value of a column in nearly all rows. */
function partsInSum(
  rows: readonly NumberedRow[],
  parent: number,
  { first, last }: { readonly first: number; readonly last: number },
): number | undefined {
  const numberAt = (row: NumberedRow, column: number): number | undefined => {
    const { value } = readValue(row.cells[column] ?? null);
    return typeof value === 'number' ? value : undefined;
  };
  const sums = rows.map(() => 0);
  for (let column = first; column <= last; column += 1) {
    let [equal, all] = [0, 0];
    for (const [index, row] of rows.entries()) {
      const whole = numberAt(row, parent);
      sums[index] = (sums[index] ?? 0) + (numberAt(row, column) ?? 0);
      if (whole === undefined || whole === 0) continue;
      all += 1;
      if (Math.abs((sums[index] ?? 0) - whole) <= Math.abs(whole) * 1e-3) equal += 1;
    }
    if (column > first && all > 1 && equal * 10 >= all * 9) return column - first + 1;
  }
  return undefined;
}
