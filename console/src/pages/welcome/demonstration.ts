import districts from '../../../../examples/akmola-rayony.zip?url';
import population from '../../../../examples/population-by-region.geojson?url';
import landCover from '../../../../examples/open/land-cover.tif?url';
import relief from '../../../../examples/zhabay-dem.tif?url';
import { address, hrefOf } from '../../address/address.ts';
import { newRequestKey, Refused, refusedOf } from '../../service/fetch.ts';
import type { LandscapeRun, LandscapeSlot } from '../../service/types.ts';
import { get, post } from '../../service/request.ts';
import { planRun } from '../../service/run-request.ts';
import { task } from '../../uploads/task.ts';
import { addFiles, dismiss, followMapped, isInProgress, uploads } from '../../uploads/uploads.ts';
import { words } from '../../words/words.ts';
import { hasEnded, lastNodeOf, phasesOf } from '../runs/facts/run-facts.ts';
import { demonstrationCode, halted } from './demonstration-state.ts';
import { landscapeCategory, slotPrefix } from '../../service/groups.ts';
import { originOfInput } from './demonstration-sources.tsx';
import { findMarked, mark } from './marked.ts';

/** The files in the order of their layers below the zoning; `options` are the layer options in the address: `-` hides a layer. */
const files = [
  { url: districts, file: 'akmola-rayony.zip', name: 'districts', options: '.40' },
  { url: relief, file: 'zhabay-dem.tif', name: 'relief', options: '-' },
  // A table has dates, whose time bar would cover the zoning.
  { url: population, file: 'population-by-region.geojson', name: 'population', options: undefined },
] as const;
/** A raster for each slot, by its path. */
const leaves = import.meta.glob<string>('../../../../examples/landscape/*.tif', {
  query: '?url',
  import: 'default',
  eager: true,
});
/** Open data in place of the rasters of the same name that are made up. */
const openLeaves: Readonly<Record<string, string>> = { 'land-cover.tif': landCover };
const pollMs = 700;
/** Metres of a pixel at zoom 0 of the map of Kazakhstan. */
const metresAtZoom0 = 32_768;
/** Factor for the page around the map, and for a margin around the raster. */
const margin = 1.4;

/** A file of the demonstration; `groupId` is the group of its input. */
interface Example {
  readonly url: string;
  readonly file: string;
  readonly title: string;
  readonly categoryId: string;
  readonly groupId?: string;
  /** Origin of its values; undefined if the file says nothing about it. */
  readonly origin?: string;
}

/**
 * Sends the example files by the public routes, with the tray open, maps the columns of the table by KATO, runs the Landscape Program and
 * opens a map with the zoning uppermost. A failed step waits until it is repeated or cancelled; results of an earlier attempt are reused.
 */
export async function loadDemonstration(): Promise<void> {
  try {
    await load();
  } catch (error) {
    task.value = undefined;
    if (!(error instanceof GivenUp)) throw error;
  }
}

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

async function load(): Promise<void> {
  const { signal } = new AbortController();
  const { welcome } = words();
  showStep(welcome.steps.files, 0);
  const examples = await untilDone(findExamples);
  const slots = await untilDone(async () => await get('/landscape/slots', { signal }));
  forgetEarlier(examples);
  const ids = await untilDone(async () => await sendMissing(examples));
  const inputs = new Map(slots.flatMap((slot) => pairOf(slot.code, ids.get(fileOf(slot)))));
  const zoning = await untilDone(async () => await compute(inputs));
  const at = await untilDone(async () => await placeOf(zoning));
  const others = files.flatMap(({ file, options }) =>
    ids.has(file) && options !== undefined ? [`${ids.get(file)}${options}`] : [],
  );
  const shown = [zoning, ...others];
  const href = hrefOf(['map'], { l: shown.join(','), at });
  // A reader who has left the page stays there, and gets a link.
  const [section = 'datasets', ...rest] = address.peek().path;
  const isAtStart = section === 'datasets' && rest.length === 0;
  task.value = isAtStart ? undefined : { title: welcome.demonstration, step: welcome.steps.done, href };
  if (isAtStart) location.hash = href;
}

function showStep(step: string, share?: number): void {
  task.value = { title: words().welcome.demonstration, step, share };
}

const fileOf = ({ code: group }: LandscapeSlot): string => `${group.slice(slotPrefix.length)}.tif`;
const pairOf = (key: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[key, value]];

/** All files, with their destinations. */
async function findExamples(): Promise<readonly Example[]> {
  const { welcome } = words();
  const slots = await get('/landscape/slots', {});
  const categoryId = await openCategory(demonstrationCode, welcome.demonstration);
  const landscapeId = await openCategory(landscapeCategory, words().shell.landscape);
  const named = files.map(({ url, file, name }) => ({ url, file, title: welcome[name], categoryId }));
  const inputs = slots.flatMap((slot) => {
    const [, made] = Object.entries(leaves).find(([path]) => path.endsWith(`/${fileOf(slot)}`)) ?? [];
    const url = openLeaves[fileOf(slot)] ?? made;
    const { title, group_id: groupId } = slot;
    const origin = originOfInput(slot.code.slice(slotPrefix.length));
    return url === undefined
      ? []
      : [{ url, file: fileOf(slot), title, origin, groupId, categoryId: landscapeId }];
  });
  return [...named, ...inputs];
}

/** Runs a step, and runs it again on request. @throws {GivenUp} */
async function untilDone<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof GivenUp) throw error;
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

/** The category with this code, or a new one. The category of an earlier demonstration remains after its datasets are deleted. */
async function openCategory(code: string, name: string): Promise<string> {
  const found = (await get('/categories', {})).find((category) => category.code === code);
  return (found ?? (await post('/categories', { body: { code, name } }))).id;
}

