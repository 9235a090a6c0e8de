import { hrefOf } from '../../address/address.ts';
import { Status, TypeSign } from '../../parts/signs.tsx';
import { may } from '../../service/capabilities.ts';
import { datasetName } from '../../service/graph-words.ts';
import type { DatasetSummary } from '../../service/types.ts';
import { formatBytes } from '../../../../common/formats/sizes.ts';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { language, words } from '../../words/words.ts';

/** Datasets as a table, which becomes cards on narrow screens. Rows can be selected with a scope that may change them. */
export function DatasetRows({
  datasets,
  selected,
  onSelect,
}: {
  readonly datasets: readonly DatasetSummary[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const { datasets: text, selection, types } = words();
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  const canChange = may('data:write');
  const areAll = datasets.every(({ id }) => selected.has(id));
  return (
    <table class="rows">
      <thead>
        <tr>
          {canChange && (
            <td class="tick">
              <input
                type="checkbox"
                aria-label={selection.selectAll}
                checked={areAll}
                onChange={() => onSelect(new Set(areAll ? [] : datasets.map(({ id }) => id)))}
              />
            </td>
          )}
          <th scope="col">{text.name}</th>
          <th scope="col">{text.type}</th>
          <th scope="col">{text.status}</th>
          <th scope="col">{text.period}</th>
          <th scope="col" class="number">
            {text.size}
          </th>
        </tr>
      </thead>
      <tbody>
        {datasets.map(
          ({ id, file_type: type, status, start_date: start, end_date: end, size_bytes: size, ...named }) => (
            <tr key={id} class="row">
              {canChange && (
                <td class="tick">
                  <input
                    type="checkbox"
                    aria-label={`${selection.select}: ${datasetName(named)}`}
                    checked={selected.has(id)}
                    onChange={() => toggle(id)}
                  />
                </td>
              )}
              <th scope="row">
                <span class="typed">
                  <TypeSign type={type} />
                  <a href={hrefOf(['datasets', id])}>{datasetName(named)}</a>
                </span>
              </th>
              <td>{types[type]}</td>
              <td>
                {status === 'awaiting_mapping' ? (
                  <a href={hrefOf(['datasets', id, 'columns'])}>
                    <Status status={status} />
                  </a>
                ) : (
                  <Status status={status} />
                )}
              </td>
              <td class="wide">{formatPeriod(start, end, language())}</td>
              <td class="number">{formatBytes(size, language())}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}
