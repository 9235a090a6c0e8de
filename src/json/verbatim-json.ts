import { randomUUID } from 'node:crypto';

const sourceText = Symbol('the text this was parsed from');

/**
 * Parses a JSON object that remembers its own text, so that `stringifyVerbatim` gives back what a double or a JavaScript
 * object can not hold: the digits of `1e400`, the order of the keys, keys sent twice.
 */
export function parseVerbatim(text: string): Record<string, unknown> {
  return Object.defineProperty(JSON.parse(text), sourceText, { value: text });
}

/** As `JSON.stringify`, but what came from `parseVerbatim` is written as it was sent. */
export function stringifyVerbatim(value: unknown): string {
  const mark = randomUUID(); // made here and now, so no client can have sent it
  const texts: string[] = [];
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !(sourceText in part)) return part;
    texts.push(String(part[sourceText]));
    return mark;
  });
  return texts.length === 0 ? json : json.replaceAll(`"${mark}"`, () => texts.shift() ?? '');
}

export type JsonTextFlaw = 'syntax' | 'depth' | 'text';

/**
 * Looks for what makes a JSON text unfit to keep: bad syntax, nesting deeper than `maxDepth`, or a string or key with
 * U+0000 or half a surrogate pair. Looks at the text itself: of keys sent twice a parser shows the last only.
 */
export function findJsonFlaw(text: string, maxDepth: number): JsonTextFlaw | undefined {
  if (!text.isWellFormed()) return 'text';
  try {
    JSON.parse(text);
  } catch {
    return 'syntax';
  }
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (!isStorableString(text.slice(at, end))) return 'text';
      at = end - 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth) return 'depth';
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return undefined;
}

/** Where the string that opens at `start` of a valid JSON text ends, its closing quote included. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isStorableString(literal: string): boolean {
  if (!literal.includes('\\')) return true;
  const string = String(JSON.parse(literal));
  return string.isWellFormed() && !string.includes('\u0000');
}
