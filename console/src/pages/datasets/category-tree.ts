import type { Category } from '../../service/types.ts';

/** A category with its subcategories, ordered by name. */
export interface Branch {
  readonly category: Category;
  readonly branches: readonly Branch[];
}

/** Builds the tree. A category whose parent is missing is a root, so that none is lost. */
export function treeOf(categories: readonly Category[]): readonly Branch[] {
  const known = new Set(categories.map(({ id }) => id));
  const childrenOf = Map.groupBy(categories, ({ parent_id: parent }) =>
    parent !== null && known.has(parent) ? parent : '',
  );
  const branchesOf = (parent: string): readonly Branch[] =>
    (childrenOf.get(parent) ?? [])
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map((category) => ({ category, branches: branchesOf(category.id) }));
  return branchesOf('');
}

/** The possible parents of a category: all categories except itself and its descendants. */
export function withoutBranch(categories: readonly Category[], id: string): readonly Category[] {
  const gone = new Set([id]);
  for (let before = 0; before < gone.size;) {
    before = gone.size;
    for (const { id: each, parent_id: parent } of categories)
      if (parent !== null && gone.has(parent)) gone.add(each);
  }
  return categories.filter((category) => !gone.has(category.id));
}
