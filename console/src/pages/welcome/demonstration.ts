import districts from '../../../../examples/akmola-rayony.zip?url';
import population from '../../../../examples/population-by-region.geojson?url';
import relief from '../../../../examples/zhabay-dem.tif?url';
import { hrefOf } from '../../address/address.ts';
import { ask } from '../../service/ask.ts';
import type { Category, Dataset } from '../../service/types.ts';
import { addFiles, dismiss, followMapped, isFolded, isInWork, uploads } from '../../uploads/uploads.ts';
import { words } from '../../words/words.ts';

const code = 'demonstration';
/** The files in the order in which the map shows them, the uppermost first. */
const files = [
  { url: relief, file: 'zhabay-dem.tif', name: 'relief' },
  { url: districts, file: 'akmola-rayony.zip', name: 'districts' },
  { url: population, file: 'population-by-region.geojson', name: 'population' },
] as const;

/**
 * Sends the example files by the routes that everybody uses, with the tray open, maps the columns of the table by KATO, and
 * opens a map of all of them. @throws {Refused} when the service takes none.
 */
export async function loadDemonstration(): Promise<void> {
  const { welcome } = words();
  const categoryId = await openCategory(welcome.demonstration);
  forgetEarlier();
  const contents = await Promise.all(
    files.map(async ({ url, file }) => {
      const blob = await (await fetch(url)).blob();
      return new File([blob], file, { type: blob.type });
    }),
  );
  const names = new Map(files.map(({ file, name }) => [file, `${welcome[name]} (${welcome.example})`]));
  await addFiles(contents, { categoryId, maxBytes: Infinity, names });
  const ids = await Promise.all(files.map(async ({ file }) => await finished(file)));
  const ready = ids.filter((id) => id !== undefined);
  // The tray says why, where something is missing.
  if (ready.length === 0) return;
  isFolded.value = ready.length === files.length;
  location.hash = hrefOf(['map'], { l: ready.join(',') });
}

/** The category of an earlier demonstration, whose datasets were deleted, or a new one. */
async function openCategory(name: string): Promise<string> {
  const found = (await ask<readonly Category[]>('/categories')).find((category) => category.code === code);
  return (found ?? (await ask<Category>('/categories', { method: 'POST', body: { code, name } }))).id;
}

/** Takes the rows of an earlier demonstration from the tray: its files are no doubles of these. */
function forgetEarlier(): void {
  const names = new Set<string>(files.map(({ file }) => file));
  for (const upload of uploads.peek())
    if (names.has(upload.file.name) && !isInWork(upload)) dismiss(upload.id);
}

/** Waits until a file of the demonstration is ready; gives its dataset, and nothing when it is cancelled or fails. */
async function finished(file: string): Promise<string | undefined> {
  const mapped = new Set<string>();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stop = uploads.subscribe((list) => {
    const upload = list.findLast((each) => each.file.name === file);
    if (upload === undefined || (upload.state !== 'sent' && isInWork(upload))) return;
    if (upload.state !== 'sent') {
      resolve(undefined);
      return;
    }
    const { datasetId: id, status } = upload;
    if (status === 'ready') resolve(id);
    else if (status === 'failed') resolve(undefined);
    else if (status === 'awaiting_mapping' && !mapped.has(id)) {
      mapped.add(id);
      void mapYears(id).catch(reject);
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
