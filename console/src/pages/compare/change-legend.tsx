import { replaceQuery } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { language } from '../../words/words.ts';
import { changeRows } from './change-rows.ts';
import { writeChange, type Change, queryOfChanges } from './compare-address.ts';
import type { CompareWords } from './words/words.ts';
import type { RunComparison } from '../../service/types.ts';
import { get } from '../../service/request.ts';

interface LegendProps {
  readonly comparison: RunComparison;
  readonly change: Change | undefined;
  readonly words: CompareWords;
}

/** What the colours of the changes mean: of the classes those that land has changed into. */
export function ChangeLegend({ comparison, change, words: { view } }: LegendProps) {
  const { a, b, node } = comparison;
  const asked = { path: { a: a.run_id, b: b.run_id }, query: queryOfChanges(node, change) };
  const { resource, reload } = useResource(
    `${a.run_id} ${b.run_id} ${asked.query.toString()} ${language()}`,
    async (signal) => await get('/landscape/runs/{a}/compare/{b}/legend.json', { ...asked, signal }),
  );
  const rows = changeRows(comparison);
  const reached = new Set(rows.map(({ to }) => to));
  const all = resource.value.value?.entries ?? [];
  const [lost] = change === undefined ? all.filter(({ value }) => value === undefined) : [];
  const entries = all.filter((entry) =>
    entry === lost ? reached.has(null) : entry.value === undefined || reached.has(entry.value),
  );
  const { failure } = resource.value;
  return (
    <div class="change-legend">
      {failure !== undefined && <Failure failure={failure} retry={reload} title={view.uncoloured} />}
      {change === undefined && <p class="small">{view.became}</p>}
      <ul class="small">
        {entries.map(({ label, colour }) => (
          <li key={label}>
            <span class="swatch" style={{ background: colour }} aria-hidden="true" /> {label}
          </li>
        ))}
      </ul>
      {change !== undefined && (
        <button
          type="button"
          class="button"
          key={writeChange(change)}
          onClick={() => replaceQuery({ change: undefined, show: 'changes' })}
        >
          {view.all}
        </button>
      )}
    </div>
  );
}
