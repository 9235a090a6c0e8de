import { SaxesParser } from 'saxes';
import { withoutCutCharacter, type Charset } from './charset/charset.ts';
import { maxNameBytes } from './dbf-header.ts';

/**
 * Reads the names of a table's fields in its charset, all different: mended where they were cut inside a letter, replaced by
 * the full name of the metadata where there is exactly one that they begin. `truncated` are those that were
 * changed, also to tell two of them apart.
 */
export function readableNames(raw: readonly Uint8Array[], charset: Charset, fullNames: readonly string[]) {
  const truncated: string[] = [];
  const known = new Set(raw.map((bytes) => charset.decode(bytes)));
  const candidates = [...new Set(fullNames)].filter((name) => !known.has(name));
  const taken = new Set<string>();
  const names = raw.map((bytes, index) => {
    const whole = withoutCutCharacter(bytes, charset);
    const short = charset.decode(whole);
    // Only a name that fills its place can have been cut.
    const longer =
      bytes.length < maxNameBytes || short === ''
        ? []
        : candidates.filter((name) => name.length > short.length && name.startsWith(short));
    const [full] = longer;
    const only = longer.length === 1 && full !== undefined && !taken.has(full) ? full : undefined;
    const name = free(only ?? (short === '' ? `field_${index + 1}` : short), taken);
    if (name !== short || whole.length < bytes.length) truncated.push(name);
    taken.add(name);
    return name;
  });
  return { names, truncated };
}

/** Numbers the name when another field has it already. */
function free(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}_${number}`;
  return unique;
}

/** Elements of ESRI's and FGDC's metadata that hold the name of a field. */
const fieldNameElements: readonly string[] = ['attrlabl', 'attrlabel'];
/** Longer ones are no names. */
const maxNameLetters = 255;

/** Reads the full names of the fields from a `.shp.xml`; what cannot be read as XML, or has a DOCTYPE, has none. */
export function readFieldNames(xml: string): readonly string[] {
  const names: string[] = [];
  let text: string | undefined;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    text = fieldNameElements.includes(name.toLowerCase()) ? '' : undefined;
  });
  parser.on('text', (piece) => {
    if (text !== undefined) text += piece;
  });
  parser.on('closetag', () => {
    const name = text?.trim() ?? '';
    if (name !== '' && name.length <= maxNameLetters) names.push(name);
    text = undefined;
  });
  try {
    parser.write(xml).close();
  } catch {
    return [];
  }
  return names;
}
