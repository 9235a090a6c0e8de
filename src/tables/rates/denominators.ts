import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inSnapshot, foreignKeyViolation, inTransaction } from '../../database/transaction.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import type { Message } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { denominatorPhrases, tableOutProblems } from '../../messages/tables/english.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { datesOf } from '../kato-map/kato-geojson.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { labelOf, readChoice, stateOfChoice, tableDivisor } from './divisor.ts';
import { type Denominator, DenominatorInput } from './denominator-schema.ts';

/** Code of the whole country in tables that have such a row. */
const countryCode = '000000000';

/**
 * Sets the denominator of the values of a table. Nothing else of the table changes.
 * @throws {Problem} in this order: `not_found`; `invalid` for the body, then for another type; `conflict` if the other
 * table does not exist.
 */
export async function setDenominator(db: Database, datasetId: string, body: unknown): Promise<void> {
  await inTransaction(db, async (trx) => {
    const table = await trx
      .selectFrom('datasets')
      .select('file_type')
      .where('id', '=', datasetId)
      .executeTakeFirst();
    if (table === undefined) throw datasetProblems.notFound();
    const input = parseBody(DenominatorInput, body);
    if (table.file_type !== 'vector_with_kato') throw tableOutProblems.noRates();
    const other = input.by === 'dataset' ? input.dataset_id : null;
    if (other !== null && (other === datasetId || !(await isTable(trx, other))))
      throw tableOutProblems.notAnotherTable();
    const chosen = { kind: input.by, denominator_id: other, per: input.per };
    await trx
      .insertInto('dataset_denominators')
      .values({ dataset_id: datasetId, ...chosen })
      .onConflict((conflict) =>
        conflict.column('dataset_id').doUpdateSet({ ...chosen, changed_at: sql<Date>`now()` }),
      )
      .execute()
      .catch((error: unknown) => {
        // One of the two tables was deleted meanwhile.
        const constraint = foreignKeyViolation(error);
        if (constraint === undefined) throw error;
        throw constraint.includes('denominator_id')
          ? tableOutProblems.notAnotherTable().because(error)
          : datasetProblems.notFound().because(error);
      });
  });
}

async function isTable(trx: Transaction, id: string): Promise<boolean> {
  const found = await trx.selectFrom('datasets').select('file_type').where('id', '=', id).executeTakeFirst();
  return found?.file_type === 'vector_with_kato';
}

/** Removes the denominator of a table, if any. @throws {Problem} `not_found` without the table. */
export async function removeDenominator(db: Database, datasetId: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('dataset_denominators')
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return;
  const table = await db.selectFrom('datasets').select('id').where('id', '=', datasetId).executeTakeFirst();
  if (table === undefined) throw datasetProblems.notFound();
}

/** Describes the denominator of a table. @throws {Problem} `not_found`; `invalid` for another type. */
export async function describeDenominator(
  db: Database,
  datasetId: string,
  language: Language,
): Promise<Denominator> {
  const say = (message: Message) => translate(message, language);
  return await inSnapshot(db, async (trx) => {
    const table = await trx
      .selectFrom('datasets')
      .select(['file_type', 'status', 'unit', 'observation_set_id', 'year_columns'])
      .where('id', '=', datasetId)
      .executeTakeFirst();
    if (table === undefined) throw datasetProblems.notFound();
    if (table.file_type !== 'vector_with_kato') throw tableOutProblems.noRates();
    const dates = table.status === 'ready' ? datesOf(parseYearColumns(table.year_columns)) : [];
    const counts = await signOfCounts(trx, table, dates.at(-1)?.start_date);
    const choice = await readChoice(trx, datasetId);
    if (choice === undefined) {
      const nothing = { by: null, dataset_id: null, name: null, unit: null, per: null, label: null };
      return { state: 'none', message: say(denominatorPhrases.none), ...nothing, counts, periods: [] };
    }
    const { kind: by, denominator_id: id, per, name, unit } = choice;
    const state = stateOfChoice(choice);
    const label = say(labelOf(choice));
    const chosen = { by, dataset_id: id, name, unit, per, label: state === 'gone' ? null : label, counts };
    if (state === 'gone') return { state, message: say(denominatorPhrases.gone), ...chosen, periods: [] };
    if (state === 'waiting')
      return { state, message: say(denominatorPhrases.waits(name ?? '')), ...chosen, periods: [] };
    const divisor = by === 'area' ? undefined : tableDivisor(choice, dates.length);
    const periods =
      divisor === undefined ? [] : dates.map((date) => ({ ...date, used: divisor.usedFor(date) ?? null }));
    const without = periods.filter(({ used }) => used === null).length;
    const message =
      without === 0 ? denominatorPhrases.ready(label) : denominatorPhrases.someDates(label, without);
    return { state, message: say(message), ...chosen, periods };
  });
}

