import { utf8, type Charset } from './charset/charset.ts';
import { withoutCutCharacter } from './charset/evidence.ts';

/** Bytes of a name in a `.dbf`; writers cut longer ones here. */
const maxNameBytes = 10;

export interface FieldNames {
  /** All different. */
  readonly names: readonly string[];
  /** Those that were cut inside a letter, or that a longer name replaces. */
  readonly truncated: readonly string[];
}

/**
 * The names of a table's fields: read in its charset, mended where they were cut inside a letter, replaced by the full
 * name of the metadata where there is exactly one that they begin.
 */
export function readableNames(
  raw: readonly Uint8Array[],
  charset: Charset,
  fullNames: readonly string[],
): FieldNames {
  const truncated: string[] = [];
  const known = new Set(raw.map((bytes) => charset.decode(bytes)));
  const candidates = [...new Set(fullNames)].filter((name) => !known.has(name));
  const taken = new Set<string>();
  const names = raw.map((bytes, index) => {
    const whole = charset.name === utf8.name ? withoutCutCharacter(bytes) : bytes;
    const short = charset.decode(whole);
    // Only a name that fills its place can have been cut.
    const longer =
      bytes.length < maxNameBytes || short === ''
        ? []
        : candidates.filter((name) => name.length > short.length && name.startsWith(short));
    const [full] = longer;
    const only = longer.length === 1 && full !== undefined && !taken.has(full) ? full : undefined;
    if (only !== undefined || whole.length < bytes.length) truncated.push(only ?? short);
    const name = free(only ?? (short === '' ? `field_${index + 1}` : short), taken);
    taken.add(name);
    return name;
  });
  return { names, truncated };
}

/** The name, numbered when another field has it already. */
function free(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}_${number}`;
  return unique;
}