/** Removes the rows of an earlier demonstration from the tray: its files do not count as duplicates. */
function forgetEarlier(examples: readonly Example[]): void {
  const names = new Set<string>(examples.map(({ file }) => file));
  for (const upload of uploads.peek())
    if (names.has(upload.file.name) && !isInProgress(upload)) dismiss(upload.id);
}

/**
 * Sends the files that are not in the service yet, and waits for all. Returns the ids of datasets by file.
 * @throws {Refused} when an input is missing
 */
async function sendMissing(examples: readonly Example[]): Promise<ReadonlyMap<string, string>> {
  const { welcome } = words();
  const marked = await findMarked(new AbortController().signal);
  const ids = new Map(
    marked.uploads.flatMap(({ id, filename, status }) => (status === 'ready' ? [[filename, id]] : [])),
  );
  const missing = examples.filter(({ file }) => !ids.has(file));
  const contents = await Promise.all(
    missing.map(async (example) => ({ ...example, content: await fetchExample(example) })),
  );
  let done = ids.size;
  const step = (): void => showStep(welcome.steps.uploading(done, examples.length), done / examples.length);
  step();
  const sent = contents.map(async ({ file, title, content, origin, ...place }) => {
    const names = new Map([[file, `${title} (${welcome.example})`]]);
    const destination = {
      ...place,
      maxBytes: Infinity,
      names,
      meta: { ...mark, ...(origin !== undefined && { origin }) },
    };
    addFiles([content], async () => await Promise.resolve(destination));
    const id = await finished(content);
    if (id !== undefined) ids.set(file, id);
    done += 1;
    step();
  });
  await Promise.all(sent);
  const without = examples.filter(({ file, groupId }) => groupId !== undefined && !ids.has(file)).length;
  if (without > 0) throw new Refused(welcome.steps.missing(without), { status: 409 });
  return ids;
}

async function fetchExample({ url, file }: Example): Promise<File> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true) throw new Refused('', { status: response?.status ?? 0 });
  const blob = await response.blob();
  return new File([blob], file, { type: blob.type });
}

/** Waits until a file is ready. Returns its dataset, or undefined when it was cancelled, failed or dismissed. */
async function finished(file: File): Promise<string | undefined> {
  const mapped = new Set<string>();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stop = uploads.subscribe((list) => {
    const upload = list.find((each) => each.file === file);
    // One that has failed can be tried again in the tray.
    if (
      upload !== undefined &&
      upload.state !== 'sent' &&
      (isInProgress(upload) || upload.state === 'failed')
    )
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

/** Maps `kato`, and each column named after a year to that year. */
async function mapYears(id: string): Promise<void> {
  const { attribute_columns: columns } = await get('/datasets/{id}', { path: { id } });
  const years = (columns ?? []).flatMap(({ name }) => (/^\d{4}$/.test(name) ? [name] : []));
  await post('/datasets/{id}/mapping', {
    path: { id },
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

/**
 * Runs the graph on these inputs, by group, and follows the run to its end. Returns the dataset of the zoning.
 * @throws {Refused} with the reason of the run when it fails
 */
async function compute(inputs: ReadonlyMap<string, string>): Promise<string> {
  const { signal } = new AbortController();
  showStep(words().welcome.steps.queued);
  const defaults = { params: {}, overrides: {}, from_stage: null };
  const [plan, graph] = await Promise.all([planRun(defaults, signal), get('/landscape/graph', { signal })]);
  // Inputs are pinned only if a slot has newer data from others.
  const pinned = plan.inputs.flatMap(({ group, dataset }) => {
    const own = inputs.get(group);
    return dataset?.id === own ? [] : pairOf(group, own);
  });
  const body = { ...defaults, overrides: Object.fromEntries(pinned) };
  const { id } = await post('/landscape/runs', { body, key: newRequestKey() });
  for (;;) {
    const run = await get('/landscape/runs/{id}', { path: { id }, signal });
    if (hasEnded(run)) return zoningOf(run, lastNodeOf(graph)?.code);
    showPhase(run);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function showPhase(run: LandscapeRun): void {
  const { steps } = words().welcome;
  const phases = phasesOf(run);
  if (phases === undefined || run.status === 'queued') showStep(steps.queued);
  else if (phases.publish.step === 'now')
    showStep(
      steps.storing(phases.publish.stored, phases.publish.of),
      phases.publish.stored / phases.publish.of,
    );
  else showStep(steps.computing(Math.round(phases.compute.share * 100)), phases.compute.share);
}

function zoningOf({ status, error, nodes }: LandscapeRun, node: string | undefined): string {
  const id = nodes?.find((each) => each.node_code === node)?.outputs?.[0]?.dataset_id;
  if (status === 'failed' || id === undefined) throw new Refused(error ?? '', { status: 409 });
  return id;
}

/** The centre of a raster, and the zoom at which it fits the screen; undefined if its box is not known. */
async function placeOf(id: string): Promise<string | undefined> {
  const { bbox } = await get('/datasets/{id}', { path: { id } });
  if (!bbox) return undefined;
  const [west, south, east, north] = bbox;
  const lat = (south + north) / 2;
  const width = (east - west) * 111_320 * Math.cos((lat * Math.PI) / 180);
  const height = (north - south) * 111_320;
  const metres = Math.max(width / innerWidth, height / innerHeight) * margin;
  const zoom = Math.log2(metresAtZoom0 / metres);
  return `${lat.toFixed(4)},${((west + east) / 2).toFixed(4)},${zoom.toFixed(2)}`;
}
