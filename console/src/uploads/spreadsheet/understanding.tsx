import type { OpenedWorkbook, UnderstoodTable } from '../../spreadsheets/messages.ts';
import type { Choice, HeaderRows } from '../../spreadsheets/model/types.ts';
import type { SpreadsheetWords } from './words/words.ts';

/** The choice of a sheet of a workbook. */
export function Sheets({
  workbook,
  sheet,
  text,
  onChange,
}: {
  readonly workbook: OpenedWorkbook;
  readonly sheet: number;
  readonly text: SpreadsheetWords;
  readonly onChange: (sheet: number) => void;
}) {
  return (
    <label class="field">
      <span>{text.sheet}</span>
      <select value={String(sheet)} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
        {workbook.sheets.map(({ name, rowCount, isHidden }, index) => (
          <option key={index} value={String(index)} selected={index === sheet}>
            {text.sheetName(name, rowCount, isHidden)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The position of the header, and the choice to make a long table wide. */
export function Understanding({
  understood: { table, wide },
  isWide,
  text,
  onHeader,
  onWide,
  choice,
  onChoice,
}: {
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  readonly understood: UnderstoodTable;
  readonly isWide: boolean;
  readonly text: SpreadsheetWords;
  readonly onHeader: (header: HeaderRows) => void;
  readonly onWide: (isWide: boolean) => void;
}) {
  const { first, count } = table.headerRows;
  const values = wide?.columns.filter(({ role }) => role === 'value').length ?? 0;
  return (
    <>
      {table.tables.length > 1 && (
        <Tables table={table} chosen={choice.table} text={text} onChange={(at) => onChoice({ table: at })} />
      )}
      {table.title !== undefined && <p class="small muted">{table.title}</p>}
      <div class="spreadsheet-header">
        <NumberField
          label={text.headerFirst}
          value={first + 1}
          min={1}
          onChange={(row) => onHeader({ first: row - 1, count })}
        />
        <NumberField
          label={text.headerLines}
          value={count}
          min={0}
          onChange={(lines) => onHeader({ first, count: lines })}
        />
        {table.hasHidden && (
          <label class="check">
            <input
              type="checkbox"
              checked={choice.withoutHidden === true}
              onChange={({ currentTarget }) => onChoice({ withoutHidden: currentTarget.checked })}
            />
            <span>{text.withoutHidden}</span>
          </label>
        )}
        {wide !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={isWide}
              onChange={({ currentTarget }) => onWide(currentTarget.checked)}
            />
            <span>{text.widen(values)}</span>
          </label>
        )}
      </div>
    </>
  );
}

/** The choice of a table of a sheet. */
function Tables({
  table: { tables },
  chosen,
  text,
  onChange,
}: {
  readonly table: UnderstoodTable['table'];
  readonly chosen: number | undefined;
  readonly text: SpreadsheetWords;
  readonly onChange: (table: number) => void;
}) {
  return (
    <label class="field">
      <span>{text.sheetTable}</span>
      <select
        value={chosen === undefined ? 'open' : String(chosen)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {chosen === undefined && (
          <option value="open" disabled selected>
            {text.chooseTable(tables.length)}
          </option>
        )}
        {tables.map(({ label }, at) => (
          <option key={at} value={String(at)} selected={at === chosen}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function NumberField({
  label,
  value,
  min,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        value={value}
        min={min}
        max={200}
        onChange={({ currentTarget }) => {
          const next = Math.round(Number(currentTarget.value));
          if (next >= min && next !== value) onChange(next);
        }}
      />
    </label>
  );
}

/** Remarks on repaired cells, and the lines that are not rows. */
export function Remarks({
  table,
  text,
}: {
  readonly table: UnderstoodTable['table'];
  readonly text: SpreadsheetWords;
}) {
  const { remarks, notes } = table;
  if (remarks.length === 0 && notes.length === 0) return undefined;
  return (
    <details class="spreadsheet-remarks" open={remarks.length <= 3}>
      <summary>{text.remarks(remarks.length)}</summary>
      <ul class="small">
        {remarks.map((remark, index) => (
          <li key={index}>{text.remark[remark.code](remark)}</li>
        ))}
      </ul>
      {notes.length > 0 && (
        <p class="small muted">
          {text.notes}: {notes.join(' · ')}
        </p>
      )}
    </details>
  );
}
