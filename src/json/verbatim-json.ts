import { randomUUID } from 'node:crypto';

const sourceText = Symbol('the text this was parsed from');

/** Parses a JSON object that keeps its text for `stringifyVerbatim`: digits, key order, repeated keys. */
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
