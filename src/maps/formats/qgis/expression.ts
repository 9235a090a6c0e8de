import { isDay, withoutMidnight } from '../../../../common/maps/style/filter.ts';
import {
  type Comparison,
  type FilterExpression,
  spellingsOf,
  type ValueExpression,
} from '../../../../common/maps/style/filter-expression.ts';
import type { ColumnType } from '../../../geo/flatgeobuf/layout.ts';

/** A column of a layer: its name in the file that QGIS reads, and the type of its values. */
export interface LayerColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Columns of a layer by their names in styles. */
export type LayerColumns = ReadonlyMap<string, LayerColumn>;

type Get = Extract<ValueExpression, readonly ['get', string]>;

/**
 * Translates a filter to a QGIS expression that is true for the same features, and never NULL: missing values compare
 * with nothing, and numbers in text compare as numbers.
 */
export function qgisFilterOf(expression: FilterExpression, columns: LayerColumns): string {
  switch (expression[0]) {
    case 'all':
    case 'any': {
      const parts = expression[1].map((part) => qgisFilterOf(part, columns));
      if (parts.length === 0) return expression[0] === 'all' ? 'TRUE' : 'FALSE';
      return `(${parts.join(expression[0] === 'all' ? ' AND ' : ' OR ')})`;
    }
    case '!':
      return `(NOT ${qgisFilterOf(expression[1], columns)})`;
    case 'null':
      return `(${presentOf(expression[1], columns)} IS NULL)`;
    case 'between': {
      const [, value, low, high] = expression;
      return `(${compared('>=', [value, low], columns)} AND ${compared('<=', [value, high], columns)})`;
    }
    case 'like':
      return likeOf(textOf(expression[1], columns), expression[2]);
    default:
      return compared(expression[0], [expression[1], expression[2]], columns);
  }
}

function compared(
  sign: Comparison,
  [first, second]: readonly [ValueExpression, ValueExpression],
  columns: LayerColumns,
): string {
  const own = sign === '==' ? '=' : sign === '!=' ? '<>' : sign;
  const [one, other] = [besideOf(first, second, columns), besideOf(second, first, columns)];
  const plain = `coalesce(${one} ${own} ${other}, FALSE)`;
  // QGIS compares two texts as texts, even if both are numbers.
  if (!mayBeText(first, columns) || !mayBeText(second, columns)) return plain;
  const [left, right] = [numberOf(first, columns), numberOf(second, columns)];
  return `coalesce(${left} ${own} ${right}, ${plain})`;
}

/**
 * Returns an operand for comparison with another one: numbers as numbers, a day at midnight as a day, booleans in the
 * type of the other operand.
 */
function besideOf(value: ValueExpression, other: ValueExpression, columns: LayerColumns): string {
  if (typeof value === 'string') {
    if (value === '') return 'NULL';
    return isNumber(value) ? numberLiteral(value) : textLiteral(withoutMidnight(value));
  }
  if (value[0] !== 'get') return presentOf(value, columns);
  const column = columnOf(value, columns);
  const own = readOf(column, typeof other === 'string' && !isNumber(other));
  const mayBeDay = typeof other === 'string' && isDay(withoutMidnight(other));
  return mayBeDay && isText(column)
    ? `regexp_replace(${own}, ${atMidnight}, ${textLiteral(String.raw`\1`)})`
    : own;
}

/** Returns true if a value is text for QGIS; numeric literals are not. */
function mayBeText(value: ValueExpression, columns: LayerColumns): boolean {
  if (typeof value === 'string') return !isNumber(value);
  if (value[0] === 'lower' || value[0] === 'upper') return true;
  return value[0] === 'get' && isText(columnOf(value, columns));
}

const isText = (column: LayerColumn | undefined): boolean =>
  column?.type === 'String' || column?.type === 'Json';

/** Returns a value; NULL if it is missing. */
function presentOf(value: ValueExpression, columns: LayerColumns): string {
  if (typeof value === 'string') return value === '' ? 'NULL' : textLiteral(value);
  switch (value[0]) {
    case 'get':
      return readOf(columnOf(value, columns), true);
    case 'lower':
    case 'upper':
      return `nullif(${value[0]}(${textOf(value[1], columns)}), '')`;
    default:
      return `(${numberOf(value[1], columns)} ${value[0]} ${numberOf(value[2], columns)})`;
  }
}

/**
 * Returns the value of a column; NULL if it is missing.
 * @param asText true to read booleans as text, false to read them as numbers
 */
function readOf(column: LayerColumn | undefined, asText: boolean): string {
  if (column === undefined) return 'NULL';
  const name = nameOf(column);
  const [yes, no] = asText ? ["'true'", "'false'"] : ['1', '0'];
  switch (column.type) {
    case 'Bool':
      return `CASE WHEN ${name} THEN ${yes} WHEN NOT ${name} THEN ${no} END`;
    case 'String':
      return `nullif(${name}, '')`;
    case 'Json':
      // Lists and objects cannot be compared, and this function reads only these.
      return (
        `CASE WHEN left(${name}, 1) IN ('[', '{') OR ${name} IN ('""', 'null') THEN NULL ` +
        `WHEN ${name} = 'true' THEN ${yes} WHEN ${name} = 'false' THEN ${no} ` +
        `ELSE array_get(from_json('[' || ${name} || ']'), 0) END`
      );
    default:
      return name;
  }
}

/** Returns the number of a value; NULL if it is not a number. */
function numberOf(value: ValueExpression, columns: LayerColumns): string {
  if (typeof value === 'string') return isNumber(value) ? numberLiteral(value) : 'NULL';
  const own = value[0] === 'get' ? readOf(columnOf(value, columns), false) : presentOf(value, columns);
  return mayBeText(value, columns) ? `try(to_real(${own}))` : own;
}

/** Returns the text of a value; "" if it is missing. */
function textOf(value: ValueExpression, columns: LayerColumns): string {
  return typeof value === 'string'
    ? textLiteral(value)
    : `coalesce(to_string(${presentOf(value, columns)}), '')`;
}

function likeOf(text: string, pattern: readonly (string | 0 | 1)[]): string {
  const parts = pattern.map((part) =>
    part === 0 ? '.*' : part === 1 ? '.' : part.replace(/[\\^$.|?*+()[\]{}/-]/g, String.raw`\$&`),
  );
  return `(regexp_match(${text}, ${textLiteral(String.raw`(?s)^${parts.join('')}\z`)}) > 0)`;
}

function columnOf([, written]: Get, columns: LayerColumns): LayerColumn | undefined {
  const name = spellingsOf(written).find((each) => columns.has(each));
  return name === undefined ? undefined : columns.get(name);
}

const nameOf = ({ name }: LayerColumn): string => `"${name.replaceAll('"', '""')}"`;

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** QGIS cannot read signed numbers and some notations of JavaScript. */
const numberLiteral = (text: string): string => {
  const number = String(Number(text));
  return /^\d+(?:\.\d+)?$/.test(number) ? number : `to_real('${number}')`;
};

/** XML would turn line breaks and tabs into spaces. */
const textLiteral = (text: string): string =>
  `'${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll("'", "''")
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)}'`;

const atMidnight = textLiteral(String.raw`^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0|\.000)?)?(Z|\+00:00)?$`);
