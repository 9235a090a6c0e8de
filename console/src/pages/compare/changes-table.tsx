import { useSignal } from '@preact/signals';
import { replaceQuery } from '../../address/address.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { changeRows, isSameChange } from './change-rows.ts';
import { writeChange, type Change } from './compare-address.ts';
import type { CompareWords } from './words/words.ts';
import type { RunComparison } from '../../service/types.ts';

export interface ChangesProps {
  readonly comparison: RunComparison;
  /** The one change that is shown on the map. */
  readonly change: Change | undefined;
  readonly words: CompareWords;
}

const first = 8;

/** Shows one change on the map, or all changes again. */
export function toggleChange(shown: Change | undefined, change: Change): void {
  const isOn = isSameChange(shown, change);
  replaceQuery({ change: isOn ? undefined : writeChange(change), show: 'changes' });
}

/** The title of a class, or of land without a class. */
export function titleOf(value: number | null, { classes }: RunComparison, words: CompareWords): string {
  if (value === null) return words.matrix.none;
  return classes.find((each) => each.value === value)?.title ?? String(value);
}

/** The changes, the largest first; a click shows the places of a change on the map. */
export function ChangesTable({ comparison, change, words }: ChangesProps) {
  const isWhole = useSignal(false);
  const { largest, matrix } = words;
  const rows = changeRows(comparison);
  const shown = isWhole.value ? rows : rows.slice(0, first);
  const most = rows[0]?.hectares ?? 0;
  return (
    <section class="sheet pad stack" aria-labelledby="compare-largest">
      <h2 id="compare-largest">{largest.title}</h2>
      {rows.length === 0 && <p>{words.unchanged}</p>}
      {rows.length > 0 && (
        <table class="areas changes">
          <thead>
            <tr>
              <th scope="col">{largest.change}</th>
              <th scope="col" class="number">
                {largest.hectares}
              </th>
              <th scope="col" class="number">
                {largest.share}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const [from, to] = [titleOf(row.from, comparison, words), titleOf(row.to, comparison, words)];
              const area = formatHectares(row.hectares, language());
              return (
                <tr key={writeChange(row)}>
                  <th scope="row">
                    <button
                      type="button"
                      class="change"
                      aria-pressed={isSameChange(change, row)}
                      title={matrix.show(from, to, area)}
                      onClick={() => toggleChange(change, row)}
                    >
                      <Swatch value={row.from} comparison={comparison} /> {from}
                      {' → '}
                      <Swatch value={row.to} comparison={comparison} /> {to}
                    </button>
                  </th>
                  <td class="number">{area}</td>
                  <td class="number share">
                    {formatShare(row.share, language())}
                    <span class="bar" aria-hidden="true">
                      <span
                        style={{ width: `${(100 * row.hectares) / most}%`, background: 'var(--accent)' }}
                      />
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {shown.length < rows.length && (
        <button type="button" class="button" onClick={() => void (isWhole.value = true)}>
          {largest.more(rows.length - shown.length)}
        </button>
      )}
      {rows.length > 0 && <p class="small muted">{largest.note}</p>}
    </section>
  );
}

/** The colour of a class, beside its title. */
export function Swatch({
  value,
  comparison: { classes },
}: {
  readonly value: number | null;
  readonly comparison: RunComparison;
}) {
  const color = classes.find((each) => each.value === value)?.color;
  return (
    <span
      class={color === undefined ? 'swatch blank' : 'swatch'}
      style={color === undefined ? undefined : { background: color }}
      aria-hidden="true"
    />
  );
}
