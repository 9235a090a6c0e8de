import type { FieldErrors } from '../lib/errors.ts';
import { conflict, problem, sentences } from './define.ts';

export const categoryProblems = sentences('category', {
  notFound: problem('not_found', () => 'no such category'),
  codeTaken: conflict(() => 'another category has this code'),
  inUse: conflict((users: 'datasets' | 'child categories') => `the category still has ${users}`),
});

export const groupProblems = sentences('group', {
  notFound: problem('not_found', () => 'no such dataset group'),
  codeTaken: conflict(() => 'another dataset group has this code'),
  inUse: conflict(() => 'the dataset group still has datasets'),
});

/** Faults of the fields of a category. */
export const categoryFaults = sentences('category_fault', {
  noParent: 'does not exist',
  ownAncestor: 'must not make the category its own ancestor',
  slug: 'must be lower-case latin letters, digits and single dashes between them',
});

/** Faults of the parent of a category, by field. */
export const parentFaults = {
  missing: { parent_id: categoryFaults.noParent },
  descendant: { parent_id: categoryFaults.ownAncestor },
} satisfies Record<string, FieldErrors>;

export const slugFault = categoryFaults.slug;
