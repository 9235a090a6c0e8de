import { sql } from 'kysely';
import { z } from 'zod';
import { formatPeriod } from '../../common/formats/days.ts';
import { formatFixed } from '../../common/formats/numbers.ts';
import type { UnitTable } from '../../common/maps/paper/sheet-page.ts';
import { drawingProblems, sheetProblems } from '../messages/drawing/english.ts';
import type { Language } from '../messages/languages/translate.ts';
import type { SheetDependencies } from './sheet-subject.ts';

/** Periods of a table on a page, the last ones. */
const mostPeriods = 8;

const Row = z.object({
  kato_code: z.string(),
  start_date: z.string(),
  end_date: z.string().nullable(),
  value: z.number().nullable(),
  value_text: z.string().nullable(),
});
type Row = z.infer<typeof Row>;

/**
 * Reads the last values of units in tables by KATO, as text, by the code of the unit.
 * @throws {Problem} when a dataset is not a table, or not ready
 */
export async function readUnitTables(
  { db, maps }: Pick<SheetDependencies, 'db' | 'maps'>,
  tables: readonly string[],
  { units, language }: { readonly units: readonly string[]; readonly language: Language },
): Promise<ReadonlyMap<string, readonly UnitTable[]>> {
  const found = new Map<string, UnitTable[]>();
  for (const id of tables) {
    const { file_type: type, status, name, unit } = await maps.dataset(id);
    if (type !== 'vector_with_kato') throw sheetProblems.noTable();
    if (status !== 'ready') throw drawingProblems.notReady(status);
    const { rows } = await sql`
      select kato_code, start_date::text, end_date::text, value, value_text
      from (
        select *, row_number() over (partition by kato_code order by start_date desc, end_date desc, id) as place
        from observations
        where set_id = (select observation_set_id from datasets where id = ${id}) and kato_code in (${sql.join(units)})
      ) as ranked
      where place <= ${mostPeriods}
      order by kato_code, place desc`.execute(db);
    const named = unit === null || unit === '' ? name : `${name}, ${unit}`;
    for (const [code, own] of Map.groupBy(z.array(Row).parse(rows), ({ kato_code: code }) => code)) {
      const before = found.get(code) ?? [];
      found.set(code, [...before, tableOf(named, own, language)]);
    }
  }
  return found;
}

/** Decimals of all values of a table, as many as one of them has. */
const mostDigits = 3;
const decimalsOf = (value: number) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;

function tableOf(title: string, rows: readonly Row[], language: Language): UnitTable {
  const digits = Math.min(mostDigits, Math.max(0, ...rows.map(({ value }) => decimalsOf(value ?? 0))));
  const greatest = Math.max(0, ...rows.map(({ value }) => Math.abs(value ?? 0)));
  return {
    title,
    rows: rows.map(({ start_date: start, end_date: end, value, value_text: text }) => ({
      period: formatPeriod(start, end, language) ?? '',
      value: value === null ? (text ?? '–') : formatFixed(value, language, digits),
      part: value === null ? null : greatest > 0 ? Math.abs(value) / greatest : 0,
    })),
  };
}
