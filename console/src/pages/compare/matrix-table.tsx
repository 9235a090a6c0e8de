import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { isSameChange, zonedLand } from './change-rows.ts';
import { type ChangesProps, Swatch, titleOf, toggleChange } from './changes-table.tsx';

/** Hectares from each class of run A to each of run B; a click shows the places of a number. */
export function MatrixTable({ comparison, change, words }: ChangesProps) {
  const { matrix: text } = words;
  const { from, to, ha } = comparison.matrix;
  const land = zonedLand(comparison);
  const sumOf = (areas: readonly number[]): number => areas.reduce((sum, area) => sum + area, 0);
  return (
    <section class="sheet pad stack" aria-labelledby="compare-matrix">
      <h2 id="compare-matrix">{text.title}</h2>
      <p class="small muted">{text.text}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard */}
      <div class="matrix-scroll" role="region" aria-label={text.scroll} tabIndex={0}>
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col" class="small muted corner">
                {text.corner}
              </th>
              {to.map((value) => (
                <th key={value ?? ''} scope="col">
                  <Swatch value={value} comparison={comparison} />
                  <span>{titleOf(value, comparison, words)}</span>
                </th>
              ))}
              <th scope="col" class="sum">
                {text.sum}
              </th>
            </tr>
          </thead>
          <tbody>
            {from.map((one, i) => (
              <tr key={one ?? ''}>
                <th scope="row">
                  <Swatch value={one} comparison={comparison} />
                  <span>{titleOf(one, comparison, words)}</span>
                </th>
                {to.map((other, j) => {
                  const area = ha[i]?.[j] ?? 0;
                  const here = { from: one, to: other };
                  const isUnchanged = one === other;
                  if (area === 0 || (one === null && other === null))
                    return (
                      <td key={other ?? ''} class={isUnchanged ? 'unchanged' : 'zero'}>
                        {area === 0 ? '–' : formatHectares(area, language())}
                      </td>
                    );
                  return (
                    <td key={other ?? ''} class={isUnchanged ? 'unchanged' : 'moved'}>
                      <button
                        type="button"
                        aria-pressed={isSameChange(change, here)}
                        title={text.show(
                          titleOf(one, comparison, words),
                          titleOf(other, comparison, words),
                          formatHectares(area, language()),
                        )}
                        onClick={() => toggleChange(change, here)}
                      >
                        <span class="visually-hidden">
                          {`${titleOf(one, comparison, words)} → ${titleOf(other, comparison, words)}: `}
                        </span>
                        {formatHectares(area, language())}{' '}
                        <span class="small">{formatShare(land === 0 ? 0 : area / land, language())}</span>
                      </button>
                    </td>
                  );
                })}
                <td class="sum">{formatHectares(sumOf(ha[i] ?? []), language())}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{text.sum}</th>
              {to.map((value, j) => (
                <td key={value ?? ''} class="sum">
                  {formatHectares(sumOf(ha.map((row) => row[j] ?? 0)), language())}
                </td>
              ))}
              <td class="sum">{formatHectares(sumOf(ha.map(sumOf)), language())}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}
