import { signal, useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../address/address.ts';
import { Refused } from '../service/fetch.ts';
import { landscapeCategory } from '../service/groups.ts';
import { capabilities, may, readCapabilities } from '../service/capabilities.ts';
import type { Category } from '../service/types.ts';
import { get, post } from '../service/request.ts';
import { words } from '../words/words.ts';
import { markFolder } from './inspect.ts';
import { isSpreadsheet, openSpreadsheets } from './spreadsheets.tsx';
import type { Destination, Slot } from './destination.ts';
import { isSourceFile, openSourceFiles } from './source-files.ts';
import { addFiles, uploads } from './uploads.ts';

/** The code of the category for uploads if there is no other category by a person. */
const ownCode = 'uploads';

/** While files are dragged over a page with slots: the code of the slot below them. */
export const dragged = signal<{ readonly slot: string | undefined } | undefined>(undefined);
/** Selects the areas of slots, where `data-slot` is the code and `data-slot-title` the name. */
const slotPlace = '[data-slot]';
/** Selects areas that handle dropped files themselves. */
const ownPlace = '[data-takes-files]';

/**
 * Accepts files dropped anywhere on the page, and asks for confirmation before the page closes during uploads. A page
 * with slots accepts files on its slots only.
 */
export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    // A drag enters and leaves every element that it passes.
    let depth = 0;
    const enter = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      depth += 1;
      isOver.value = true;
    };
    const end = (): void => {
      depth = 0;
      isOver.value = false;
      dragged.value = undefined;
    };
    const leave = (): void => {
      depth -= 1;
      if (depth <= 0) end();
    };
    const over = (event: DragEvent): void => {
      event.preventDefault();
      if (isOnOwnPlace(event.target)) {
        isOver.value = false;
        return;
      }
      if (event.dataTransfer?.types.includes('Files') === true) isOver.value = true;
      if (!isOver.peek() || !hasSlots()) return;
      const code = slotAt(event.target)?.code;
      if (dragged.peek() === undefined || dragged.peek()?.slot !== code) dragged.value = { slot: code };
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      end();
      if (isOnOwnPlace(event.target)) return;
      const files = [...(event.dataTransfer?.items ?? [])].flatMap(fileOf);
      const slot = slotAt(event.target);
      if (files.length > 0 && (slot !== undefined || !hasSlots())) uploadFiles(files, slot);
    };
    const unload = (event: BeforeUnloadEvent): void => {
      if (uploads.peek().some(({ state }) => state === 'sending' || state === 'queued'))
        event.preventDefault();
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    document.addEventListener('dragenter', listeners.dragenter);
    document.addEventListener('dragleave', listeners.dragleave);
    document.addEventListener('dragover', listeners.dragover);
    document.addEventListener('drop', listeners.drop);
    document.addEventListener('paste', paste);
    addEventListener('beforeunload', unload);
    return () => {
      document.removeEventListener('dragenter', listeners.dragenter);
      document.removeEventListener('dragleave', listeners.dragleave);
      document.removeEventListener('dragover', listeners.dragover);
      document.removeEventListener('drop', listeners.drop);
      document.removeEventListener('paste', paste);
      removeEventListener('beforeunload', unload);
    };
  }, []);
  if (!isOver.value || dragged.value !== undefined) return undefined;
  return <div class="drop-zone">{words().upload.drop}</div>;
}

function isOnOwnPlace(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ownPlace) !== null;
}

function hasSlots(): boolean {
  return document.querySelector(slotPlace) !== null;
}

/** The slot of an element of the page. */
function slotAt(target: EventTarget | null): Slot | undefined {
  const place = target instanceof Element ? target.closest<HTMLElement>(slotPlace) : null;
  const { slot: code, slotTitle: title = '' } = place?.dataset ?? {};
  return code === undefined ? undefined : { code, title };
}

/** Some systems show a folder as an empty file. */
function fileOf(item: DataTransferItem): readonly File[] {
  const file = item.getAsFile();
  if (file === null) return [];
  if (item.webkitGetAsEntry()?.isDirectory === true) markFolder(file);
  return [file];
}

/** A button that opens the file dialog. */
export function ChooseFiles({
  label,
  isPrimary,
  slot,
}: {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** The input of the Landscape Program for the files; screen readers hear its name with the label. */
  readonly slot?: Slot;
}) {
  const input = useRef<HTMLInputElement>(null);
  if (!may('data:write')) return undefined;
  // The page may have changed while the dialog was open: the files are in the field that opened it, not in the current one.
  const take = ({ currentTarget: field }: TargetedEvent<HTMLInputElement>): void => {
    const files = [...(field.files ?? [])];
    field.value = '';
    if (files.length > 0) uploadFiles(files, slot);
  };
  return (
    <>
      <button
        type="button"
        class={`button ${isPrimary === true ? 'primary' : ''}`}
        aria-label={slot === undefined ? undefined : `${label}: ${slot.title}`}
        onClick={() => input.current?.click()}
      >
        ↑ <span>{label}</span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={slot === undefined ? undefined : '.tif,.tiff'}
        onChange={take}
      />
    </>
  );
}

/** Sends files to a slot, or to the category on the page, or to the first category by a person, which is created if necessary. */
function uploadFiles(files: readonly File[], slot: Slot | undefined): void {
  if (slot !== undefined) {
    addFiles(files, findLimit, { slot });
    return;
  }
  const wanted = address.peek().query.get('category');
  const find = async (): Promise<Destination> => await findDestination(wanted);
  const sources = files.filter(isSourceFile);
  if (sources.length > 0) openSourceFiles(sources);
  const others = files.filter((file) => !isSpreadsheet(file) && !isSourceFile(file));
  if (others.length > 0) addFiles(others, find);
  openSpreadsheets(files.filter(isSpreadsheet), find);
}

/** Accepts pasted files, and cells copied from a spreadsheet; text pasted into a field stays there. */
function paste(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
  if (isTyping || clipboardData === null || hasSlots() || !may('data:write')) return;
  const files = [...clipboardData.files];
  const text = clipboardData.getData('text/plain');
  if (text.includes('\t') && text.trim().includes('\n')) {
    uploadFiles([new File([text], `${words().upload.pasted}.tsv`)], undefined);
  } else if (files.length > 0) uploadFiles(files, undefined);
  else return;
  event.preventDefault();
}

/** Finds the limit for the size of a file; a slot determines the rest. @throws {Refused} */
async function findLimit(): Promise<Destination> {
  await readCapabilities();
  if (!may('data:write')) throw new Refused('', { status: 403 });
  return { maxBytes: capabilities.peek()?.max_upload_bytes ?? Infinity };
}

/** Returns the wanted category, or the one for uploads. @throws {Refused} */
export async function findDestination(wanted: string | null): Promise<Destination> {
  const { signal } = new AbortController();
  const [categories, { maxBytes }] = await Promise.all([get('/categories', { signal }), findLimit()]);
  const found =
    categories.find(({ id }) => id === wanted) ?? categories.find(({ code }) => code !== landscapeCategory);
  return { categoryId: (found ?? (await createOwnCategory())).id, maxBytes };
}

/**
 * Creates the category for uploads; the refusal of a token without the scope gets a sentence that explains it.
 * @throws {Refused}
 */
async function createOwnCategory(): Promise<Category> {
  const { upload } = words();
  try {
    const body = { code: ownCode, name: upload.firstCategory };
    return await post('/categories', { body });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    throw new Refused(upload.noCategory, { status: 403, requestId: error.requestId });
  }
}
