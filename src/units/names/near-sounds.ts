/** Shorter sounds are too like each other. */
const shortest = 5;
/** From this length on two letters may differ. */
const long = 9;
const longest = 28;

const mostOf = (sound: string): 0 | 1 | 2 =>
  sound.length < shortest || sound.length > longest ? 0 : sound.length < long ? 1 : 2;

/**
 * Prepares to find the sounds that differ from another in one letter, long ones in two: left out, added, another or in the place
 * of its neighbour. What remains without the letters is looked up, so that the time does not depend on how many sounds there are.
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

/** A sound, and all that is left of it without one letter, or two of a long one. */
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

/** Returns how many letters differ, where two neighbours that have changed places are one (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
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
