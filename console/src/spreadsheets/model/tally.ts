import type { Mark } from '../../../../common/table/marks.ts';
import type { CountedMark, Remark, RemarkCode } from './types.ts';

/** Limit of remarks, so that those on a table of thousands of columns can be read. */
const maxRemarks = 60;
const maxTextCharacters = 120;
/** Limit of different marks in one remark. */
const maxMarks = 12;

/** Counts the remarks on a table; the first cell of each kind is kept as its example. */
export function createTally() {
  const found = new Map<string, Remark>();
  return {
    add(code: RemarkCode, { marks, ...about }: About = {}): void {
      const key = `${code} ${about.column ?? ''}`;
      const before = found.get(key);
      const count = (before?.count ?? 0) + (about.count ?? 1);
      if (before !== undefined) found.set(key, { ...before, count, ...counted(before.marks, marks) });
      else if (found.size < maxRemarks) {
        const text = about.text === undefined ? {} : { text: about.text.slice(0, maxTextCharacters) };
        found.set(key, { ...about, ...text, code, count, ...counted(undefined, marks) });
      }
    },
    remarks: (): readonly Remark[] => [...found.values()],
  };
}

interface About extends Omit<Remark, 'code' | 'count' | 'marks'> {
  readonly count?: number;
  readonly marks?: readonly Mark[] | undefined;
}

/** Adds marks to the marks of a remark, each with its meaning. */
function counted(
  before: readonly CountedMark[] = [],
  marks: readonly Mark[] = [],
): { readonly marks?: readonly CountedMark[] } {
  if (marks.length === 0) return before.length === 0 ? {} : { marks: before };
  const all = [...before];
  for (const { sign, status } of marks) {
    const at = all.findIndex((each) => each.sign === sign && each.status === status);
    const count = (all[at]?.count ?? 0) + 1;
    if (at !== -1) all[at] = { sign, status, count };
    else if (all.length < maxMarks) all.push({ sign, status, count });
  }
  return { marks: all };
}

export type Tally = ReturnType<typeof createTally>;
