import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { readWarning } from '../groups/warnings.ts';

/** Warns of invented data among all that runs have read, in a language; null without any. */
export async function readRunWarning(
  db: Database,
  runIds: readonly string[],
  language: Language,
): Promise<string | null> {
  const { rows } = await sql<{ readonly id: string }>`
    select distinct input ->> 'dataset_id' as id
      from landscape_run_nodes node cross join lateral json_array_elements(node.inputs) input
     where node.run_id = any(${runIds}::uuid[])`.execute(db);
  return await readWarning(
    db,
    rows.map(({ id }) => id),
    language,
  );
}
