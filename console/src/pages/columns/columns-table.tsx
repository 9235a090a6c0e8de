import { useSignal } from '@preact/signals';
import { address, replaceQuery } from '../../address/address.ts';
import { pageParameter } from '../../parts/page-links.tsx';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { isRemarksName } from '../../../../common/table/marks.ts';
import { remarkCellText } from '../../words/statuses.ts';
import { language } from '../../words/words.ts';
import {
  type Draft,
  type Measure,
  type periodsOf,
  type Role,
  roleOf,
  withPeriod,
  withRole,
} from './draft.ts';
import { count } from './written.ts';
import type { ColumnsWords } from './words/words.ts';
import type { MappingSuggestion } from '../../service/types.ts';

/** Columns per page: thousands of select elements would slow the page down. */
export const columnsOfPage = 20;
const roles: readonly Role[] = ['kato', 'value', 'none'];

type Column = MappingSuggestion['columns'][number];

interface TableProps {
  readonly suggestion: MappingSuggestion;
  readonly draft: Draft;
  readonly periods: ReturnType<typeof periodsOf>;
  readonly measureOf: (column: string) => Measure;
  readonly text: ColumnsWords;
  /** From 1. */
  readonly page: number;
  /** Undefined while nothing can be changed. */
  readonly onChange: ((draft: Draft) => void) | undefined;
}

/** The first rows of a table, with the role of each column in its heading. */
export function ColumnsTable({ suggestion, text, page, ...rest }: TableProps) {
  const { columns, rows, column_count: all } = suggestion;
  const marked = Number(address.value.query.get('row') ?? 0);
  return (
    <section class="sheet columns-sheet">
      <h2 id="columns-table" class="visually-hidden">
        {text.table}
      </h2>
      {all > columnsOfPage && <Pages page={page} all={all} text={text} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div class="columns-scroll" tabIndex={0} role="region" aria-labelledby="columns-table">
        <table class="columns-table">
          <thead>
            <tr>
              <th scope="col" class="row-number">
                {text.rowNumber}
              </th>
              {columns.map((column) => (
                <Head key={column.index} column={column} suggestion={suggestion} text={text} {...rest} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other name
              <tr key={at} id={`row-${at + 1}`} class={marked === at + 1 ? 'marked' : undefined}>
                <th scope="row" class="row-number">
                  {at + 1}
                </th>
                {columns.map(({ index, name }, cell) => (
                  <td key={index} class={roleOf(rest.draft, name)}>
                    {shownCell(row[cell] ?? null, name) ?? (
                      <span class="visually-hidden">{text.emptyCell}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The remarks on values in the language of the page. */
function shownCell(cell: string | null, column: string): string | null {
  return cell !== null && isRemarksName(column) ? remarkCellText(cell, language()) : cell;
}

function Pages({
  page,
  all,
  text,
}: {
  readonly page: number;
  readonly all: number;
  readonly text: ColumnsWords;
}) {
  const last = Math.ceil(all / columnsOfPage);
  const go = (to: number): void => replaceQuery({ page: pageParameter(to) });
  const from = Math.min((page - 1) * columnsOfPage + 1, all);
  return (
    <nav class="columns-pages" aria-label={text.pages}>
      <button
        type="button"
        class="button"
        disabled={page <= 1}
        aria-label={text.before}
        onClick={() => go(page - 1)}
      >
        ‹
      </button>
      <span aria-live="polite">
        {text.page(count(from), count(Math.min(page * columnsOfPage, all)), count(all))}
      </span>
      <button
        type="button"
        class="button"
        disabled={page >= last}
        aria-label={text.after}
        onClick={() => go(page + 1)}
      >
        ›
      </button>
    </nav>
  );
}

function Head({
  column,
  suggestion,
  draft,
  periods,
  measureOf,
  text,
  onChange,
}: Omit<TableProps, 'page'> & { readonly column: Column }) {
  const name = column.name === '' ? text.unnamed : column.name;
  // The service takes another column with the same name.
  const isRepeated = column.reason === 'repeated_name';
  const role = isRepeated ? 'none' : roleOf(draft, column.name);
  const match = isRepeated ? undefined : suggestion.matches.find((each) => each.column === column.name);
  const filled = column.numbers + column.texts;
  return (
    <th scope="col" class={role}>
      <div class="column-head">
        <span class="column-name" title={name}>
          {name}
        </span>
        <select
          aria-label={text.role(name)}
          value={role}
          disabled={onChange === undefined || isRepeated}
          onChange={({ currentTarget }) => {
            const next = roles.find((each) => each === currentTarget.value) ?? 'none';
            onChange?.(withRole(draft, column.name, { role: next, periods, measureOf }));
          }}
        >
          {roles.map((each) => (
            <option key={each} value={each} selected={each === role}>
              {text.roles[each]}
            </option>
          ))}
        </select>
        {role === 'value' && <Period column={column.name} draft={draft} text={text} onChange={onChange} />}
        {role === 'value' && <UnitOf column={column.name} draft={draft} text={text} />}
        <span class="small muted">
          {role === column.role || isRepeated ? `${text.reasons[column.reason]} ` : ''}
          {match !== undefined && filled > 0
            ? text.known(count(match.with_district), count(filled))
            : text.cells(count(column.numbers), count(column.texts), count(column.empty))}
        </span>
      </div>
    </th>
  );
}

/** The unit of a column of values, with its conversion. */
function UnitOf({ column, draft, text }: Pick<TableProps, 'draft' | 'text'> & { readonly column: string }) {
  const { unit, source_unit: source, factor, remarks_column: remarks } = draft.values.get(column) ?? {};
  if (unit === undefined && remarks === undefined) return undefined;
  const converted = factor !== undefined && source !== undefined;
  return (
    <span class="small">
      {unit !== undefined &&
        (converted ? text.converted(source, formatNumber(factor, language(), 12), unit) : text.unitIs(unit))}
      {unit !== undefined && remarks !== undefined && ' · '}
      {remarks !== undefined && text.withRemarks}
    </span>
  );
}

/** The period of a column of values, which can be typed. */
function Period({
  column,
  draft,
  text,
  onChange,
}: Pick<TableProps, 'draft' | 'text' | 'onChange'> & { readonly column: string }) {
  const isOpen = useSignal(false);
  const period = draft.values.get(column) ?? { start_date: '', end_date: null };
  const isMissing = period.start_date === '';
  const written = isMissing ? text.noPeriodYet : formatPeriod(period.start_date, period.end_date, language());
  const isEdited = onChange !== undefined && (isOpen.value || isMissing);
  return (
    <div class="column-period">
      <span class={isMissing ? 'wrong' : undefined}>{written}</span>
      {onChange !== undefined && !isMissing && (
        <button
          type="button"
          class="button quiet small"
          aria-expanded={isOpen.value}
          aria-label={text.edit(column === '' ? text.unnamed : column)}
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          {text.editShort}
        </button>
      )}
      {isEdited && (
        <div class="period-fields">
          <label class="field small">
            <span>{text.from}</span>
            <input
              type="date"
              value={period.start_date}
              onChange={({ currentTarget: { value } }) =>
                onChange(withPeriod(draft, column, { ...period, start_date: value }))
              }
            />
          </label>
          <label class="field small">
            <span>{text.to}</span>
            <input
              type="date"
              value={period.end_date ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange(withPeriod(draft, column, { ...period, end_date: value === '' ? null : value }))
              }
            />
          </label>
        </div>
      )}
    </div>
  );
}
