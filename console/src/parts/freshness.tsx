import type { GroupFreshness } from '../service/types.ts';
import { formatDay } from '../../../common/formats/days.ts';
import { language, words } from '../words/words.ts';

const signs = {
  fresh: '✓',
  due: '◔',
  overdue: '!',
  undated: '–',
  empty: '○',
} as const satisfies Record<GroupFreshness['state'], string>;

const msPerDay = 86_400_000;

/** The freshness of a group by its cadence, as a sign and a word, and the day since when. */
export function Freshness({ of }: { readonly of: GroupFreshness }) {
  return (
    <span class={`freshness small ${of.state}`}>
      <span aria-hidden="true">{signs[of.state]}</span> {textOf(of)}
    </span>
  );
}

function textOf({ state, next_due: next, overdue_after: last, today }: GroupFreshness): string {
  const { cadence: text } = words().catalogue;
  if (next === null || last === null || state === 'undated' || state === 'empty')
    return state === 'empty' ? text.empty : text.undated;
  if (state === 'overdue') return text.overdue((Date.parse(today) - Date.parse(last)) / msPerDay);
  const day = formatDay(next, language());
  return state === 'fresh' ? text.fresh(day) : text.due(day);
}
