import type { Remark, RemarkCode } from './types.ts';

/** Limit of remarks, so that those on a table of thousands of columns can be read. */
const maxRemarks = 60;
const maxTextCharacters = 120;

/** Counts the remarks on a table; the first cell of each kind is kept as its example. */
export function createTally() {
  const found = new Map<string, Remark>();
  return {
    add(code: RemarkCode, about: Omit<Remark, 'code' | 'count'> & { readonly count?: number } = {}): void {
      const key = `${code} ${about.column ?? ''}`;
      const before = found.get(key);
      const count = (before?.count ?? 0) + (about.count ?? 1);
      if (before !== undefined) found.set(key, { ...before, count });
      else if (found.size < maxRemarks) {
        const text = about.text === undefined ? {} : { text: about.text.slice(0, maxTextCharacters) };
        found.set(key, { ...about, ...text, code, count });
      }
    },
    remarks: (): readonly Remark[] => [...found.values()],
  };
}

export type Tally = ReturnType<typeof createTally>;
