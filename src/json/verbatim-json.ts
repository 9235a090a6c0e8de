import { randomUUID } from 'node:crypto';

/** The texts that one `stringifyVerbatim` meets, and what stands for each of them meanwhile. */
interface Writing {
  readonly mark: string;
  readonly texts: string[];
}

/** Set while `stringifyVerbatim` runs, which waits for nothing. */
let writing: Writing | undefined;

/** Parses a JSON object that keeps its text for `stringifyVerbatim`: digits, key order, repeated keys. */
export function parseVerbatim(text: string): Record<string, unknown> {
  const parsed: Record<string, unknown> = JSON.parse(text);
  // JSON.stringify asks for this method, which costs other objects nothing; a function that it is given is called for each value.
  return Object.defineProperty(parsed, 'toJSON', { value: () => standInFor(text, parsed) });
}

/** As `JSON.stringify`, but what came from `parseVerbatim` is written as it was sent. */
export function stringifyVerbatim(value: unknown): string {
  // The mark is made here and now, so no client can have sent it.
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
 * Returns whether brackets outside of strings are nested deeper than `maxDepth`; right for valid JSON. One step for each
 * character: a pattern for strings takes a square of the time on quotes that never close, and runs out of stack on long
 * ones.
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
  if (isDeeperThan(text, maxDepth)) return 'depth';
  return hasUnstorableEscape(text) ? 'text' : undefined;
}

/** Valid JSON has backslashes in strings only, so that one escape after the other can be taken out of it. */
function hasUnstorableEscape(text: string): boolean {
  for (const [escape] of text.matchAll(/\\u[Dd][89ABab]..\\u[Dd][C-Fc-f]..|\\u....|\\./g)) {
    if (escape.length !== '\\u0000'.length) continue;
    const character = String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    if (character === '\u0000' || !character.isWellFormed()) return true;
  }
  return false;
}

/** Returns the members of a JSON object by name; none of any other value. */
export function membersOf(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
