import type { Database, Transaction } from '../../database/tables/tables.ts';
import type { FieldErrors } from '../../lib/errors.ts';
import { overrideFaults } from '../../messages/runs/english.ts';
import { bodyProblems } from '../../messages/request/english.ts';
import { Guid } from '../../validation/fields.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { inputGroups } from '../graph/graph.ts';
import { LandscapeParams } from '../model/params.ts';
import { LandscapeRunInput } from './schema.ts';
import type { Message } from '../../lib/message.ts';

/** A checked request for a run. */
export interface RunInput {
  readonly params: LandscapeParams;
  /** Ids of pinned datasets by group code. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Nodes of this stage and later stages are computed again. */
  readonly fromStage: number | null;
}

/** Checks a request for a run; without a body, defaults apply. @throws {Problem} `malformed` or `invalid`. */
export async function checkRunInput(db: Database | Transaction, body: unknown = {}): Promise<RunInput> {
  if (!isObject(body)) throw bodyProblems.notAnObject();
  const { pins, errors: overrideErrors } = readOverrides(body['overrides']);
  const pinErrors = await findPinErrors(db, pins);
  const choices = parseBody(Choices, { ...body, params: withShortList(body['params']) }, (own) => ({
    ...errorsByList(own),
    ...overrideErrors,
    ...pinErrors,
  }));
  return {
    params: choices.params ?? LandscapeParams.parse({}),
    overrides: Object.fromEntries(pins),
    fromStage: choices.from_stage ?? null,
  };
}

/** Overrides are checked separately, because zod does not handle many members with arbitrary names well. */
const Choices = LandscapeRunInput.omit({ overrides: true });

/** Merges errors of list items into an error of the list. */
function errorsByList(errors: FieldErrors): FieldErrors {
  const byList: Record<string, Message> = {};
  for (const [field, message] of Object.entries(errors)) {
    byList[field.split('.', 2).join('.')] ??= message;
  }
  return byList;
}

const sectorCount = 5;

/** Cuts the list of sectors: a body can contain millions, and the sixth is already an error. */
function withShortList(params: unknown): unknown {
  if (!isObject(params) || !Array.isArray(params['tie_priority'])) return params;
  return { ...params, tie_priority: params['tie_priority'].slice(0, sectorCount + 1) };
}

/** Limit far above the number of groups in the graph; a body can contain millions. */
const maxOverrides = 100_000;

interface SentOverrides {
  /** Dataset ids by group code, of valid ids. */
  readonly pins: ReadonlyMap<string, string>;
  readonly errors: FieldErrors;
}

function readOverrides(sent: unknown): SentOverrides {
  const pins = new Map<string, string>();
  if (sent === undefined || sent === null) return { pins, errors: {} };
  if (!isObject(sent)) return { pins, errors: { overrides: overrideFaults.notAnObject } };
  const entries = Object.entries(sent);
  if (entries.length > maxOverrides)
    return { pins, errors: { overrides: overrideFaults.tooMany(maxOverrides) } };
  const errors = new Map<string, Message>();
  for (const [group, value] of entries) {
    const id = Guid.safeParse(value);
    if (!inputGroups.has(group)) errors.set(fieldOf(group), overrideFaults.notAnInput);
    else if (!id.success) errors.set(fieldOf(group), overrideFaults.notAUuid);
    else pins.set(group, id.data);
  }
  return { pins, errors: Object.fromEntries(errors) };
}

async function findPinErrors(
  db: Database | Transaction,
  pins: ReadonlyMap<string, string>,
): Promise<FieldErrors> {
  if (pins.size === 0) return {};
  const found = await db
    .selectFrom('datasets')
    .select(['id', 'file_type', 'status'])
    .where('id', 'in', [...pins.values()])
    .execute();
  const datasets = new Map(found.map((dataset) => [dataset.id, dataset]));
  const errors: Record<string, Message> = {};
  for (const [group, id] of pins) {
    const dataset = datasets.get(id);
    if (dataset === undefined) errors[fieldOf(group)] = overrideFaults.notFound;
    else if (dataset.file_type !== 'raster') errors[fieldOf(group)] = overrideFaults.notARaster;
    else if (dataset.status !== 'ready') errors[fieldOf(group)] = overrideFaults.notReady;
  }
  return errors;
}

function fieldOf(group: string): string {
  return `overrides.${group}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
