import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { republicCode } from '../../common/maps/units/levels.ts';
import { readUnits } from '../areas/by-unit.ts';
import type { Database } from '../database/tables/tables.ts';
import type { CellValue } from '../geo/spreadsheet.ts';
import { makerOf, resultOf, wantResult } from '../jobs/result-kinds.ts';
import { jsonText, type PendingResult } from '../jobs/results.ts';
import { invalidFields } from '../lib/errors.ts';
import type { Message } from '../lib/message.ts';
import { formReasons, formWords, templateProblems } from '../messages/forms/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { type CellReason, type FilledForm, FormInput } from './form-schema.ts';
import {
  bringTemplate,
  findTemplate,
  layoutOf,
  type ReadLayout,
  unknownOf,
  type WorkbookDependencies,
} from './layouts.ts';
import { placeOf } from './places.ts';
import { openSource, type ReadySource, type SourceDependencies, type UnitValues } from './sources.ts';
import type { TemplateRow } from './templates.ts';
import type { Field, Layout, OwnCell } from './understand.ts';

/** Part of the key: a higher number makes all forms be filled again. */
const formVersion = 1;
const mostListed = 500;

const FormOrder = z.object({
  templateId: z.string(),
  wanted: FormInput,
  language: z.enum(['en', 'ru', 'kk']),
  /** The day that the form names. */
  day: z.string(),
});
export type FormOrder = z.infer<typeof FormOrder>;

const StoredForm = z.object({
  filled: z.int(),
  formulas: z.int(),
  districtsVersion: z.int(),
  sources: z.array(z.object({ field: z.string(), text: z.string() })),
  leftFields: z.array(z.object({ field: z.string(), label: z.string() })),
  leftCells: z.array(
    z.object({
      field: z.string(),
      sheet: z.int(),
      row: z.int(),
      column: z.int(),
      kato: z.string(),
      reason: z.enum(['no_value', 'unit_missing', 'has_content']),
    }),
  ),
  leftTotal: z.int(),
});
type StoredForm = z.infer<typeof StoredForm>;

const forms = resultOf({
  name: 'form',
  input: FormOrder,
  content: z.object({ content: jsonText(StoredForm), object_key: z.string() }),
  kept: sql`interval '30 days'`,
  mostKept: 1000,
  waiting: { most: 50, refuse: templateProblems.tooManyWaiting },
  notNow: templateProblems.fillFailed,
});

/** A filled form with what was not filled. */
export interface MadeForm {
  readonly isPending: false;
  readonly id: string;
  readonly madeAt: Date;
  readonly form: StoredForm;
  readonly layout: Layout;
}

type FormDependencies = SourceDependencies;

/**
 * Returns a filled form, or has it filled, once for equal templates, sources and settings.
 * @throws {Problem} for a template or a source that cannot be used
 */
export async function fillForm(
  dependencies: FormDependencies,
  template: TemplateRow,
  order: FormOrder,
): Promise<MadeForm | PendingResult> {
  const ready = await prepare(dependencies, template, order);
  if (ready.isPending) return ready;
  const found = await wantResult(dependencies, forms, { key: ready.key, input: order });
  if (found.isPending) return found;
  const { id, madeAt, content } = found;
  return { isPending: false, id, madeAt, form: content.content, layout: ready.read.layout };
}

interface Prepared {
  readonly isPending: false;
  readonly key: string;
  readonly read: ReadLayout;
  readonly fields: readonly {
    readonly field: Field;
    readonly source: ReadySource;
    readonly factor: number | undefined;
  }[];
}

/** Finds the cells of an order and its sources; has them read and counted, one after the other. */
async function prepare(
  dependencies: FormDependencies,
  template: TemplateRow,
  order: FormOrder,
): Promise<Prepared | PendingResult> {
  const read = await layoutOf(dependencies, template);
  if (read.isPending) return read;
  const byId = new Map(read.layout.fields.map((field) => [field.id, field]));
  const { fields: wanted } = order.wanted;
  const faults: Record<string, Message> = {};
  const seen = new Set<string>();
  for (const [index, { field }] of wanted.entries()) {
    if (!byId.has(field)) faults[`fields.${index}.field`] = templateProblems.noSuchField([...byId.keys()]);
    else if (seen.has(field)) faults[`fields.${index}.field`] = templateProblems.fieldTwice();
    seen.add(field);
  }
  if (Object.keys(faults).length > 0) throw invalidFields(faults);
  const opened = new Map<string, ReadySource>();
  const fields: Prepared['fields'][number][] = [];
  for (const { field: id, source: asked, factor } of wanted) {
    const text = JSON.stringify(asked);
    const source = opened.get(text) ?? (await openSource(dependencies, asked));
    if (source.isPending) return source;
    opened.set(text, source);
    const field = byId.get(id);
    if (field !== undefined) fields.push({ field, source, factor });
  }
  const parts = [formVersion, read.key, order, fields.map(({ source }) => source.version)];
  const key = hash('sha256', JSON.stringify(['form', ...parts]), 'hex');
  return { isPending: false, key, read, fields };
}

