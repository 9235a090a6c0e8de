import { isDay, midnights, withoutMidnight } from '../../../../common/maps/style/filter.ts';
import {
  type Comparison,
  type FilterExpression,
  type ValueExpression,
  spellingsOf,
} from '../../../../common/maps/style/filter-expression.ts';

/** An expression of the MapLibre style specification, as JSON. */
export type MapExpression = string | number | boolean | readonly MapExpression[];

/** Represents a value that is not a number, because MapLibre has no NaN. */
const noNumber = -1e308;
export const everything: MapExpression = ['all'];
const nothing: MapExpression = ['any'];

/**
 * Translates a filter to a MapLibre expression with the same result for every feature: missing values compare with nothing, and numbers in
 * text compare as numbers. Undefined if MapLibre cannot express it: patterns with a single-character wildcard.
 */
export function mapFilterOf(expression: FilterExpression): MapExpression | undefined {
  switch (expression[0]) {
    case 'all':
    case 'any': {
      const parts = expression[1].map(mapFilterOf);
      const said = parts.filter((part) => part !== undefined);
      return said.length < parts.length ? undefined : [expression[0], ...said];
    }
    case '!': {
      const part = mapFilterOf(expression[1]);
      return part === undefined ? undefined : ['!', part];
    }
    case 'null':
      return isMissing(expression[1]);
    case 'between': {
      const [, value, low, high] = expression;
      return ['all', compared('>=', value, low), compared('<=', value, high)];
    }
    case 'like':
      return like(textOf(expression[1]), expression[2]);
    default:
      return compared(...expression);
  }
}

function compared(sign: Comparison, first: ValueExpression, second: ValueExpression): MapExpression {
  if (first === '' || second === '') return nothing;
  const literals = [first, second].filter((value) => typeof value === 'string');
  const areDays = literals.length === 0 || literals.some((text) => isDay(withoutMidnight(text)));
  const [one, other] = [textOf(first), textOf(second)];
  const texts = areDays ? [dayOf(one), dayOf(other)] : [one, other];
  return [
    'let',
    'n1',
    numberOf(first),
    'n2',
    numberOf(second),
    [
      'case',
      ['any', isMissing(first), isMissing(second)],
      false,
      ['all', ['!=', ['var', 'n1'], noNumber], ['!=', ['var', 'n2'], noNumber]],
      [sign, ['var', 'n1'], ['var', 'n2']],
      [sign, ...texts],
    ],
  ];
}

/** Returns a day without a time for a day at midnight. */
function dayOf(text: MapExpression): MapExpression {
  const isMidnight: MapExpression = ['in', ['slice', text, 10], ['literal', midnights]];
  return ['case', isMidnight, ['slice', text, 0, 10], text];
}

/** Returns the number of a value, or `noNumber`. */
function numberOf(value: ValueExpression): MapExpression {
  if (typeof value === 'string') {
    const number = Number(value);
    return value === '' || !Number.isFinite(number) ? noNumber : number;
  }
  switch (value[0]) {
    case 'get':
    case 'lower':
    case 'upper':
      return ['case', isMissing(value), noNumber, ['to-number', said(value), noNumber]];
    default: {
      const [sign, first, second] = value;
      const isNumber = (name: string): MapExpression => ['!=', ['var', name], noNumber];
      return [
        'let',
        'a',
        numberOf(first),
        'b',
        numberOf(second),
        ['case', ['all', isNumber('a'), isNumber('b')], [sign, ['var', 'a'], ['var', 'b']], noNumber],
      ];
    }
  }
}

/** Returns the text of a value; "" if it is missing. */
function textOf(value: ValueExpression): MapExpression {
  return ['to-string', said(value)];
}

/** Returns a value of any type unchanged. */
function said(value: ValueExpression): MapExpression {
  if (typeof value === 'string') return value;
  switch (value[0]) {
    case 'get':
      return propertyOf(value[1]);
    case 'lower':
      return ['downcase', textOf(value[1])];
    case 'upper':
      return ['upcase', textOf(value[1])];
    default:
      return numberOf(value);
  }
}

/** Returns the first property with one of the spellings of a name. */
function propertyOf(written: string): MapExpression {
  const [first = '', ...others] = spellingsOf(written).toReversed();
  return others.reduce<MapExpression>(
    (otherwise, name) => ['case', ['has', name], ['get', name], otherwise],
    ['get', first],
  );
}

function isMissing(value: ValueExpression): MapExpression {
  if (typeof value === 'string') return value === '';
  const isText = value[0] === 'get' || value[0] === 'lower' || value[0] === 'upper';
  return isText ? ['==', textOf(value), ''] : ['==', numberOf(value), noNumber];
}

/** Matches texts in sequence with anything in between, each at its earliest position. */
function like(text: MapExpression, pattern: readonly (string | 0 | 1)[]): MapExpression | undefined {
  if (pattern.includes(1)) return undefined;
  const parts = pattern.filter((part) => typeof part === 'string');
  if (!pattern.includes(0)) return ['==', text, parts.join('')];
  const [first, last] = [pattern[0], pattern.at(-1)];
  const start = typeof first === 'string' ? first : '';
  const end = typeof last === 'string' ? last : '';
  const middle = parts.slice(start === '' ? 0 : 1, end === '' ? parts.length : -1);
  const ends: MapExpression = [
    'all',
    ['>=', ['length', text], ['+', ['var', 'at'], end.length]],
    ['==', ['slice', text, ['-', ['length', text], end.length]], end],
  ];
  const found = middle.reduceRight<MapExpression>(
    (then, part) => [
      'let',
      'found',
      ['index-of', part, text, ['var', 'at']],
      [
        'case',
        ['==', ['var', 'found'], -1],
        false,
        ['let', 'at', ['+', ['var', 'found'], part.length], then],
      ],
    ],
    end === '' ? true : ends,
  );
  return ['all', ['==', ['slice', text, 0, start.length], start], ['let', 'at', start.length, found]];
}
