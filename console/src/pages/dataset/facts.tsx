import type { ComponentChildren } from 'preact';
import type { Dataset, ImportReport } from '../../service/types.ts';
import { formatDay, formatPeriod } from '../../words/dates.ts';
import { formatNumber } from '../../../../src/maps/legend/labels.ts';
import { formatBytes } from '../../words/numbers.ts';
import { language, words } from '../../words/words.ts';

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
    [text.unit, dataset.unit],
    [text.size, formatBytes(dataset.size_bytes, language())],
    [text.crs, raster?.crs ?? report?.source?.crs],
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

function count(value: number): string {
  return formatNumber(value, language());
}
