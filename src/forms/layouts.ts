import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { republicCode } from '../../common/maps/units/levels.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import type { Database } from '../database/tables/tables.ts';
import type { GeoEngine } from '../geo/engine.ts';
import type { Attempt } from '../jobs/handler.ts';
import { makerOf, resultOf, wantResult } from '../jobs/result-kinds.ts';
import { jsonText, type PendingResult } from '../jobs/results.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { formReasons, templateProblems } from '../messages/forms/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { bringObject, ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import { createNameMatcher } from '../units/match-names.ts';
import type { FormLayout } from './form-schema.ts';
import { placeOf } from './places.ts';
import type { TemplateRow } from './templates.ts';
import { type Layout, type MatchUnits, ownNames, type StubText, understand } from './understand.ts';

/** Part of the key: a higher number makes all templates be read again. */
const layoutVersion = 1;

const Index = z.int().min(0);
const StoredLayout = z.object({
  sheets: z.array(z.string()),
  fields: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      sheet: Index,
      cells: z.array(
        z.tuple([Index, Index, z.string().nullable(), z.enum(['empty', 'content', 'formula'])]).readonly(),
      ),
    }),
  ),
  ownCells: z.array(z.object({ name: z.enum(ownNames), sheet: Index, row: Index, column: Index })),
  unknownRows: z.array(
    z.object({ sheet: Index, row: Index, column: Index, text: z.string(), isAmbiguous: z.boolean() }),
  ),
  unknownNames: z.array(z.string()),
}) satisfies z.ZodType<Layout>;

const layouts = resultOf({
  name: 'template-layout',
  input: z.object({ templateId: z.string(), districtsVersion: z.int() }),
  content: z.object({ content: jsonText(StoredLayout) }),
  kept: sql`interval '90 days'`,
  waiting: { most: 100, refuse: templateProblems.tooManyWaiting },
  notNow: templateProblems.readFailed,
});

export interface ReadLayout {
  readonly isPending: false;
  /** Equal keys have equal layouts. */
  readonly key: string;
  readonly layout: Layout;
  readonly districtsVersion: number;
}

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** Returns what can be filled in a template, or has it read. @throws {Problem} for a workbook that cannot be used */
export async function layoutOf(
  dependencies: Dependencies,
  template: Pick<TemplateRow, 'id' | 'object_key'>,
): Promise<ReadLayout | PendingResult> {
  const districtsVersion = await readDistrictsVersion(dependencies.db);
  const key = keyOf(template, districtsVersion);
  const input = { templateId: template.id, districtsVersion };
  const found = await wantResult(dependencies, layouts, { key, input });
  return found.isPending ? found : { isPending: false, key, layout: found.content.content, districtsVersion };
}

const keyOf = ({ object_key: object }: Pick<TemplateRow, 'object_key'>, districtsVersion: number): string =>
  hash('sha256', JSON.stringify(['template-layout', layoutVersion, object, districtsVersion]), 'hex');

export interface WorkbookDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
}

/** Creates the maker of layouts of templates. */
export const createLayoutMaker = (dependencies: WorkbookDependencies) => {
  const { db, engine } = dependencies;
  const matchNames = createNameMatcher(db);
  return makerOf(layouts, async (attempt, { key, input: { templateId, districtsVersion } }) => {
    const template = await findTemplate(db, templateId);
    if (template === undefined || keyOf(template, await readDistrictsVersion(db)) !== key) return undefined;
    const { inputPath, scratch } = await bringTemplate(dependencies, attempt, template);
    const { format } = template;
    const content = await engine.readWorkbook({ inputPath, format, scratch, signal: attempt.signal });
    const match: MatchUnits = async (texts) => await matchUnits(matchNames, texts);
    const layout = await understand(content, match);
    return (await readDistrictsVersion(db)) === districtsVersion
      ? { content: JSON.stringify(layout) }
      : undefined;
  });
};

export async function findTemplate(db: Database, id: string): Promise<TemplateRow | undefined> {
  return await db.selectFrom('form_templates').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Brings a template to the scratch folder of an attempt. @throws {Problem} if it was deleted */
export async function bringTemplate(
  { objectStore, engine }: WorkbookDependencies,
  { scratch, signal }: Attempt,
  { object_key: key, format }: TemplateRow,
): Promise<{ readonly inputPath: string; readonly scratch: string }> {
  const inputPath = join(scratch, `template.${format}`);
  await bringObject(objectStore, key, { path: inputPath, isGuarded: engine.guardsInput, signal }).catch(
    (error: unknown) => {
      throw error instanceof ObjectMissing ? templateProblems.notFound().because(error) : error;
    },
  );
  const folder = join(scratch, 'engine');
  await mkdir(folder);
  return { inputPath, scratch: folder };
}

/** A name in a form must be one of the unit itself: a near one may be that of another unit. */
async function matchUnits(
  matchNames: ReturnType<typeof createNameMatcher>,
  texts: readonly StubText[],
): ReturnType<MatchUnits> {
  if (texts.length === 0) return [];
  const { matches } = await matchNames({
    rows: texts.map(({ name, region }) => ({ name, region: region ?? null })),
  });
  return matches.map(({ status, kato, reason, remark }) => {
    const isTotal = reason === 'total' || reason === 'country';
    if (reason === 'country') return { kato: republicCode, isAmbiguous: false, isTotal: false };
    const isKnown = (status === 'exact' || status === 'likely') && remark !== 'misspelled';
    return { kato: isKnown ? kato : null, isAmbiguous: status === 'doubtful', isTotal };
  });
}

/** Returns a layout as an answer. */
export function toFormLayout(
  templateId: string,
  { layout, districtsVersion }: ReadLayout,
  language: Language,
): FormLayout {
  return {
    template_id: templateId,
    districts_version: districtsVersion,
    sheets: [...layout.sheets],
    fields: layout.fields.map(({ id, label, sheet, cells }) => {
      const [row = 0, column = 0] = cells[0] ?? [];
      const withState = (wanted: string) => cells.filter(([, , , state]) => state === wanted).length;
      return {
        id,
        label,
        sheet: layout.sheets[sheet] ?? '',
        first_cell: placeOf(row, column),
        cells: cells.length,
        empty: withState('empty'),
        formulas: withState('formula'),
        units: new Set(cells.flatMap(([, , kato]) => kato ?? [])).size,
      };
    }),
    own_names: [...new Set(layout.ownCells.map(({ name }) => name))],
    ...unknownOf(layout, language),
  };
}

/** Returns the rows and names that cannot be filled, in the language of an answer. */
export function unknownOf(
  { sheets, unknownRows, unknownNames }: Pick<Layout, 'sheets' | 'unknownRows' | 'unknownNames'>,
  language: Language,
): Pick<FormLayout, 'unknown_rows' | 'unknown_names'> {
  return {
    unknown_rows: unknownRows.map(({ sheet, row, column, text, isAmbiguous }) => ({
      sheet: sheets[sheet] ?? '',
      cell: placeOf(row, column),
      text,
      reason: isAmbiguous ? 'ambiguous' : 'no_unit',
      message: translate(isAmbiguous ? formReasons.ambiguous : formReasons.noUnit, language),
    })),
    unknown_names: unknownNames.map((name) => ({
      name,
      message: translate(formReasons.nameNotUnderstood, language),
    })),
  };
}
