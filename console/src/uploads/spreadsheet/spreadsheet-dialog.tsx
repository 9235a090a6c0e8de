import './spreadsheet.css';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Dialog } from '../../parts/dialogs.tsx';
import { openSpreadsheetSession } from '../../spreadsheets/client.ts';
import type { FinishedTable, OpenedWorkbook, Place, UnderstoodTable } from '../../spreadsheets/messages.ts';
import { type Choice, type Column, type Role, SpreadsheetFault } from '../../spreadsheets/model/types.ts';
import { words } from '../../words/words.ts';
import type { Codes } from '../place-names/places.ts';
import { placeWords } from '../place-names/words/words.ts';
import { distinctUnits } from '../../../../common/table/measure-units.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Preview } from './preview.tsx';
import { Remarks, Sheets, Understanding } from './understanding.tsx';
import { spreadsheetWords, type SpreadsheetWords } from './words/words.ts';
import { matchNames } from '../place-names/match-names.ts';

const PlaceNames = lazy(async () => (await import('../place-names/place-names.tsx')).PlaceNames, placeWords);

interface SpreadsheetDialogProps {
  readonly file: File;
  /** Finds the limit of the service in bytes. */
  readonly findLimit: () => Promise<number>;
  /** Sends the table under a name; the unit of its values is empty if it is not known. */
  readonly send: (table: File, name: string, unit: string) => void;
  readonly close: () => void;
}

