import './areas.css';
import { useEffect, useRef } from 'preact/hooks';
import { formatValue } from '../../../../common/formats/numbers.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatParts } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import {
  type AreaClass,
  type AreaRow,
  classedArea,
  ofClass,
  sharesOf,
  type Sorting,
  sortRows,
  type UnitHectares,
} from './table-rows.ts';
import { areasWords } from './words/words.ts';

interface TableProps {
  readonly title: string;
  /** The heading of the column of names. */
  readonly unit: string;
  readonly rows: readonly AreaRow[];
  readonly total: UnitHectares;
  readonly totalName: string;
  readonly classes: readonly AreaClass[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  /** Key of the chosen row, which is scrolled into view. */
  readonly chosen?: string | undefined;
  /** Address of the map of a row. */
  readonly hrefOf?: ((key: string) => string) | undefined;
  /** Shows a row on a map beside the table. */
  readonly onUnit?: ((key: string) => void) | undefined;
  /** True if keys are codes to show. */
  readonly hasCodes?: boolean;
}

/** Hectares of each class, of no data and of the area outside the raster, row by row; they add up to the area of the row. */
export function AreaTable(props: TableProps) {
  const { title, unit, rows, total, totalName, classes, sorting, onSort, chosen } = props;
  const text = areasWords();
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen === undefined) return;
    region.current?.querySelector(`[data-key="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const titleOf = ({ title: own, value }: AreaClass): string => own ?? formatValue(value, language());
  const columns: readonly Column[] = [
    { column: 'name', label: unit },
    { column: 'classed', label: text.shares },
    ...classes.map((each) => ({
      column: String(each.value),
      label: titleOf(each),
      color: each.color ?? 'none',
      isNumber: true,
    })),
    { column: 'nodata', label: text.noData, isNumber: true },
    { column: 'outside', label: text.outside, isNumber: true },
    { column: 'area', label: text.area, isNumber: true },
  ];
  const cells = (row: UnitHectares) => (
    <>
      <td class="unit-shares">
        <Shares unit={row} classes={classes} titleOf={titleOf} none={text.nothing} />
      </td>
      {classes.map((each) => (
        <Cell key={each.value} area={ofClass(row, each.value)} />
      ))}
      <Cell area={row.no_data_ha} />
      <Cell area={row.outside_raster_ha} />
      <td class="number unit-area">{formatHectares(row.area_ha, language())}</td>
    </>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div ref={region} class="unit-areas" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((each) => (
              <Heading key={each.column} {...each} sorting={sorting} onSort={onSort} hint={text.sort} />
            ))}
          </tr>
          <tr class="unit-total">
            <th scope="row">{totalName}</th>
            {cells(total)}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, sorting, language()).map((row) => (
            <tr key={row.key} data-key={row.key} class={row.key === chosen ? 'is-chosen' : undefined}>
              <th scope="row">
                <RowName row={row} {...props} />
              </th>
              {cells(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Column {
  readonly column: string;
  readonly label: string;
  /** Colour of the class of the column. */
  readonly color?: string;
  readonly isNumber?: boolean;
}

interface HeadingProps extends Column {
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly hint: string;
}

/** The heading of a column, which sorts by the column; a second click reverses the order. */
function Heading({ column, label, color, isNumber = false, sorting, onSort, hint }: HeadingProps) {
  const isOn = sorting.column === column;
  const order = sorting.isDescending ? 'descending' : 'ascending';
  const next = { column, isDescending: isOn ? !sorting.isDescending : column !== 'name' };
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={isOn ? order : undefined}>
      <button type="button" title={hint} onClick={() => onSort(next)}>
        {color !== undefined && <span class="swatch" style={{ background: color }} aria-hidden="true" />}
        <span>{label}</span>
        <span class="unit-sort" aria-hidden="true">
          {isOn && (sorting.isDescending ? '▼' : '▲')}
        </span>
      </button>
    </th>
  );
}

/** The name of a row, as a link to its map if there is one. */
function RowName({
  row: { key, name },
  hrefOf,
  onUnit,
  chosen,
  hasCodes = false,
}: Pick<TableProps, 'hrefOf' | 'onUnit' | 'chosen' | 'hasCodes'> & { readonly row: AreaRow }) {
  const { onMap } = areasWords();
  return (
    <>
      {onUnit !== undefined && (
        <button
          type="button"
          class="link"
          title={onMap}
          aria-pressed={key === chosen}
          onClick={() => onUnit(key)}
        >
          {name}
        </button>
      )}
      {onUnit === undefined && hrefOf !== undefined && (
        <a href={hrefOf(key)} title={onMap}>
          {name}
        </a>
      )}
      {onUnit === undefined && hrefOf === undefined && name}
      {hasCodes && <span class="small muted">{key}</span>}
    </>
  );
}

function Cell({ area }: { readonly area: number }) {
  return <td class="number">{area === 0 ? '–' : formatHectares(area, language())}</td>;
}

/** Number of classes named beside a bar. */
const named = 2;

/** The shares of the classes as a bar, and the largest ones in words. */
function Shares({
  unit,
  classes,
  titleOf,
  none,
}: {
  readonly unit: UnitHectares;
  readonly classes: readonly AreaClass[];
  readonly titleOf: (each: AreaClass) => string;
  readonly none: string;
}) {
  const shares = sharesOf(unit, classes);
  if (shares.length === 0) return <span class="muted">{none}</span>;
  const written = formatParts(
    shares.map(({ share }) => share),
    language(),
  );
  const greatest = shares
    .map((each, index) => ({ ...each, text: written[index] }))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, named);
  return (
    <>
      <span class="unit-classed">{formatHectares(classedArea(unit), language())}</span>
      <span class="unit-bar" aria-hidden="true">
        {shares.map(({ value, color, share }) => (
          <span key={value} style={{ width: `${share * 100}%`, background: color ?? 'var(--muted)' }} />
        ))}
      </span>
      <span class="unit-words">{greatest.map((each) => `${titleOf(each)} ${each.text}`).join(' · ')}</span>
    </>
  );
}
