import { signal, useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../address/address.ts';
import { Refused } from '../service/ask.ts';
import { capabilities, may, readCapabilities } from '../service/capabilities.ts';
import type { Category } from '../service/types.ts';
import { get, post } from '../service/request.ts';
import { words } from '../words/words.ts';
import { markFolder } from './inspect.ts';
import { isSpreadsheet, openSpreadsheets } from './spreadsheets.tsx';
import type { Destination, Slot } from './destination.ts';
import { addFiles, uploads } from './uploads.ts';

/** The code of the category that uploads go to when there is none of a person's yet. */
const ownCode = 'uploads';
/** The category of the Landscape Program, where its own rasters are filed. */
const landscapeCode = 'landscape';

/** While files are dragged over a page with slots: the code of the slot below them. */
export const dragged = signal<{ readonly slot: string | undefined } | undefined>(undefined);
/** On each place where a file can be dropped for a slot, with its code; `data-slot-title` has its name. */
const slotPlace = '[data-slot]';
/** On a place that takes files itself, and sends them nowhere else. */
const ownPlace = '[data-takes-files]';

/**
 * Accepts files dropped anywhere on the page, and asks before the page is closed while uploads run. A page with slots takes
 * them on its slots alone.
 */
export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    // A drag enters and leaves every element on its way.
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

/** The slot that a place of the page belongs to. */
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

/** A button that opens the files of the computer. */
export function ChooseFiles({
  label,
  isPrimary,
  slot,
}: {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** The input of the Landscape Program that they are for; a screen reader hears its name with the label. */
  readonly slot?: Slot;
}) {
  const input = useRef<HTMLInputElement>(null);
  if (!may('data:write')) return undefined;
  // Another page may have come while the dialog was open: the files are in the field that opened it, not in the one of now.
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

/**
 * Sends files to a slot, else to the category that is being looked at, else to the first one of a person's, which is made if
 * need be.
 */
function uploadFiles(files: readonly File[], slot: Slot | undefined): void {
  if (slot !== undefined) {
    addFiles(files, findLimit, { slot });
    return;
  }
  const wanted = address.peek().query.get('category');
  const find = async (): Promise<Destination> => await findDestination(wanted);
  const others = files.filter((file) => !isSpreadsheet(file));
  if (others.length > 0) addFiles(others, find);
  openSpreadsheets(files.filter(isSpreadsheet), find);
}

/** Takes cells that were copied in a spreadsheet, and files; text for a field stays with it. */
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

/** How large a file may be; a slot decides all else. @throws {Refused} */
async function findLimit(): Promise<Destination> {
  await readCapabilities();
  if (!may('data:write')) throw new Refused('', { status: 403 });
  return { maxBytes: capabilities.peek()?.max_upload_bytes ?? Infinity };
}

/** @throws {Refused} */
async function findDestination(wanted: string | null): Promise<Destination> {
  const { signal } = new AbortController();
  const [categories, { maxBytes }] = await Promise.all([get('/categories', { signal }), findLimit()]);
  const found =
    categories.find(({ id }) => id === wanted) ?? categories.find(({ code }) => code !== landscapeCode);
  return { categoryId: (found ?? (await createOwnCategory())).id, maxBytes };
}

/** A token that may add data, and no categories, can do nothing about it. @throws {Refused} */
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
