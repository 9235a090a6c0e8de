import type { Database } from '../../database/tables/tables.ts';
import { readOrigins, warnOfInvented } from '../../datasets/origins.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { titleOf } from './titles.ts';

/** Warns of invented data in each dataset and in all from which it was made, by id; datasets without any are absent. */
export async function readWarnings(
  db: Database,
  ids: readonly string[],
  language: Language,
): Promise<ReadonlyMap<string, string>> {
  const warnings = new Map<string, string>();
  for (const [id, origin] of await readOrigins(db, ids)) {
    const warning = warnOfInvented(origin, language, (group) => titleOf(group, language));
    if (warning !== null) warnings.set(id, warning);
  }
  return warnings;
}

/** Warns of invented data among several datasets and all from which they were made; null without any. */
export async function readWarning(
  db: Database,
  ids: readonly string[],
  language: Language,
): Promise<string | null> {
  const origins = await readOrigins(db, ids);
  const invented = [...origins.values()].flatMap((each) => each.invented);
  return warnOfInvented({ stated: null, invented }, language, (group) => titleOf(group, language));
}
