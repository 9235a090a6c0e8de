import type { Charset } from './charset/charset.ts';
import { withoutCutCharacter } from './charset/evidence.ts';
import { plainName } from './dbf.ts';

/** A text in JSON, and whether it is a name (a colon follows). */
const textInJson = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
const asciiOnly = /^[\x20-\x7e]*$/;

/**
 * How the properties of a shapefile get their real names and letters: GDAL has written them with plain field names, and
 * with one character from U+0000 to U+00FF for each byte of a text.
 */
export function createRenaming(names: readonly string[], charset: Charset): (properties: Buffer) => Buffer {
  const byPlainName = new Map(names.map((name, index) => [plainName(index), JSON.stringify(name)]));
  const decode = (json: string): string => {
    if (asciiOnly.test(json) && !json.includes('\\u')) return json;
    const bytes = Buffer.from(String(JSON.parse(json)), 'latin1');
    return JSON.stringify(charset.decode(charset.name === 'UTF-8' ? withoutCutCharacter(bytes) : bytes));
  };
  return (properties) =>
    Buffer.from(
      properties.toString().replace(textInJson, (text: string, inner: string, colon: string | undefined) => {
        if (colon === undefined) return decode(text);
        return (byPlainName.get(inner) ?? decode(`"${inner}"`)) + colon;
      }),
    );
}
