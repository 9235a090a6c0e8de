import { Problem } from '../../../common/errors.ts';

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
