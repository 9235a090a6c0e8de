import { signal } from '@preact/signals';
import { lazy } from '../parts/lazy.tsx';
import type { Destination } from './destination.ts';
import { addFiles } from './uploads.ts';
import { spreadsheetWords } from './spreadsheet/words/words.ts';

/** A spreadsheet that is converted to a table before it is sent. */
interface Opened {
  readonly file: File;
  readonly findDestination: () => Promise<Destination>;
}

const extensions = /\.(?:xlsx|xlsm|xls|xlsb|ods|csv|tsv)$/i;

/** The queue of spreadsheets; the first one is shown. */
const opened = signal<readonly Opened[]>([]);

/**
 * Returns true if a file is shown as a table before it is sent; for `.xlsb`, the page only explains how to save it in
 * another format.
 */
export function isSpreadsheet({ name }: File): boolean {
  return extensions.test(name);
}

/** Shows spreadsheets one by one. */
export function openSpreadsheets(files: readonly File[], findDestination: () => Promise<Destination>): void {
  opened.value = [...opened.peek(), ...files.map((file) => ({ file, findDestination }))];
}

const SpreadsheetDialog = lazy(
  async () => (await import('./spreadsheet/spreadsheet-dialog.tsx')).SpreadsheetDialog,
  spreadsheetWords,
);

/** The first spreadsheet of the queue; the script is loaded for the first one. */
export function Spreadsheets() {
  const [first] = opened.value;
  return first === undefined ? undefined : <Shown opened={first} />;
}

function Shown({ opened: { file, findDestination } }: { readonly opened: Opened }) {
  const next = (): void => void (opened.value = opened.peek().slice(1));
  const send = (table: File, name: string, unit: string): void => {
    next();
    const find = async (): Promise<Destination> => {
      const destination = await findDestination();
      const named = { ...destination, names: new Map([[table.name, name]]) };
      return unit === '' ? named : { ...named, unit };
    };
    addFiles([table], find, { isTable: true });
  };
  const findLimit = async (): Promise<number> => (await findDestination()).maxBytes;
  return <SpreadsheetDialog key={file} {...{ file, findLimit, send }} close={next} />;
}