/** Looks for evidence that values are counts: in their unit, otherwise at the latest date. */
async function signOfCounts(
  trx: Transaction,
  {
    unit,
    observation_set_id: setId,
  }: { readonly unit: string | null; readonly observation_set_id: number | null },
  latest: string | undefined,
): Promise<CountSign | null> {
  if (isUnitOfCounts(unit)) return 'unit';
  // A unit that counts nothing is stronger evidence than a sum that may be a coincidence.
  if ((unit ?? '').trim() !== '' || setId === null || latest === undefined) return null;
  const { rows } = await sql<{ readonly kato_code: string; readonly value: number | null }>`
    select units.kato_code, shown.value
    from (select kato_code from districts union select ${countryCode}) units
    cross join lateral (
      select o.value from observations o
      where o.set_id = ${setId} and o.kato_code = units.kato_code and o.start_date = ${latest}
      order by (o.value is null and o.value_text is null), o.mapping_order desc, o.row_number desc
      limit 1
    ) shown`.execute(trx);
  const values = rows.flatMap(({ kato_code: code, value }) =>
    value === null ? [] : [[code, value] as const],
  );
  return totalsAreSums(new Map(values)) ? 'total' : null;
}

/** Evidence that the values of a table are counts: their unit, or a total that is the sum of its parts. */
type CountSign = 'unit' | 'total';

/** Counted things: word stems, which take many endings, and short words unchanged. */
const counted =
  /(?<!\p{L})(?:(?:человек|жител|голов|тонн|центнер|гектар|штук|единиц|семей|хозяйств|people|person|inhabitant|heads?|tonn|hectare|piece|адам|тұрғын|шаруашылық)|(?:чел|т|ц|га|шт|ед|t|ha|tons?|units?|бас|дана|бірлік)(?![\p{L}\p{N}]))/u;
/** Signs of a rate, a share, a price, or a measure of a place. */
const divided = /[%‰°/]|(?<![\p{L}])(?:на|per|in|шаққанда|доля|процент|пайыз|үлес|индекс|index)(?![\p{L}])/u;

/** Returns true if a unit of measurement counts things of which a larger territory has more. */
export function isUnitOfCounts(unit: string | null): boolean {
  const text = (unit ?? '').toLowerCase().normalize('NFC').replaceAll('²', '2');
  return counted.test(text) && !divided.test(text);
}

/** Sums of individually rounded parts deviate slightly. */
const tolerance = 0.005;
/** A single region may match by chance. */
const leastTotals = 2;

/** The code without trailing zero levels: codes with this prefix are its parts. */
const stemOf = (code: string): string => {
  const levels = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6), code.slice(6)];
  return levels.slice(0, levels.findLastIndex((level) => /[^0]/.test(level)) + 1).join('');
};

/**
 * Returns true if the larger values of a date are the sums of their parts: regions of their districts, or the country
 * (a code of zeros) of the regions. At least two totals, or one of ten parts, must be right, and none may be wrong.
 * @param values numbers by KATO code.
 */
export function totalsAreSums(values: ReadonlyMap<string, number>): boolean {
  const stems = new Map([...values.keys()].map((code) => [stemOf(code), code]));
  const parts = new Map<string, number[]>();
  for (const [code, value] of values) {
    const parent = parentOf(stemOf(code), stems);
    if (parent !== undefined) parts.set(parent, [...(parts.get(parent) ?? []), value]);
  }
  let [right, largest] = [0, 0];
  for (const [code, numbers] of parts) {
    if (numbers.length < 2) continue;
    const total = values.get(code) ?? 0;
    const sum = numbers.reduce((all, each) => all + each, 0);
    if (total <= 0 || Math.abs(sum - total) > tolerance * total) return false;
    right += 1;
    largest = Math.max(largest, numbers.length);
  }
  return right >= leastTotals || largest >= 10;
}

/** Returns the code of the smallest unit that contains this one. */
function parentOf(stem: string, stems: ReadonlyMap<string, string>): string | undefined {
  for (let length = stem.length - 1; length >= 0; length -= 1) {
    const parent = stems.get(stem.slice(0, length));
    if (parent !== undefined) return parent;
  }
  return undefined;
}
