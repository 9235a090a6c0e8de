import { readTemplate } from './cql.ts';
import type { Element } from './xml-tree.ts';

type Operate = (first: number, second: number) => number;
const operations: Readonly<Record<string, Operate>> = {
  Add: (first, second) => first + second,
  Sub: (first, second) => first - second,
  Mul: (first, second) => first * second,
  Div: (first, second) => first / second,
};

/** What the program that draws says itself, whatever a style takes for its default. */
const ofTheProgram = /^(?:wms_|kml|gwc_)/i;

const ofTexts = (join: (texts: readonly string[]) => string) => join;
const ofNumbers = (compute: (...numbers: number[]) => number) =>
  ofTexts((texts) => String(compute(...texts.map(Number))));

/** Functions of GeoServer and of Symbology Encoding that have one result for the same texts. */
const functions: Readonly<Record<string, (texts: readonly string[]) => string | undefined>> = {
  // A request passes no value, so the default applies.
  env: ([name = '', otherwise]) => (ofTheProgram.test(name) ? undefined : otherwise),
  strconcat: ofTexts((texts) => texts.join('')),
  concatenate: ofTexts((texts) => texts.join('')),
  strtolowercase: ofTexts(([text = '']) => text.toLowerCase()),
  strtouppercase: ofTexts(([text = '']) => text.toUpperCase()),
  strtrim: ofTexts(([text = '']) => text.trim()),
  parsedouble: ofNumbers((number = Number.NaN) => number),
  parseint: ofNumbers((number = Number.NaN) => Math.trunc(number)),
  abs: ofNumbers((number = Number.NaN) => Math.abs(number)),
  ceil: ofNumbers((number = Number.NaN) => Math.ceil(number)),
  floor: ofNumbers((number = Number.NaN) => Math.floor(number)),
  round: ofNumbers((number = Number.NaN) => Math.round(number)),
  min: ofNumbers((...numbers) => Math.min(...numbers)),
  max: ofNumbers((...numbers) => Math.max(...numbers)),
};

/** Returns the text of a function of constants; undefined when it is unknown, or depends on something else. */
export function callOf(name: string, texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  const key = name.toLowerCase();
  if (known.length < texts.length || !Object.hasOwn(functions, key)) return undefined;
  return functions[key]?.(known);
}

/** Returns the text of a sum, difference, product or quotient of constants; undefined when it is not a number. */
export function computed(
  operation: string,
  first: string | undefined,
  second: string | undefined,
): string | undefined {
  const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (operate === undefined || first === undefined || second === undefined) return undefined;
  const result = operate(Number(first), Number(second));
  return Number.isFinite(result) ? String(result) : undefined;
}

/** Returns the text that an expression always has; undefined when it depends on what is drawn, or on who draws it. */
export function constantOf({ name, text, children, attributes }: Element): string | undefined {
  switch (name) {
    case 'Literal':
    case 'StringValue': {
      const [only] = children;
      return only === undefined ? text : text === '' && children.length === 1 ? constantOf(only) : undefined;
    }
    case 'Function':
      return callOf(attributes['name'] ?? '', children.map(constantOf));
    case 'Concatenate':
      return callOf(name, children.map(constantOf));
    default: {
      const [first, second] = children;
      return computed(name, first && constantOf(first), second && constantOf(second));
    }
  }
}

/** Returns a text with what GeoServer puts in place of each `${…}`; undefined when one of them is not a constant. */
export function constantText(text: string): string | undefined {
  return text.includes('${') ? readTemplate(text, { callOf, computed }) : text;
}
