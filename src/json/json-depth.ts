/**
 * Whether brackets outside of strings are nested deeper than `maxDepth`; right for valid JSON, and what is not is refused
 * anyway. One step for each character: a pattern for strings takes a square of the time on quotes that never close,
 * and runs out of stack on long ones.
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
