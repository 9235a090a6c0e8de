import { z } from 'zod';
import type { Database } from '../../database/tables.ts';
import { Guid } from '../../validation/fields.ts';
import { DatasetSummary } from '../../datasets/schema.ts';
import { landscapeProblems } from '../../messages/landscape.ts';
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
    if (group === undefined) throw landscapeProblems.noSlotGroup(code);
    return { code, title, group_id: group.id, latest: group.latest };
  });
}

/** The id of a slot's group. @throws {Problem} `not_found` for any other code, or when the group is absent. */
export async function findSlotGroup(db: Database, code: string): Promise<string> {
  if (!leaves.some(({ group }) => group === code)) throw landscapeProblems.noSuchSlot(slotMeant(code));
  const row = await db.selectFrom('dataset_groups').select('id').where('code', '=', code).executeTakeFirst();
  if (row === undefined) throw landscapeProblems.noSlotGroup(code);
  return row.id;
}

/** Guesses the slot: codes come without the prefix of all slots, and in other spellings. */
function slotMeant(code: string): string | undefined {
  return leaves.find(({ group }) => abridged(group) === abridged(code))?.group;
}

function abridged(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  return words.replace(/^(?:landscape )?(?:in )?/, '');
}
