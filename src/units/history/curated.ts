import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CalendarDate } from '../../validation/fields.ts';
import { type Act, createSuccession, type Successor, type UnitHistory } from './succession.ts';

/** Changes before this day are unknown; seeds/districts/README.md lists the sources. */
export const knownFrom = '2018-01-01';

const ActRow = z.object({
  kind: z.enum(['decree', 'decision']),
  number: z.string().nullable(),
  signed: CalendarDate.nullable(),
  date: CalendarDate,
  date_is: z.enum(['force', 'published', 'signed', 'about']),
  source: z.url(),
  note: z.string().optional(),
});
const Names = z.object({ name: z.string(), name_kk: z.string(), name_en: z.string() });
const File = z.object({
  acts: z.record(z.string(), ActRow),
  former: z.array(
    Names.extend({
      kato: z.string(),
      level: z.enum(['region', 'district']),
      valid_from: CalendarDate.nullable(),
      valid_to: CalendarDate,
    }),
  ),
  changes: z.array(
    z.object({
      act: z.string(),
      kind: z.enum(['recode', 'rename', 'split', 'merge', 'border']),
      from: z.string(),
      to: z.string().nullable(),
      to_name: z.string().optional(),
      share_area: z.number().min(0).max(1).nullable(),
    }),
  ),
  undated_names: z.array(Names.extend({ kato: z.string(), source: z.url() })),
});

/** A former name of a unit, and the code of the unit at that time. */
export interface FormerName extends z.infer<typeof Names> {
  readonly kato: string;
}

/** Parses an act from the database. */
export function readAct(text: string): Act {
  return ActRow.parse(JSON.parse(text));
}

let read: ReturnType<typeof readCurated> | undefined;

/** Reads the curated file once. */
export function curatedHistory() {
  read ??= readCurated();
  return read;
}

function readCurated() {
  const url = new URL('../../../seeds/districts/history.json', import.meta.url);
  const file = File.parse(JSON.parse(readFileSync(url, 'utf8')));
  const changes = file.changes.map(({ act: id, to_name: toName = null, ...change }) => {
    const act = file.acts[id];
    if (act === undefined) throw new Error(`no act is called ${id}`);
    return { ...change, to_name: toName, date: act.date, act };
  });
  const history: UnitHistory = { former: file.former, changes };
  const formerNames: readonly FormerName[] = [...file.former, ...file.undated_names];
  return { history, formerNames, succession: createSuccession(history) };
}

/**
 * Returns the current units that succeed the unit with a code of the classifiers since 2018, with all changes in between: a unit that was
 * only recoded or renamed has one successor and `isSame`. A code that a current unit has belongs to that unit unless `at` (YYYY-MM-DD) asks
 * for the unit that had it on a day; so does a code that this history does not contain.
 */
export function successorsOf(code: string, at?: string): readonly Successor[] {
  return curatedHistory().succession.successorsOf(code, at);
}

/** Returns the former names of units, each with the code of its time; `successorsOf(kato, day)` leads to the current units. */
export function formerNames(): readonly FormerName[] {
  return curatedHistory().formerNames;
}
