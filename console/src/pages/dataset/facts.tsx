import type { ComponentChildren } from 'preact';
import type { Dataset, ImportReport } from '../../service/types.ts';
import { formatDay, formatPeriod } from '../../../../common/formats/days.ts';
import { formatBytes } from '../../../../common/formats/sizes.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { language, words } from '../../words/words.ts';
import { Failure } from '../../parts/loading.tsx';
import { datasetUnit } from '../../service/graph-words.ts';
import type { Resource } from '../../service/resource.ts';

/** Facts of a dataset in words; unknown ones are left out. */
export function Facts({
  dataset,
  report,
}: {
  readonly dataset: Dataset;
  readonly report: ImportReport | undefined;
}) {
  const { dataset: text, types } = words();
  const raster = report?.raster ?? undefined;
  const rows = report?.rows ?? undefined;
  const facts: readonly (readonly [name: string, value: ComponentChildren])[] = [
    [text.type, types[dataset.file_type]],
    [text.period, formatPeriod(dataset.start_date, dataset.end_date, language())],
    [text.unit, datasetUnit(dataset)],
    [text.size, formatBytes(dataset.size_bytes, language())],
    [text.crs, raster?.crs ?? report?.source?.crs],
    [text.shift, shiftInWords(raster?.shift ?? report?.source?.shift)],
    [
      text.pixels,
      raster && `${count(raster.width)} × ${count(raster.height)} × ${raster.bands}, ${raster.data_type}`,
    ],
    [text.layer, report?.source?.layer],
    [text.rows, rows && count(rows.read)],
    [text.uploaded, formatDay(dataset.created_at.slice(0, 10), language())],
    [text.description, dataset.description],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : undefined,
      )}
    </dl>
  );
}

/** Nothing for a file on WGS 84, and for one that states its own parameters. */
function shiftInWords(shift: NonNullable<ImportReport['raster']>['shift']): string | undefined {
  const { operation = null, accuracy_m = null } = shift ?? {};
  if (operation === null) return undefined;
  return accuracy_m === null ? operation : words().dataset.accurateTo(operation, count(accuracy_m));
}

function count(value: number): string {
  return formatNumber(value, language());
}

/** Shows the warnings about a file in the words of the service, or states that there are none. */
export function Remarks({
  report: { value, failure },
  isRead,
  retry,
}: {
  readonly report: Resource<ImportReport | undefined>;
  /** False while the file is being read, before there is a report. */
  readonly isRead: boolean;
  readonly retry: () => void;
}) {
  const { dataset: text, failure: failures } = words();
  if (!isRead) return <p class="muted">{text.remarksLater}</p>;
  if (failure !== undefined)
    return failure.status === 404 ? (
      <p class="muted">{text.noReport}</p>
    ) : (
      <Failure failure={failure} retry={retry} title={text.remarksFailed} />
    );
  if (value === undefined)
    return (
      <p class="muted" role="status">
        {failures.loading}
      </p>
    );
  if (value.warnings.length === 0) return <p class="muted">{text.noRemarks}</p>;
  return (
    <ul class="remarks">
      {value.warnings.map(({ code, message }) => (
        <li key={code + message}>{message}</li>
      ))}
    </ul>
  );
}
