/** Minimum length; shorter sounds are too similar. */
const shortest = 5;
/** From this length on, two letters may differ. */
const long = 9;
const longest = 28;

const mostOf = (sound: string): 0 | 1 | 2 =>
  sound.length < shortest || sound.length > longest ? 0 : sound.length < long ? 1 : 2;

/**
 * Creates a search for phonetic keys that differ in one letter, or in two for long ones: deletion, insertion, substitution or
 * transposition. It looks up the keys with letters deleted, so that the time does not depend on the number of keys.
 */
export function createNearSounds(
  sounds: readonly string[],
): (sound: string) => { readonly distance: number; readonly found: readonly string[] } {
  const shortened = new Map<string, string[]>();
  for (const sound of sounds)
    for (const each of withoutLetters(sound)) {
      const known = shortened.get(each);
      if (known === undefined) shortened.set(each, [sound]);
      else known.push(sound);
    }
  return (sound) => {
    const most = mostOf(sound);
    if (most === 0) return { distance: 0, found: [] };
    const alike = new Set([...withoutLetters(sound)].flatMap((each) => shortened.get(each) ?? []));
    const near = [...alike].map((each) => ({ each, distance: distanceBetween(sound, each) }));
    const least = Math.min(...near.map(({ distance }) => distance));
    if (least > most) return { distance: 0, found: [] };
    return {
      distance: least,
      found: near.filter(({ distance }) => distance === least).map(({ each }) => each),
    };
  };
}

/** Returns a key with all its variants with one letter deleted, or two for a long key. */
function withoutLetters(sound: string): ReadonlySet<string> {
  const most = mostOf(sound);
  const all = new Set([sound]);
  let last = [sound];
  for (let count = 0; count < most; count += 1) {
    last = last.flatMap((each) => Array.from(each, (_, at) => each.slice(0, at) + each.slice(at + 1)));
    for (const each of last) all.add(each);
  }
  return all;
}

/** Returns the edit distance, in which a transposition of neighbours counts as one (optimal string alignment). */
export function distanceBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const differs = one[row - 1] === other[at - 1] ? 0 : 1;
      let best = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + differs);
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwapped) best = Math.min(best, (before[at - 2] ?? 0) + 1);
      next.push(best);
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
