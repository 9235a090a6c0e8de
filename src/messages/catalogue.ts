import type { FieldErrors } from '../common/errors.ts';
import { conflict, problem } from './define.ts';

export const categoryProblems = {
  notFound: problem('not_found', () => 'no such category'),
  codeTaken: conflict(() => 'another category has this code'),
  inUse: conflict((users: 'datasets' | 'child categories') => `the category still has ${users}`),
};

export const groupProblems = {
  notFound: problem('not_found', () => 'no such dataset group'),
  codeTaken: conflict(() => 'another dataset group has this code'),
  inUse: conflict(() => 'the dataset group still has datasets'),
};

/** Faults of the parent of a category, by field. */
export const parentFaults = {
  missing: { parent_id: 'does not exist' },
  descendant: { parent_id: 'must not make the category its own ancestor' },
} satisfies Record<string, FieldErrors>;

export const slugFault = 'must be lower-case latin letters, digits and single dashes between them';
