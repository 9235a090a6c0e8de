/**
 * Tells whether brackets outside of strings are nested deeper than `maxDepth`; right for valid JSON. One step for each
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
