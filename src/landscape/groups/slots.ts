import { z } from 'zod';
import type { Database } from '../../database/tables.ts';
import { Guid } from '../../validation/fields.ts';
import { DatasetSummary } from '../../datasets/schema.ts';
import { Problem } from '../../common/errors.ts';
import { exampleSlot } from './examples.ts';
import { leaves } from '../model/leaves.ts';
import { readGroups } from './group-rows.ts';

/** A leaf input group of the graph. */
export const LandscapeSlot = z
  .object({
    code: z.string().describe('Dataset group code'),
    title: z.string().describe('What people call it'),
    group_id: Guid.describe('Dataset group that holds the uploads to the slot'),
    latest: DatasetSummary.nullable().describe('Freshest dataset of the group in any status'),
  })
  .meta({ id: 'LandscapeSlot', description: 'An input of the graph', examples: [exampleSlot] });
export type LandscapeSlot = z.infer<typeof LandscapeSlot>;

/** Every slot, in the order of the graph. @throws {Problem} `not_found` when the group of any is absent. */
export async function listSlots(db: Database): Promise<LandscapeSlot[]> {
  const groups = await readGroups(
    db,
    leaves.map(({ group }) => group),
    'all datasets',
  );
  return leaves.map(({ group: code, title }) => {
    const group = groups.get(code);
    if (group === undefined) throw noSlotGroup(code);
    return { code, title, group_id: group.id, latest: group.latest };
  });
}

/** The id of a slot's group. @throws {Problem} `not_found` for any other code, or when the group is absent. */
export async function findSlotGroup(db: Database, code: string): Promise<string> {
  if (!leaves.some(({ group }) => group === code)) throw new Problem('not_found', noSuchSlot(code));
  const row = await db.selectFrom('dataset_groups').select('id').where('code', '=', code).executeTakeFirst();
  if (row === undefined) throw noSlotGroup(code);
  return row.id;
}

function noSlotGroup(code: string): Problem {
  const advice = 'the next start of the service creates it again';
  return new Problem('not_found', `there is no dataset group ${code}: ${advice}`);
}

/** Codes come without what all slots begin with, and as they are written elsewhere. */
function noSuchSlot(code: string): string {
  const meant = leaves.find(({ group }) => abridged(group) === abridged(code));
  const suggestion = meant === undefined ? '' : ` did you mean ${meant.group}?`;
  return `there is no such slot;${suggestion} GET /landscape/slots lists them all`;
}

function abridged(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  return words.replace(/^(?:landscape )?(?:in )?/, '');
}
