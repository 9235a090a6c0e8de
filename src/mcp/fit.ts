/** A shortened list of an answer, and the number of its items that are shown. */
export interface Cut {
  /** The place of the list, such as `units`. */
  readonly list: string;
  readonly shown: number;
  readonly of: number;
}

interface Longest {
  readonly list: readonly unknown[];
  /** Member names separated by dots; `0` for the only item of a list. */
  readonly path: string;
  readonly characters: number;
}

/**
 * Shortens the lists of an answer until its JSON has at most the given number of characters. It halves the longest list each time,
 * because a model reads, and pays for, the whole answer.
 * @returns the answer, and the shortened lists
 */
export function fit(
  answer: object,
  maxCharacters: number,
): { readonly fitting: object; readonly cuts: readonly Cut[] } {
  const cuts = new Map<string, Cut>();
  let fitting: Readonly<Record<string, unknown>> = { ...answer };
  while (JSON.stringify(fitting).length > maxCharacters) {
    const longest = longestList(fitting);
    if (longest === undefined) return { fitting: {}, cuts: [{ list: '', shown: 0, of: 1 }] };
    const { list, path } = longest;
    const shown = Math.floor(list.length / 2);
    cuts.set(path, { list: path, shown, of: cuts.get(path)?.of ?? list.length });
    fitting = replaced(fitting, path.split('.'), list.slice(0, shown));
  }
  return { fitting, cuts: [...cuts.values()] };
}

function longestList(value: object): Longest | undefined {
  const lists: Longest[] = [];
  const visit = (inner: unknown, path: string) => {
    if (Array.isArray(inner)) {
      if (inner.length > 1) lists.push({ list: inner, path, characters: JSON.stringify(inner).length });
      // Nested lists are shortened with the list that contains them, or when only one item is left.
      if (inner.length === 1) visit(inner[0], `${path}.0`);
    } else if (typeof inner === 'object' && inner !== null)
      for (const [name, member] of Object.entries(inner))
        visit(member, path === '' ? name : `${path}.${name}`);
  };
  visit(value, '');
  return lists.toSorted((one, other) => other.characters - one.characters)[0];
}

function replaced(
  value: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  list: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const inner = value[name];
  if (rest.length === 0) return { ...value, [name]: list };
  if (Array.isArray(inner)) {
    const [, ...within] = rest;
    return { ...value, [name]: within.length === 0 ? list : [replaced({ ...inner[0] }, within, list)] };
  }
  return { ...value, [name]: replaced({ ...Object(inner) }, rest, list) };
}
