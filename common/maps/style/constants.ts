import type { Element } from './xml-tree.ts';

type Operate = (first: number, second: number) => number;
const operations: Readonly<Record<string, Operate>> = {
  Add: (first, second) => first + second,
  Sub: (first, second) => first - second,
  Mul: (first, second) => first * second,
  Div: (first, second) => first / second,
};

/** Variables that the drawing program sets, regardless of a style's default. */
const ofTheProgram = /^(?:wms_|kml|gwc_)/i;

const ofTexts = (join: (texts: readonly string[]) => string) => join;
const ofNumbers = (compute: (...numbers: number[]) => number) =>
  ofTexts((texts) => String(compute(...texts.map(Number))));

/** Functions of GeoServer and of Symbology Encoding whose result depends on their texts only. */
const functions: Readonly<Record<string, (texts: readonly string[]) => string | undefined>> = {
  // Requests pass no value, so that the default applies.
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

/** Returns the result of a function of constants; undefined for an unknown function, or one that depends on something else. */
function callOf(name: string, texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  const key = name.toLowerCase();
  if (known.length < texts.length || !Object.hasOwn(functions, key)) return undefined;
  return functions[key]?.(known);
}

/** Returns the result of an arithmetic operation on constants; undefined if it is not a number. */
function computed(
  operation: string,
  first: string | undefined,
  second: string | undefined,
): string | undefined {
  const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (operate === undefined || first === undefined || second === undefined) return undefined;
  const result = operate(Number(first), Number(second));
  return Number.isFinite(result) ? String(result) : undefined;
}

/** Returns the constant text of an expression; undefined if it depends on the data or the program. */
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

/** Returns a text with each `${…}` replaced as in GeoServer; undefined if one of them is not a constant. */
export function constantText(text: string): string | undefined {
  return text.includes('${') ? readTemplate(text) : text;
}

const maxCharacters = 2_000;
const maxDepth = 16;
const token =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|'((?:[^']|'')*)'|([A-Za-z_][A-Za-z0-9_]*)|([-+*/(),]))/y;

const operationOf: Readonly<Record<string, string>> = { '+': 'Add', '-': 'Sub', '*': 'Mul', '/': 'Div' };

/**
 * Replaces each `${…}` in a text by its constant value: numbers, quoted texts, arithmetic and functions of CQL. `\$` is
 * a plain character. Undefined if an expression is not a constant, or is not closed.
 */
function readTemplate(template: string): string | undefined {
  if (template.length > maxCharacters) return undefined;
  let text = '';
  for (let at = 0; at < template.length;) {
    if (template.startsWith('\\$', at)) {
      text += '$';
      at += 2;
    } else if (template.startsWith('${', at)) {
      const end = endOf(template, at + 2);
      const value = end === undefined ? undefined : readCql(template.slice(at + 2, end));
      if (end === undefined || value === undefined) return undefined;
      text += value;
      at = end + 1;
    } else {
      text += template.charAt(at);
      at += 1;
    }
  }
  return text;
}

/** Returns the position of the brace that ends an expression, ignoring quoted ones. */
function endOf(template: string, start: number): number | undefined {
  let isQuoted = false;
  for (let at = start; at < template.length; at += 1) {
    if (template[at] === "'") isQuoted = !isQuoted;
    else if (template[at] === '}' && !isQuoted) return at;
  }
  return undefined;
}

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name' | 'sign'; readonly text: string };

function tokensOf(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; source.slice(at).trim() !== '';) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (match === null) return undefined;
    const [, number, quoted, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'text', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'") });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
    at = token.lastIndex;
  }
  return tokens;
}

/** Returns the value of a CQL expression; undefined if it is not a constant. */
function readCql(source: string): string | undefined {
  const tokens = tokensOf(source);
  return tokens && readTokens(tokens);
}

function readTokens(tokens: readonly Token[]): string | undefined {
  let next = 0;
  let depth = 0;
  const isSign = (...signs: readonly string[]) => {
    const found = tokens[next];
    return found?.kind === 'sign' && signs.includes(found.text);
  };

  /** Operators of the same precedence, left-associative. */
  const chain = (read: () => string | undefined, ...signs: readonly string[]) => {
    let value = read();
    while (isSign(...signs)) {
      const operation = operationOf[tokens[next]?.text ?? ''] ?? '';
      next += 1;
      value = computed(operation, value, read());
    }
    return value;
  };
  const sum = (): string | undefined => chain(() => chain(factor, '*', '/'), '+', '-');

  function factor(): string | undefined {
    const found = tokens[next];
    next += 1;
    depth += 1;
    try {
      if (found === undefined || depth > maxDepth) return undefined;
      if (found.kind === 'text') return found.text;
      if (found.kind === 'name') return call(found.text);
      if (found.text === '-') return computed('Sub', '0', factor());
      if (found.text !== '(') return undefined;
      const value = sum();
      return take(')') ? value : undefined;
    } finally {
      depth -= 1;
    }
  }

  /** A name without parentheses is a property, which is not a constant. */
  function call(name: string): string | undefined {
    if (!take('(')) return undefined;
    const values: (string | undefined)[] = [];
    while (next < tokens.length && !isSign(')')) {
      values.push(sum());
      if (!take(',')) break;
    }
    return take(')') ? callOf(name, values) : undefined;
  }

  function take(sign: string): boolean {
    if (!isSign(sign)) return false;
    next += 1;
    return true;
  }

  const value = sum();
  return next === tokens.length ? value : undefined;
}
