import { randomUUID } from 'node:crypto';

/** Texts of one call of `stringifyVerbatim`, and the mark of their placeholders. */
interface Writing {
  readonly mark: string;
  readonly texts: string[];
}

/** Set during `stringifyVerbatim`, which is synchronous. */
let writing: Writing | undefined;

/** Parses a JSON object and keeps its text for `stringifyVerbatim`: digits, key order, repeated keys. */
export function parseVerbatim(text: string): Record<string, unknown> {
  const parsed: Record<string, unknown> = JSON.parse(text);
  // `toJSON` costs other objects nothing; a replacer function would be called for every value.
  return Object.defineProperty(parsed, 'toJSON', { value: () => standInFor(text, parsed) });
}

/** Works like `JSON.stringify`, but writes objects from `parseVerbatim` exactly as they were received. */
export function stringifyVerbatim(value: unknown): string {
  // The mark is random and new for each call, so that no client can have sent it.
  const current = { mark: randomUUID(), texts: new Array<string>() };
  writing = current;
  try {
    const json = JSON.stringify(value);
    const { mark, texts } = current;
    return texts.length === 0 ? json : json.replaceAll(`"${mark}"`, () => texts.shift() ?? '');
  } finally {
    writing = undefined;
  }
}

function standInFor(text: string, parsed: object): unknown {
  if (writing === undefined) return parsed;
  writing.texts.push(text);
  return writing.mark;
}

/**
 * Returns whether brackets outside strings are nested deeper than `maxDepth`; correct for valid JSON. Linear: a regular
 * expression for strings is quadratic on unclosed quotes, and overflows the stack on long ones.
 */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return false;
}

export type JsonTextFlaw = 'syntax' | 'depth' | 'text';

/**
 * Finds a flaw that makes a JSON text unfit for storage: invalid syntax, nesting deeper than `maxDepth`, or a string or key with U+0000 or
 * an unpaired surrogate. Reads the text itself, because a parser shows only the last of repeated keys.
 */
export function findJsonFlaw(text: string, maxDepth: number): JsonTextFlaw | undefined {
  if (!text.isWellFormed()) return 'text';
  try {
    JSON.parse(text);
  } catch {
    return 'syntax';
  }
  if (isDeeperThan(text, maxDepth)) return 'depth';
  return hasUnstorableEscape(text) ? 'text' : undefined;
}

/** In valid JSON, backslashes occur in strings only: escapes can be scanned without parsing. */
function hasUnstorableEscape(text: string): boolean {
  for (const [escape] of text.matchAll(/\\u[Dd][89ABab]..\\u[Dd][C-Fc-f]..|\\u....|\\./g)) {
    if (escape.length !== '\\u0000'.length) continue;
    const character = String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    if (character === '\u0000' || !character.isWellFormed()) return true;
  }
  return false;
}

/** Returns the members of a JSON object by name; empty for any other value. */
export function membersOf(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
