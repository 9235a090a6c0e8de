import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../address/address.ts';
import { ask, Refused } from '../service/ask.ts';
import { listCategories } from '../service/catalogue.ts';
import { capabilities, may, readCapabilities } from '../service/capabilities.ts';
import type { Category } from '../service/types.ts';
import { words } from '../words/words.ts';
import { markFolder } from './inspect.ts';
import { addFiles, type Destination, uploads } from './uploads.ts';

/** The code of the category that uploads go to when there is none of a person's yet. */
const ownCode = 'uploads';
/** The category of the Landscape Program, where its own rasters are filed. */
const landscapeCode = 'landscape';

/** Accepts files dropped anywhere on the page, and asks before the page is closed while uploads run. */
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
    const leave = (): void => {
      depth -= 1;
      if (depth <= 0) isOver.value = false;
    };
    const over = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      depth = 0;
      isOver.value = false;
      const files = [...(event.dataTransfer?.items ?? [])].flatMap(fileOf);
      if (files.length > 0) uploadFiles(files);
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
    addEventListener('beforeunload', unload);
    return () => {
      document.removeEventListener('dragenter', listeners.dragenter);
      document.removeEventListener('dragleave', listeners.dragleave);
      document.removeEventListener('dragover', listeners.dragover);
      document.removeEventListener('drop', listeners.drop);
      removeEventListener('beforeunload', unload);
    };
  }, []);
  return isOver.value ? <div class="drop-zone">{words().upload.drop}</div> : undefined;
}

/** Some systems show a folder as an empty file. */
function fileOf(item: DataTransferItem): readonly File[] {
  const file = item.getAsFile();
  if (file === null) return [];
  if (item.webkitGetAsEntry()?.isDirectory === true) markFolder(file);
  return [file];
}

/** A button that opens the files of the computer. */
export function ChooseFiles({ label, isPrimary }: { readonly label: string; readonly isPrimary?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  if (!may('data:write')) return undefined;
  const take = (): void => {
    const files = [...(input.current?.files ?? [])];
    if (input.current !== null) input.current.value = '';
    if (files.length > 0) uploadFiles(files);
  };
  return (
    <>
      <button
        type="button"
        class={`button ${isPrimary === true ? 'primary' : ''}`}
        onClick={() => input.current?.click()}
      >
        ↑ {label}
      </button>
      <input ref={input} type="file" multiple hidden tabIndex={-1} onChange={take} />
    </>
  );
}

/** Sends files to the category that is being looked at, else to the first one of a person's, which is made if need be. */
function uploadFiles(files: readonly File[]): void {
  const wanted = address.peek().query.get('category');
  addFiles(files, async () => await findDestination(wanted));
}

/** @throws {Refused} */
async function findDestination(wanted: string | null): Promise<Destination> {
  const { signal } = new AbortController();
  const [categories] = await Promise.all([listCategories(signal), readCapabilities()]);
  if (!may('data:write')) throw new Refused('', { status: 403 });
  const maxBytes = capabilities.peek()?.max_upload_bytes ?? Infinity;
  const found =
    categories.find(({ id }) => id === wanted) ?? categories.find(({ code }) => code !== landscapeCode);
  return { categoryId: (found ?? (await createOwnCategory())).id, maxBytes };
}

/** A token that may add data, and no categories, can do nothing about it. @throws {Refused} */
async function createOwnCategory(): Promise<Category> {
  const { upload } = words();
  try {
    const body = { code: ownCode, name: upload.firstCategory };
    return await ask<Category>('/categories', { method: 'POST', body });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    throw new Refused(upload.noCategory, { status: 403, requestId: error.requestId });
  }
}
