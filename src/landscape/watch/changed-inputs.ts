import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import type { PlannedInput } from '../runs/plan-schema.ts';
import { readRun } from '../runs/run-rows.ts';
import { InputChange } from './watch-schema.ts';

/** Returns a key of the inputs of a run: equal keys mean equal inputs. */
export function keyOfInputs(inputs: readonly PlannedInput[]): string {
  const read = inputs.map(({ group, dataset }) => [group, dataset?.id ?? null]);
  return hash('sha256', JSON.stringify(read), 'hex');
}

/** Finds the inputs that differ from those of a run; all inputs without a run. */
export async function changesSince(
  trx: Transaction,
  runId: string | undefined,
  inputs: readonly PlannedInput[],
): Promise<readonly InputChange[]> {
  const run = runId === undefined ? undefined : await readRun(trx, runId);
  const before = new Map(run?.nodes.flatMap((node) => [...node.inputs]));
  return inputs
    .map(({ group, dataset }) => ({ group, from: before.get(group) ?? null, to: dataset?.id ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Finds the newest run that has succeeded. */
export async function findNewestRun(trx: Transaction): Promise<string | undefined> {
  const row = await trx
    .selectFrom('landscape_runs')
    .select('id')
    .where('status', '=', 'succeeded')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export function parseChanges(json: string | null): readonly InputChange[] {
  return json === null ? [] : z.array(InputChange).parse(JSON.parse(json));
}

export interface NamedRaster {
  readonly id: string;
  readonly name: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** Reads the existing rasters of changes, by id. */
export async function readRasters(
  db: Database | Transaction,
  changes: readonly InputChange[],
): Promise<ReadonlyMap<string, NamedRaster>> {
  const ids = changes.flatMap(({ from, to }) => [from, to].filter((id) => id !== null));
  const rows = await db
    .selectFrom('datasets')
    .select(['id', 'name', 'start_date', 'end_date'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
