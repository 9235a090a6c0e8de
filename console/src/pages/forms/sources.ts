import { isFinal, Refused } from '../../service/fetch.ts';
import { get } from '../../service/request.ts';
import type { DatasetSummary } from '../../service/types.ts';
import type { FormsWords } from './words/words.ts';

/** A dataset or a run from which fields can be filled. */
export interface Source {
  readonly id: string;
  readonly kind: 'table' | 'raster' | 'run';
  readonly name: string;
}

export interface SourceGroup {
  readonly label: string;
  readonly sources: readonly Source[];
}

/** The values of a source that a field can have; `source` is sent to the service. */
export interface Value {
  readonly id: string;
  readonly label: string;
  readonly source: object;
}

const mostOffered = '50';

/** Reads the sources that are offered: those of the group, then the newest of each kind. @throws {Refused} */
export async function readSources(
  group: string,
  text: FormsWords,
  { dayOf, signal }: { readonly dayOf: (time: string) => string; readonly signal: AbortSignal },
): Promise<readonly SourceGroup[]> {
  const list = async (filter: Readonly<Record<string, string>>): Promise<readonly Source[]> => {
    const query = new URLSearchParams({ ...filter, status: 'ready', page_size: mostOffered });
    const { data } = await get('/datasets', { query, signal });
    return data.flatMap(sourceOf);
  };
  const [here, tables, rasters, runs] = await Promise.all([
    list({ dg_id: group }),
    list({ file_type: 'vector_with_kato' }),
    list({ file_type: 'raster' }),
    get('/landscape/runs', { query: { page_size: 20 }, signal }),
  ]);
  const known = new Set(here.map(({ id }) => id));
  const others = (sources: readonly Source[]) => sources.filter(({ id }) => !known.has(id));
  const ended = runs.data.filter(({ status }) => status === 'succeeded');
  return [
    { label: text.groups.here, sources: here },
    { label: text.groups.tables, sources: others(tables) },
    { label: text.groups.rasters, sources: others(rasters) },
    {
      label: text.groups.runs,
      sources: ended.map(({ id, created_at: time }) => ({ id, kind: 'run', name: text.runOf(dayOf(time)) })),
    },
  ];
}

function sourceOf({ id, name, file_type: type, end_date: end }: DatasetSummary): readonly Source[] {
  if (type === 'vector') return [];
  const dated = type === 'raster' && end !== null ? `${name} (${end})` : name;
  return [{ id, kind: type === 'raster' ? 'raster' : 'table', name: dated }];
}

/** Reads the values that a source offers. @throws {Refused} */
export async function readValues(
  { id, kind }: Source,
  text: FormsWords,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  if (kind === 'run') return runValues(id, text);
  return kind === 'raster' ? await rasterValues(id, text, signal) : await tableValues(id, signal);
}

function runValues(id: string, text: FormsWords): readonly Value[] {
  const value = (of: string, label: string): Value => ({
    id: of,
    label,
    source: { kind: 'balance', run_id: id, of },
  });
  return [
    ...Object.entries(text.zones).map(([of, label]) => value(of, label)),
    value('not_allocable', text.notAllocable),
    value('area', text.area),
  ];
}

async function tableValues(id: string, signal: AbortSignal): Promise<readonly Value[]> {
  const { year_columns: columns } = await get('/datasets/{id}', { path: { id }, signal });
  const sorted = (columns ?? []).toSorted((one, other) => (one.start_date < other.start_date ? 1 : -1));
  const seen = new Set<string>();
  return sorted.flatMap(({ column, start_date: start }) => {
    if (seen.has(start)) return [];
    seen.add(start);
    return [{ id: start, label: column, source: { kind: 'table', dataset_id: id, start_date: start } }];
  });
}

async function rasterValues(id: string, text: FormsWords, signal: AbortSignal): Promise<readonly Value[]> {
  const { entries } = await get('/datasets/{id}/legend.json', { path: { id }, signal }).catch(
    (error: unknown) => {
      // A raster without a legend still has statistics.
      if (error instanceof Refused && isFinal(error)) return { entries: [] };
      throw error;
    },
  );
  const areas = (of: string, label: string, classes?: readonly number[]): Value => ({
    id: `${of} ${classes?.join(',') ?? ''}`,
    label,
    source: { kind: 'areas', dataset_id: id, of, ...(classes === undefined ? {} : { classes }) },
  });
  const classes = entries.flatMap(({ value, from, to, label }) => {
    const single = value ?? (from === to ? from : undefined);
    return single === undefined || single === null || !Number.isInteger(single)
      ? []
      : [areas('classes', text.ofClass(label), [single])];
  });
  const stats = Object.entries(text.stats).map(([stat, label]) => ({
    id: stat,
    label,
    source: { kind: 'zonal', dataset_id: id, stat },
  }));
  const hectares = [
    areas('classes', text.allClasses),
    areas('area', text.area),
    areas('no_data', text.noData),
  ];
  return classes.length > 0 ? [...classes, ...hectares, ...stats] : [...stats, areas('area', text.area)];
}

/** Finds the value whose name is in the header of a field; empty without one. */
export function likelyValue(header: string, values: readonly Value[]): string {
  const wanted = header.toLowerCase();
  const wordsOf = (label: string) =>
    label
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2);
  const found = values.find(({ label }) => {
    const own = wordsOf(label.replace(/^[^:]*: /, ''));
    return own.length > 0 && own.every((word) => wanted.includes(word));
  });
  return found?.id ?? '';
}
