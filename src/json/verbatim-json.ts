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
