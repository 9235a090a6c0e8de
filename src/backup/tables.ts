import type { Tables } from '../database/tables.ts';

/**
 * The tables that a backup has, in the order of their foreign keys; `districts` comes before its version, which each
 * change of the districts moves on. Holds of backups are left out, and compiled styles, which are made anew when somebody asks.
 */
export const copiedTables = [
  'objects',
  'categories',
  'dataset_groups',
  'observation_sets',
  'datasets',
  'observations',
  'districts',
  'districts_version',
  'jobs',
  'import_reports',
  'landscape_runs',
  'landscape_run_nodes',
  'milestones',
  'tokens',
] as const satisfies readonly (keyof Tables)[];

export type CopiedTable = (typeof copiedTables)[number];

/** Gives a transaction all the time that a copy takes, and texts that do not depend on the settings of a server. */
export const copyLimits = `set local statement_timeout = 0; set local lock_timeout = '10min';
  set local idle_in_transaction_session_timeout = 0; set local datestyle = 'ISO, YMD';
  set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Quotes the names of columns for a statement. */
export function columnList(columns: readonly string[]): string {
  return columns.map((name) => `"${name}"`).join(', ');
}
