/** How constants are computed. */
interface Computing {
  readonly callOf: (name: string, texts: readonly (string | undefined)[]) => string | undefined;
  readonly computed: (
    operation: string,
    first: string | undefined,
    second: string | undefined,
  ) => string | undefined;
}

const maxCharacters = 2_000;
const maxDepth = 16;
const token =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|'((?:[^']|'')*)'|([A-Za-z_][A-Za-z0-9_]*)|([-+*/(),]))/y;

const operationOf: Readonly<Record<string, string>> = { '+': 'Add', '-': 'Sub', '*': 'Mul', '/': 'Div' };

/**
 * Replaces each `${…}` of a text by the constant that its expression is: numbers, texts in quotes, arithmetic and functions of
 * CQL. `\$` is a sign like any other. Undefined when something in it is not a constant, or does not end.
 */
export function readTemplate(template: string, computing: Computing): string | undefined {
  if (template.length > maxCharacters) return undefined;
  let text = '';
  for (let at = 0; at < template.length;) {
    if (template.startsWith('\\$', at)) {
      text += '$';
      at += 2;
    } else if (template.startsWith('${', at)) {
      const end = endOf(template, at + 2);
      const value = end === undefined ? undefined : readCql(template.slice(at + 2, end), computing);
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

/** The brace that ends an expression: none within quotes does. */
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

/** Returns the value of an expression of CQL; undefined when it is not a constant. */
function readCql(source: string, computing: Computing): string | undefined {
  const tokens = tokensOf(source);
  return tokens && readTokens(tokens, computing);
}

function readTokens(tokens: readonly Token[], { callOf, computed }: Computing): string | undefined {
  let next = 0;
  let depth = 0;
  const isSign = (...signs: readonly string[]) => {
    const found = tokens[next];
    return found?.kind === 'sign' && signs.includes(found.text);
  };

  /** Operations of the same rank, from the left. */
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

  /** A name without brackets is a property, which is not a constant. */
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