/** Shows a spreadsheet as a table, where a person corrects its interpretation before it is sent. */
export function SpreadsheetDialog({ file, findLimit, send, close }: SpreadsheetDialogProps) {
  const text = spreadsheetWords();
  const session = useMemo(openSpreadsheetSession, [file]);
  const workbook = useSignal<OpenedWorkbook | undefined>(undefined);
  const sheet = useSignal(0);
  const choice = useSignal<Choice>({});
  const understood = useSignal<UnderstoodTable | undefined>(undefined);
  const isWide = useSignal(true);
  const fault = useSignal<SpreadsheetFault | undefined>(undefined);
  const isFinishing = useSignal(false);
  /** A table that is sent without its original, because both are too large, waits until the person has read that. */
  const made = useSignal<FinishedTable | undefined>(undefined);
  const stem = file.name.replace(/\.[^.]+$/, '') || file.name;
  const name = useSignal(stem);
  /** A typed unit; until then the unit of the table. */
  const typedUnit = useSignal<string | undefined>(undefined);
  const shown = useComputed(
    () => (isWide.value ? understood.value?.wide : undefined) ?? understood.value?.table,
  );

  const guarded = async (work: () => Promise<void>): Promise<void> => {
    fault.value = undefined;
    try {
      await work();
    } catch (error) {
      fault.value = error instanceof SpreadsheetFault ? error : new SpreadsheetFault('workerFailed');
    }
  };
  const understand = async (next: Choice, wanted = sheet.peek()): Promise<void> => {
    [sheet.value, choice.value, typedUnit.value] = [wanted, next, undefined];
    made.value = undefined;
    await guarded(async () => {
      understood.value = await session.ask('understand', { sheet: wanted, choice: next });
    });
  };
  useEffect(() => {
    void guarded(async () => {
      workbook.value = await session.ask('open', { file, name: file.name });
      await understand({}, workbook.value.best);
    });
    return session.end;
  }, [session]);

  const units = useComputed(() =>
    distinctUnits(
      (shown.value?.columns ?? []).flatMap(({ role, unit }) =>
        role === 'value' && unit !== undefined ? [unit] : [],
      ),
    ),
  );
  /** Columns of several units have none in common, and a column without one may have any. */
  const commonUnit = useComputed(() => {
    const values = (shown.value?.columns ?? []).filter(({ role }) => role === 'value');
    return units.value.length === 1 && values.every(({ unit }) => unit !== undefined)
      ? (units.value[0] ?? '')
      : '';
  });

  /** The rows of a table with names alone, and their codes as far as they are known. */
  const places = useSignal<readonly Place[] | undefined>(undefined);
  /** Codes with the names beside them, for comparison. */
  const pairs = useSignal<readonly Place[]>([]);
  const codes = useSignal<Codes | undefined>(undefined);
  const table = shown.value;
  useEffect(() => {
    [places.value, codes.value] = [undefined, undefined];
    pairs.value = [];
    if (table === undefined) return;
    if (!needsCodes(table.columns)) {
      void guarded(async () => {
        const found = await session.ask('pairs', { isWide: isWide.peek() });
        if (shown.peek() === table) pairs.value = found;
      });
      return;
    }
    void guarded(async () => {
      const found = await session.ask('places', { isWide: isWide.peek() });
      if (shown.peek() === table) places.value = found;
    });
  }, [table]);

  const finish = async (): Promise<void> => {
    isFinishing.value = true;
    await guarded(async () => {
      const title = name.peek().trim() || stem;
      const found = codes.peek()?.codes;
      const added = found === undefined ? undefined : { column: text.codeColumn, values: found };
      const request = { isWide: isWide.peek(), codes: added, name: stem };
      const asked = made.peek();
      const table = asked ?? (await session.ask('finish', { ...request, maxBytes: await findLimit() }));
      if (table.extension === 'zip' || asked !== undefined)
        send(
          new File([table.file], `${title}.${table.extension}`),
          title,
          (typedUnit.peek() ?? commonUnit.peek()).trim(),
        );
      else made.value = table;
    });
    isFinishing.value = false;
  };
  const isUnready = table === undefined || (needsCodes(table.columns) && codes.value === undefined);
  const missing =
    table === undefined
      ? undefined
      : missingIn(
          table.columns.map(({ role }) => role),
          text,
        );
  const isOpen = table !== undefined && table.tables.length > 1 && choice.value.table === undefined;
  return (
    <Dialog title={`${text.title}: ${file.name}`} onClose={close} isLarge>
      {workbook.value === undefined && fault.value === undefined && <p role="status">{text.reading}</p>}
      {workbook.value !== undefined && workbook.value.sheets.length > 1 && (
        <Sheets
          workbook={workbook.value}
          sheet={sheet.value}
          text={text}
          onChange={(next) => void understand({}, next)}
        />
      )}
      {fault.value !== undefined && (
        <p class="wrong" role="alert">
          {text.faults[fault.value.code](fault.value.where ?? '')}
        </p>
      )}
      {understood.value !== undefined && table !== undefined && (
        <>
          <Understanding
            understood={understood.value}
            isWide={isWide.value}
            text={text}
            choice={choice.value}
            onChoice={(next) => void understand(withPart(choice.peek(), next))}
            onHeader={(header) => void understand({ ...choice.peek(), header })}
            onWide={(next) => {
              [isWide.value, made.value] = [next, undefined];
            }}
          />
          <Preview
            key={sheet.value}
            table={table}
            text={text}
            load={async (from, count, columns) =>
              await session.ask('rows', { isWide: isWide.peek(), from, count, columns })
            }
            onRole={(source, role) => {
              const roles = new Map<number, Role>(choice.peek().roles);
              void understand({ ...choice.peek(), roles: roles.set(source, role) });
            }}
          />
          {places.value !== undefined && (
            <PlaceNames
              rows={places.value}
              onCodes={(found) => {
                [codes.value, made.value] = [found, undefined];
              }}
            />
          )}
          <CodeCheck pairs={pairs.value} text={text} />
          <Remarks table={table} text={text} />
          <label class="field">
            <span>{text.name}</span>
            <input
              value={name.value}
              maxLength={200}
              onInput={({ currentTarget }) => void (name.value = currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>{text.unit}</span>
            <input
              value={typedUnit.value ?? commonUnit.value}
              maxLength={100}
              onInput={({ currentTarget }) => void (typedUnit.value = currentTarget.value)}
            />
          </label>
          {typedUnit.value === undefined && commonUnit.value !== '' && (
            <p class="small muted">{text.unitOfAll}</p>
          )}
          {units.value.length > 1 && <p class="small needs">{text.unitsDiffer(units.value.slice(0, 8))}</p>}
        </>
      )}
      {missing !== undefined && <p class="wrong small">{missing}</p>}
      {isOpen && <p class="wrong small">{text.chooseTable(table.tables.length)}</p>}
      <p class={made.value === undefined ? 'small muted' : undefined} role="status">
        {isFinishing.value && text.packing}
        {!isFinishing.value && made.value !== undefined && text.keepsTable}
        {!isFinishing.value && made.value === undefined && table !== undefined && text.keepsOriginal}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={
            isUnready || isOpen || missing !== undefined || fault.value !== undefined || isFinishing.value
          }
          onClick={() => void finish()}
        >
          {text.send}
        </button>
        <button type="button" class="button" onClick={close}>
          {words().shell.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** Applies a choice. Another table has another header and other columns, so their choices are dropped. */
function withPart(before: Choice, next: Choice): Choice {
  const hidden = next.withoutHidden ?? before.withoutHidden ?? false;
  const table = next.table ?? before.table;
  return { withoutHidden: hidden, ...(table === undefined ? {} : { table }) };
}

/** Returns true if a table has names of places and no codes. */
function needsCodes(columns: readonly Column[]): boolean {
  return columns.some(({ role }) => role === 'name') && !columns.some(({ role }) => role === 'code');
}

/** The sentence on what a table lacks to become a map. */
function missingIn(roles: readonly Role[], text: SpreadsheetWords): string | undefined {
  if (!roles.includes('code') && !roles.includes('name')) return text.needsKey;
  return roles.includes('value') ? undefined : text.needsValues;
}

/** Warns if the codes of a table do not match the names beside them, as with a shifted column. */
function CodeCheck({ pairs, text }: { readonly pairs: readonly Place[]; readonly text: SpreadsheetWords }) {
  const differing = useSignal<readonly string[]>([]);
  useEffect(() => {
    differing.value = [];
    const asked = new AbortController();
    const check = async (): Promise<void> => {
      const { matches } = await matchNames(pairs, asked.signal);
      differing.value = pairs.flatMap(({ name }, at) =>
        matches[at]?.reason === 'code_and_name' ? [name] : [],
      );
    };
    // Without an answer the table can still be sent: its codes are used.
    if (pairs.length > 0) check().catch(() => undefined);
    return () => asked.abort();
  }, [pairs]);
  const [first] = differing.value;
  if (first === undefined) return undefined;
  return (
    <p class="wrong small" role="status">
      {text.codesDiffer(differing.value.length, first)}
    </p>
  );
}
