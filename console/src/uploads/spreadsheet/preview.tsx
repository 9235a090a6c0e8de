import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ShownRows, TableFacts } from '../../spreadsheets/messages.ts';
import { type Cell, type Column, type Role, roles } from '../../spreadsheets/model/types.ts';
import { isRemarksName } from '../../../../common/table/marks.ts';
import { remarkCellText } from '../../words/statuses.ts';
import { language } from '../../words/words.ts';
import type { SpreadsheetWords } from './words/words.ts';

/** The same sizes as in the style sheet. */
const [rowHeight, columnWidth, headWidth] = [28, 156, 72];
/** Rows and columns that are rendered at a time: the visible ones, and some around them. */
const [rowsAtOnce, columnsAtOnce] = [32, 12];
/** Browsers limit the height of a page to some 17 million pixels. */
const maxRows = 100_000;
const maxColumns = 2000;
const maxCellCharacters = 120;

type Load = (from: number, count: number, columns: number) => Promise<ShownRows>;

interface PreviewProps {
  readonly table: TableFacts;
  readonly text: SpreadsheetWords;
  readonly load: Load;
  readonly onRole: (source: number, role: Role) => void;
}

/** The table to be sent, with a choice of roles above its columns; only the visible cells are rendered. */
export function Preview({ table, text, load, onRole }: PreviewProps) {
  const { columns, rowCount } = table;
  const rows = Math.min(rowCount, maxRows);
  const width = Math.min(columns.length, maxColumns);
  const firstColumn = useSignal(0);
  const { frame, firstRow, shown } = useShownRows(table, load, { rows, width });
  const grid = useRef<HTMLTableElement>(null);
  useEffect(() => {
    // The Content-Security-Policy of the page forbids style attributes.
    if (grid.current !== null) grid.current.style.width = `${headWidth + width * columnWidth}px`;
  }, [width]);
  const scroll = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = frame.current ?? {};
    moveTo(firstRow, scrollTop / rowHeight, { atOnce: rowsAtOnce, of: rows });
    moveTo(firstColumn, scrollLeft / columnWidth, { atOnce: columnsAtOnce, of: width });
  };
  const format = new Intl.NumberFormat(language(), { maximumFractionDigits: 20, useGrouping: false });
  const top = shown?.from ?? 0;
  const left = firstColumn.value;
  const seen = columns.slice(left, Math.min(left + columnsAtOnce, width));
  const right = width - left - seen.length;
  const isAll = rows === rowCount && width === columns.length;
  return (
    <>
      <p class="small muted" role="status">
        {isAll ? text.table(rowCount, columns.length) : text.shown(rows, width)}
      </p>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div
        ref={frame}
        class="spreadsheet-frame"
        role="region"
        aria-label={text.scroll}
        tabIndex={0}
        onScroll={scroll}
      >
        <table
          ref={grid}
          class="spreadsheet-table"
          aria-rowcount={rowCount + 1}
          aria-colcount={columns.length + 1}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="small muted" aria-colindex={1}>
                {text.row}
              </th>
              <ColumnSpacer columns={left} isHead />
              {seen.map((column, index) => (
                <Head key={left + index} column={column} index={left + index} text={text} onRole={onRole} />
              ))}
            </tr>
          </thead>
          <tbody>
            <RowSpacer rows={top} />
            {shown?.rows.map((row, at) => (
              <tr key={top + at} aria-rowindex={top + at + 2}>
                <th scope="row" class="small muted" aria-colindex={1}>
                  {shown.numbers[at]}
                </th>
                <ColumnSpacer columns={left} />
                {seen.map(({ role, name }, index) => (
                  <td
                    key={left + index}
                    class={role === 'value' ? 'number' : undefined}
                    aria-colindex={left + index + 2}
                  >
                    {textOf(shownCell(row[left + index] ?? null, name), format)}
                  </td>
                ))}
                <ColumnSpacer columns={right} />
              </tr>
            ))}
            <RowSpacer rows={Math.max(0, rows - top - (shown?.rows.length ?? 0))} />
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The rows from the first visible one, as soon as the worker has answered. */
function useShownRows(
  table: TableFacts,
  load: Load,
  { rows, width }: { readonly rows: number; readonly width: number },
) {
  const frame = useRef<HTMLDivElement>(null);
  const firstRow = useSignal(0);
  const shown = useSignal<(ShownRows & { readonly from: number }) | undefined>(undefined);
  useEffect(() => {
    const from = Math.max(0, Math.min(firstRow.value, rows - rowsAtOnce));
    firstRow.value = from;
    const show = async (): Promise<void> => {
      const answer = await load(from, Math.min(rowsAtOnce, rows - from), width);
      if (firstRow.peek() === from) shown.value = { ...answer, from };
    };
    // The dialog reports a failure of the worker with its next request.
    show().catch(() => undefined);
  }, [firstRow.value, table]);
  return { frame, firstRow, shown: shown.value };
}

/** Moves a window in steps of a quarter, so that little is requested and rendered again. */
function moveTo(
  first: Signal<number>,
  seen: number,
  { atOnce, of }: { readonly atOnce: number; readonly of: number },
): void {
  const step = Math.floor(atOnce / 4);
  const next = Math.max(0, Math.min(Math.floor(seen / step) * step - step, of - atOnce));
  if (next !== first.peek()) first.value = next;
}

function Head({
  column: { name, role, source, unit },
  index,
  text,
  onRole,
}: {
  readonly column: Column;
  readonly index: number;
} & Pick<PreviewProps, 'text' | 'onRole'>) {
  return (
    <th scope="col" class={role === 'note' ? 'muted' : undefined} aria-colindex={index + 2}>
      <span class="spreadsheet-name" title={name}>
        {name}
      </span>
      {role === 'value' && unit !== undefined && <span class="small muted spreadsheet-unit">{unit}</span>}
      <select
        aria-label={text.columnRole(name)}
        disabled={source === undefined}
        onChange={({ currentTarget }) => {
          const chosen = roles.find((each) => each === currentTarget.value);
          if (chosen !== undefined && source !== undefined) onRole(source, chosen);
        }}
      >
        {roles.map((each) => (
          <option key={each} value={each} selected={each === role}>
            {text.roles[each]}
          </option>
        ))}
      </select>
    </th>
  );
}

/** A spacer for the rows that are not rendered. */
function RowSpacer({ rows }: { readonly rows: number }) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (row.current !== null) row.current.style.height = `${rows * rowHeight}px`;
  }, [rows]);
  return rows === 0 ? undefined : <tr ref={row} aria-hidden="true" />;
}

/** A spacer for the columns that are not rendered. */
function ColumnSpacer({ columns, isHead = false }: { readonly columns: number; readonly isHead?: boolean }) {
  const cell = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (isHead && cell.current !== null) cell.current.style.width = `${columns * columnWidth}px`;
  }, [columns]);
  return columns === 0 ? undefined : <td ref={cell} aria-hidden="true" />;
}

/** The remarks on values in the language of the page; they are sent with codes for their meanings. */
function shownCell(cell: Cell, column: string): Cell {
  return typeof cell === 'string' && isRemarksName(column) ? remarkCellText(cell, language()) : cell;
}

function textOf(cell: Cell, format: Intl.NumberFormat): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return format.format(cell);
  return cell.length > maxCellCharacters ? `${cell.slice(0, maxCellCharacters)}…` : cell;
}
