import { capabilities } from '../../service/capabilities.ts';
import { datasetName, shownGroup } from '../../service/graph-words.ts';
import { listGroups } from '../../service/groups.ts';
import { get } from '../../service/request.ts';
import { baseOf, type Subject } from './subject.ts';

/** Limit of connections in one file: a longer list is hard to read. */
const mostMaps = 100;

/** A subject as a person sees it; names are in the language of the reader after its words are loaded. */
type Localized<T> = () => T;
type Found = Pick<Subject, 'id' | 'name' | 'maps' | 'type'>;

/** Names for subjects without a name of their own. */
interface Names {
  readonly service: string;
  run(created: string): string;
}

/**
 * Finds the subject to connect; returns undefined if it is not ready.
 * @param kind `datasets`, `groups` or `runs`; undefined for the service
 * @throws {Refused}
 */
export async function findSubject(
  kind: string | undefined,
  id: string,
  names: Names,
  signal: AbortSignal,
): Promise<Localized<Subject> | undefined> {
  const base = baseOf(location.href);
  const around = { base, hasTokens: (capabilities.value?.auth ?? 'off') !== 'off' };
  switch (kind) {
    case 'datasets': {
      const see = await findDataset(id, base, signal);
      return see && (() => ({ kind: 'dataset', ...around, ...see() }));
    }
    case 'groups': {
      const see = await findGroup(id, base, signal);
      return () => ({ kind: 'group', ...around, ...see() });
    }
    case 'runs': {
      const found = await findRun(id, base, names, signal);
      return () => ({ kind: 'run', ...around, ...found });
    }
    default: {
      const see = await findMaps(base, signal);
      return () => ({ kind: 'service', ...around, id: '', name: names.service, maps: see() });
    }
  }
}

async function findDataset(
  id: string,
  base: string,
  signal: AbortSignal,
): Promise<Localized<Found> | undefined> {
  const dataset = await get('/datasets/{id}', { path: { id }, signal });
  const { file_type: type, status } = dataset;
  if (status !== 'ready') return undefined;
  return () => {
    const name = datasetName(dataset);
    const maps = type === 'raster' ? [{ name, address: `${base}/datasets/${id}` }] : [];
    return { id, name, type, maps };
  };
}

async function findGroup(id: string, base: string, signal: AbortSignal): Promise<Localized<Found>> {
  const group = await get('/dataset-groups/{id}', { path: { id }, signal });
  const rasters = await get('/datasets', {
    query: { dg_id: id, file_type: 'raster', status: 'ready', page_size: 1 },
    signal,
  });
  return () => {
    const { name } = shownGroup(group);
    return { id, name, maps: rasters.total === 0 ? [] : [{ name, address: `${base}/dataset-groups/${id}` }] };
  };
}

/** The rasters that a run has computed or reused, the last one first, with the titles of their groups. */
async function findRun(id: string, base: string, names: Names, signal: AbortSignal): Promise<Found> {
  const [run, results] = await Promise.all([
    get('/landscape/runs/{id}', { path: { id }, signal }),
    get('/landscape/results', { signal }),
  ]);
  const titles = new Map(results.map(({ group, title }) => [group, title]));
  const maps = (run.nodes ?? []).flatMap(({ node_code: code, outputs }) =>
    (outputs ?? []).map(({ group, dataset_id: dataset }) => ({
      name: `${code} ${titles.get(group) ?? group}`,
      address: `${base}/datasets/${dataset}`,
    })),
  );
  return { id, name: run.record?.name ?? names.run(run.created_at), maps: maps.toReversed() };
}

/** The groups of the newest rasters; the tiles of a group show its newest raster. */
async function findMaps(base: string, signal: AbortSignal): Promise<Localized<Subject['maps']>> {
  const [rasters, groups] = await Promise.all([
    get('/datasets', { query: { file_type: 'raster', status: 'ready', page_size: mostMaps }, signal }),
    listGroups(signal),
  ]);
  const withRasters = new Set(rasters.data.map(({ dg_id: group }) => group));
  const found = groups.filter(({ id }) => withRasters.has(id));
  return () =>
    found.map((group) => ({ name: shownGroup(group).name, address: `${base}/dataset-groups/${group.id}` }));
}
