import { hrefOf } from '../../app/address.ts';
import { TypeSign } from '../../parts/icons.tsx';
import { Status } from '../../parts/status.tsx';
import type { DatasetSummary } from '../../service/types.ts';
import { formatPeriod } from '../../words/dates.ts';
import { formatBytes } from '../../words/numbers.ts';
import { language, words } from '../../words/words.ts';

/** Datasets as a table, which becomes cards where there is no room for columns. */
export function DatasetRows({ datasets }: { readonly datasets: readonly DatasetSummary[] }) {
  const { datasets: text, types } = words();
  return (
    <table class="rows">
      <thead>
        <tr>
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
          ({ id, name, file_type: type, status, start_date: start, end_date: end, size_bytes: size }) => (
            <tr key={id} class="row">
              <th scope="row">
                <TypeSign type={type} />
                <a href={hrefOf(['datasets', id])}>{name}</a>
              </th>
              <td>{types[type]}</td>
              <td>
                <Status status={status} />
              </td>
              <td>{formatPeriod(start, end, language())}</td>
              <td class="number">{formatBytes(size, language())}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}
