import { smallRun, withoutElevation } from '../small-dossier.ts';
import { type Base, type Forged, goodMembers, type Kinds } from './kit.ts';
import { fileForgeries } from './files.ts';
import { manifestForgeries } from './manifests.ts';
import { memberForgeries } from './members.ts';
import { signatureForgeries } from './signatures.ts';

export const kinds: Kinds = {
  ...memberForgeries,
  ...manifestForgeries,
  ...signatureForgeries,
  ...fileForgeries,
};

/** Makes a forgery of a kind from a dossier that is signed in one of the ways; undefined where that makes no sense. */
export async function forge(
  kind: Kinds[string],
  base: Base,
  seed: number,
  random: () => number,
): Promise<Forged | undefined> {
  const run = smallRun(seed);
  const members = goodMembers(base, run);
  const asRun = base === 'earlier' ? withoutElevation(run) : run;
  return await kind({ base, members, run: asRun, other: smallRun(seed + 10_000), random });
}