/** Creates the maker of filled forms. */
export const createFormMaker = (dependencies: WorkbookDependencies & SourceDependencies) => {
  const { db, engine } = dependencies;
  return makerOf(forms, async (attempt, { key, input: order }) => {
    const template = await findTemplate(db, order.templateId);
    if (template === undefined) return undefined;
    const ready = await prepare(dependencies, template, order);
    if (ready.isPending || ready.key !== key) return undefined;
    const { values, form } = await valuesFor(db, ready, order);
    const { inputPath, scratch } = await bringTemplate(dependencies, attempt, template);
    const valuesPath = join(attempt.scratch, 'values.json');
    await writeFile(valuesPath, JSON.stringify(values));
    const { format } = template;
    const task = { inputPath, format, valuesPath, scratch, signal: attempt.signal };
    const path = await engine.fillWorkbook(task);
    return {
      content: JSON.stringify(form),
      object_key: await attempt.store('forms', `.${format}`, { path }),
    };
  });
};

/** Returns the values of all cells, and what is not filled. */
async function valuesFor(
  db: Database,
  { read: { layout, districtsVersion }, fields }: Prepared,
  { wanted, language, day }: FormOrder,
): Promise<{ readonly values: readonly CellValue[]; readonly form: StoredForm }> {
  const unit = wanted.unit ?? republicCode;
  const codes = [...new Set(fields.flatMap(({ field }) => field.cells.map(([, , kato]) => kato ?? unit)))];
  const read = new Map<ReadySource, UnitValues>();
  const values: CellValue[] = [];
  const leftCells: StoredForm['leftCells'] = [];
  const sources: StoredForm['sources'] = [];
  let [leftTotal, formulas] = [0, 0];
  for (const { field, source, factor } of fields) {
    const known = read.get(source) ?? (await source.read(codes));
    read.set(source, known);
    sources.push({ field: field.id, text: wordsOf(source.text, factor, language) });
    const { sheet } = field;
    for (const [row, column, ownUnit, state] of field.cells) {
      const kato = ownUnit ?? unit;
      if (state === 'formula') {
        formulas += 1;
        continue;
      }
      const value = known.get(kato);
      const reason = reasonFor(value, state === 'content' && !wanted.overwrite);
      if (reason === undefined && value !== undefined && value !== null) {
        values.push({ sheet, row, column, value: scaled(value, factor) });
        continue;
      }
      leftTotal += 1;
      if (leftCells.length < mostListed)
        leftCells.push({ field: field.id, sheet, row, column, kato, reason: reason ?? 'no_value' });
    }
  }
  const filled = values.length;
  const chosen = new Set(fields.map(({ field }) => field.id));
  const leftFields = layout.fields
    .filter(({ id }) => !chosen.has(id))
    .map(({ id, label }) => ({ field: id, label }));
  const names = await readUnits(db);
  const ofUnit = names.get(unit);
  const own: Readonly<Record<OwnCell['name'], string>> = {
    form_unit: ofUnit === undefined ? '' : unitName(ofUnit, language),
    form_unit_code: unit,
    form_date: day,
    form_sources: [...new Set(sources.map(({ text }) => text))].join('; '),
  };
  for (const { name, sheet, row, column } of layout.ownCells) {
    const value = own[name];
    if (value !== '') values.push({ sheet, row, column, value });
  }
  return { values, form: { filled, formulas, districtsVersion, sources, leftFields, leftCells, leftTotal } };
}

function wordsOf(text: Message, factor: number | undefined, language: Language): string {
  const own = translate(text, language);
  return factor === undefined ? own : translate(formWords.times(own, String(factor)), language);
}

function reasonFor(value: number | string | null | undefined, isKept: boolean): CellReason | undefined {
  if (isKept) return 'has_content';
  if (value === undefined) return 'unit_missing';
  return value === null || value === '' ? 'no_value' : undefined;
}

const scaled = (value: number | string, factor: number | undefined): number | string =>
  typeof value === 'number' && factor !== undefined ? value * factor : value;

const messages = {
  no_value: formReasons.noValue,
  unit_missing: formReasons.unitMissing,
  has_content: formReasons.hasContent,
} as const;

/** Returns a filled form as an answer. */
export async function toFilledForm(
  db: Database,
  templateId: string,
  { id, madeAt, form, layout }: MadeForm,
  language: Language,
): Promise<FilledForm> {
  const names = await readUnits(db);
  const { unknown_rows: rows, unknown_names: unknownNames } = unknownOf(layout, language);
  return {
    id,
    template_id: templateId,
    made_at: madeAt.toISOString(),
    file: `/form-templates/${templateId}/forms/${id}/file`,
    filled: form.filled,
    formulas: form.formulas,
    districts_version: form.districtsVersion,
    sources: form.sources,
    left_out: {
      fields: form.leftFields.map((each) => ({
        ...each,
        message: translate(formReasons.noSource, language),
      })),
      cells: form.leftCells.map(({ field, sheet, row, column, kato, reason }) => {
        const unit = names.get(kato);
        return {
          field,
          sheet: layout.sheets[sheet] ?? '',
          cell: placeOf(row, column),
          kato,
          name: unit === undefined ? kato : unitName(unit, language),
          level: unit?.level ?? null,
          reason,
          message: translate(messages[reason], language),
        };
      }),
      cells_total: form.leftTotal,
      rows,
      names: unknownNames,
    },
  };
}

/** Returns the object of a filled form. @throws {Problem} `not_found` */
export async function readFormKey(db: Database, templateId: string, formId: string) {
  const row = await db
    .selectFrom('results')
    .select(['object_key', 'changed_at'])
    .where('id', '=', formId)
    .where('kind', '=', forms.name)
    .where('state', '=', 'made')
    .where(sql<string>`input::jsonb ->> 'templateId'`, '=', templateId)
    .executeTakeFirst();
  if (row === undefined || row.object_key === null) throw templateProblems.formNotFound();
  return { key: row.object_key, madeAt: row.changed_at };
}
