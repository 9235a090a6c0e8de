import { Problem } from '../../errors.ts';

const maxNameShown = 60;

/** A name out of the file as a sentence can hold it: in quotes, without control characters, cut to a bounded length. */
export function shown(name: string): string {
  const clean = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}"]/gu, ' ').trim();
  const letters = [...clean];
  return `"${letters.length > maxNameShown ? `${letters.slice(0, maxNameShown).join('')}…` : clean}"`;
}

export function damaged(what: string, cause?: unknown): Problem {
  return new Problem(
    'invalid',
    `The GeoPackage is damaged: ${what}. Export it again from its source and upload it again.`,
    { cause },
  );
}

/** `remedy` is an imperative, such as `Delete it`. */
export function refused(why: string, remedy: string, cause?: unknown): Problem {
  return new Problem('invalid', `The GeoPackage can not be used: ${why}. ${remedy} and upload it again.`, {
    cause,
  });
}
