import type { Database, Transaction } from '../../database/tables.ts';
import { Guid } from '../../validation/fields.ts';
import { type FieldErrors, Problem } from '../../common/errors.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { inputGroups } from '../graph/graph.ts';
import { LandscapeParams } from '../model/params.ts';
import { LandscapeRunInput } from './schema.ts';

/** What a run is asked to do, checked. */
export interface RunInput {
  readonly params: LandscapeParams;
  /** Id of the pinned dataset by group code. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Nodes of this stage and later are computed anew. */
  readonly fromStage: number | null;
}

/**
 * Checks what a client asks of a run; a body that is absent asks for nothing in particular. Takes one query at most.
 * @throws {Problem} `malformed` for a body that is no object; `invalid`, naming every failing field at once.
 */
export async function checkRunInput(db: Database | Transaction, body: unknown = {}): Promise<RunInput> {
  if (!isObject(body)) throw new Problem('malformed', 'the body must be a JSON object');
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

/** Overrides may be many and come under any name, which zod takes no care of. */
const Choices = LandscapeRunInput.omit({ overrides: true });

/** Reports what is wrong within a list as an error of the list. */
function errorsByList(errors: FieldErrors): FieldErrors {
  const byList: Record<string, string> = {};
  for (const [field, message] of Object.entries(errors)) {
    byList[field.split('.', 2).join('.')] ??= message;
  }
  return byList;
}

const sectorCount = 5;

/** A body has room for millions of sectors; the sixth is one too many already. */
function withShortList(params: unknown): unknown {
  if (!isObject(params) || !Array.isArray(params['tie_priority'])) return params;
  return { ...params, tie_priority: params['tie_priority'].slice(0, sectorCount + 1) };
}

/** Far more than the graph has groups; a body has room for millions. */
const maxOverrides = 100_000;

interface SentOverrides {
  /** Dataset id by group code, of those that can be looked up. */
  readonly pins: ReadonlyMap<string, string>;
  readonly errors: FieldErrors;
}

function readOverrides(sent: unknown): SentOverrides {
  const pins = new Map<string, string>();
  if (sent === undefined || sent === null) return { pins, errors: {} };
  if (!isObject(sent))
    return { pins, errors: { overrides: 'must be an object of dataset ids by group code' } };
  const entries = Object.entries(sent);
  if (entries.length > maxOverrides)
    return { pins, errors: { overrides: `must have at most ${maxOverrides} groups` } };
  const errors = new Map<string, string>();
  for (const [group, value] of entries) {
    const id = Guid.safeParse(value);
    if (!inputGroups.has(group)) errors.set(fieldOf(group), 'not an input group of the graph');
    else if (!id.success) errors.set(fieldOf(group), 'must be a uuid');
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
  const errors: Record<string, string> = {};
  for (const [group, id] of pins) {
    const dataset = datasets.get(id);
    if (dataset === undefined) errors[fieldOf(group)] = 'dataset not found';
    else if (dataset.file_type !== 'raster') errors[fieldOf(group)] = 'dataset is not a raster';
    else if (dataset.status !== 'ready') errors[fieldOf(group)] = 'dataset is not ready';
  }
  return errors;
}

function fieldOf(group: string): string {
  return `overrides.${group}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
