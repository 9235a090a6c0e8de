import { signal } from '@preact/signals';
import districts from '../../../../examples/akmola-rayony.zip?url';
import population from '../../../../examples/population-by-region.geojson?url';
import relief from '../../../../examples/zhabay-dem.tif?url';
import { hrefOf } from '../../address/address.ts';
import { ask, Refused, refusedOf } from '../../service/ask.ts';
import type { Category, Dataset } from '../../service/types.ts';
import { addFiles, dismiss, followMapped, isInWork, uploads } from '../../uploads/uploads.ts';
import { words } from '../../words/words.ts';

const code = 'demonstration';
/** The files in the order in which the map shows them, the uppermost first. */
const files = [
  { url: relief, file: 'zhabay-dem.tif', name: 'relief' },
  { url: districts, file: 'akmola-rayony.zip', name: 'districts' },
  { url: population, file: 'population-by-region.geojson', name: 'population' },
] as const;

/** The reason why the demonstration stands still, and the way on; it is told on whatever page is open. */
export const halted = signal<
  { readonly failure: Refused; readonly again: () => void; readonly giveUp: () => void } | undefined
>(undefined);
/** True while the demonstration is on its way. */
export const isLoading = signal(false);

/**
 * Sends the example files by the public routes, with the tray open, maps the columns of the table by KATO, and
 * opens a map of all of them. A step that fails waits until it is tried again or given up.
 */
export async function loadDemonstration(): Promise<void> {
  if (isLoading.peek()) return;
  isLoading.value = true;
  try {
    await load();
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  } finally {
    isLoading.value = false;
  }
}

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

async function load(): Promise<void> {
  const { welcome } = words();
  const categoryId = await untilDone(async () => await openCategory(welcome.demonstration));
  const contents = await untilDone(async () => await Promise.all(files.map(fetchExample)));
  forgetEarlier();
  const names = new Map(files.map(({ file, name }) => [file, `${welcome[name]} (${welcome.example})`]));
  const from = location.hash;
  addFiles(contents, async () => await Promise.resolve({ categoryId, maxBytes: Infinity, names }));
  const ids = await Promise.all(files.map(async ({ file }) => await finished(file)));
  const ready = ids.filter((id) => id !== undefined);
  // The tray says why, where something is missing; and who has gone elsewhere meanwhile stays there.
  if (ready.length === 0 || location.hash !== from) return;
  location.hash = hrefOf(['map'], { l: ready.join(',') });
}

async function fetchExample({ url, file }: (typeof files)[number]): Promise<File> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true) throw new Refused('', { status: response?.status ?? 0 });
  const blob = await response.blob();
  return new File([blob], file, { type: blob.type });
}

/** Runs a step, and runs it again on request. @throws {GivenUp} */
async function untilDone<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      halted.value = {
        failure: refusedOf(error),
        again: resolve,
        giveUp: () => reject(new GivenUp()),
      };
      try {
        await promise;
      } finally {
        halted.value = undefined;
      }
    }
  }
}

/** The category of an earlier demonstration, whose datasets were deleted, or a new one. */
async function openCategory(name: string): Promise<string> {
  const found = (await ask<readonly Category[]>('/categories')).find((category) => category.code === code);
  return (found ?? (await ask<Category>('/categories', { method: 'POST', body: { code, name } }))).id;
}

/** Removes the rows of an earlier demonstration from the tray: its files do not count as duplicates. */
function forgetEarlier(): void {
  const names = new Set<string>(files.map(({ file }) => file));
  for (const upload of uploads.peek())
    if (names.has(upload.file.name) && !isInWork(upload)) dismiss(upload.id);
}

/** Waits until a file of the demonstration is ready. Returns its dataset, or undefined when it was cancelled, failed or dismissed. */
async function finished(file: string): Promise<string | undefined> {
  const mapped = new Set<string>();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stop = uploads.subscribe((list) => {
    const upload = list.findLast((each) => each.file.name === file);
    // One that has failed can be tried again in the tray.
    if (upload !== undefined && upload.state !== 'sent' && (isInWork(upload) || upload.state === 'failed'))
      return;
    if (upload?.state !== 'sent') {
      resolve(undefined);
      return;
    }
    const { datasetId: id, status } = upload;
    if (status === 'ready') resolve(id);
    else if (status === 'failed' || upload.failure !== undefined) resolve(undefined);
    else if (status === 'awaiting_mapping' && !mapped.has(id)) {
      mapped.add(id);
      void untilDone(async () => await mapYears(id)).catch(reject);
    }
  });
  try {
    return await promise;
  } finally {
    stop();
  }
}

/** Maps `kato`, and each column that is called like a year to that year. */
async function mapYears(id: string): Promise<void> {
  const { attribute_columns: columns } = await ask<Dataset>(`/datasets/${id}`);
  const years = (columns ?? []).flatMap(({ name }) => (/^\d{4}$/.test(name) ? [name] : []));
  await ask(`/datasets/${id}/mapping`, {
    method: 'POST',
    body: {
      kato_column: 'kato',
      year_columns: years.map((year) => ({
        column: year,
        start_date: `${year}-01-01`,
        end_date: `${year}-12-31`,
      })),
    },
  });
  followMapped(id);
}
