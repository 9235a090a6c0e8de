import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '../../src/lib/error-facts.ts';
import { type Dataset, Refused, type ServiceClient } from '../service-client.ts';
import { changedValues } from './changed-values.ts';
import { checkGeoJson } from './check-geojson.ts';
import type { SurveyItem } from './files.ts';
import { leakedInternals } from './leaked-internals.ts';

/** The outcome of one file as one type. */
export interface Finding {
  readonly name: string;
  readonly type: SurveyItem['type'];
  /**
   * The last status of a dataset; `accepted` for a style, `refused` for a file that was not accepted, `broken` when processing never ended.
   */
  readonly status: string;
  readonly seconds: number;
  /** The reason of a failure or refusal, or the result. */
  readonly sentence: string;
  /** Results that must never occur. */
  readonly troubles: readonly string[];
}

export interface Look {
  readonly client: ServiceClient;
  readonly categoryId: string;
  /** The dataset to which styles are applied. */
  readonly styledId: string;
  readonly verify: boolean;
  /** True when datasets without trouble are deleted afterwards. */
  readonly discard: boolean;
  /** Lists the differences between a raster and its COG; present with `verify`. */
  readonly compareRasters: Compare | undefined;
  /** Lists the differences between a vector and its FlatGeobuf; present with `verify`. */
  readonly compareFeatures: Compare | undefined;
}

/** Lists the differences between a file and its converted file, in words. */
export type Compare = (sourcePath: string, madePath: string) => Promise<readonly string[]>;

type Outcome = Pick<Finding, 'status' | 'sentence' | 'troubles'>;

/** The statuses with which a service may refuse a file. */
const refusals: readonly number[] = [413, 422];

/** Uploads a file, waits for the end of its processing and checks the results. */
export async function lookAt(item: SurveyItem, look: Look): Promise<Finding> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(item, look).catch((error: unknown): Promise<Outcome> | Outcome => {
    if (error instanceof Refused && refusals.includes(error.status)) {
      return saidNo(item, 'refused', error.message);
    }
    const reason = error instanceof Refused ? `answered ${error.status}: ${error.message}` : reasonOf(error);
    return { status: 'broken', sentence: reason, troubles: [reason] };
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { name: item.name, type: item.type, seconds, ...outcome };
}

async function outcomeOf(item: SurveyItem, look: Look): Promise<Outcome> {
  const { path, type } = item;
  const { client, categoryId, styledId } = look;
  if (type === 'style') {
    await client.putStyle(styledId, path);
    return { status: 'accepted', sentence: '', troubles: [] };
  }
  const { id, status } = await client.upload(path, { category_id: categoryId, file_type: type });
  const outcome = await outcomeOfDataset(item, await client.settled(id, status), look);
  if (look.discard && outcome.troubles.length === 0) await client.remove(id);
  return outcome;
}

async function outcomeOfDataset(item: SurveyItem, dataset: Dataset, look: Look): Promise<Outcome> {
  if (dataset.status === 'failed') return await saidNo(item, 'failed', dataset.parse_error ?? '');
  if (item.type === 'raster') return await lookAtRaster(item.path, dataset, look);
  return item.type === 'vector'
    ? await lookAtVector(item.path, dataset, look)
    : await lookAtTable(item, dataset, look);
}

/** Returns the outcome of a refused file: the message must be suitable for users. */
async function saidNo({ path }: SurveyItem, status: string, sentence: string): Promise<Outcome> {
  if (sentence === '') return { status, sentence, troubles: [`${status} without a reason`] };
  if (leakedInternals(sentence, () => false).length === 0) return { status, sentence, troubles: [] };
  const bytes = await readFile(path);
  return { status, sentence, troubles: leakedInternals(sentence, (words) => bytes.includes(words)) };
}

async function lookAtRaster(path: string, { id, status, bbox }: Dataset, look: Look): Promise<Outcome> {
  const troubles = bbox === undefined ? ['ready without a bbox'] : [];
  const { client, compareRasters } = look;
  if (compareRasters !== undefined) troubles.push(...(await verifyRaster(path, id, client, compareRasters)));
  const sentence = `bbox ${bbox?.map((edge) => Number(edge.toFixed(4))).join(' ') ?? 'missing'}`;
  return { status, sentence, troubles };
}

async function verifyRaster(
  path: string,
  id: string,
  client: ServiceClient,
  compareRasters: Compare,
): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-survey-'));
  const [source, cog] = [join(folder.path, 'source.tif'), join(folder.path, 'cog.tif')];
  await client.save(`/datasets/${id}/download`, source);
  await client.save(`/datasets/${id}.cog`, cog);
  const isSame = (await sha256(source)) === (await sha256(path));
  const differences = await compareRasters(source, cog);
  return [...(isSame ? [] : ['the original came back changed']), ...differences];
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function lookAtVector(path: string, dataset: Dataset, look: Look): Promise<Outcome> {
  const { id } = dataset;
  const { client, verify } = look;
  const geoJson = await client.geoJson(id);
  const outcome = lookAtGeoJson(geoJson, dataset, { verify, before: '' });
  if (!verify || outcome.troubles.length > 0) return outcome;
  const changed = await changedValues(path, { id, client, geoJson });
  const { compareFeatures } = look;
  if (compareFeatures === undefined || changed.length > 0) return { ...outcome, troubles: changed };
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-survey-'));
  const [source, made] = [join(folder.path, `source${extname(path)}`), join(folder.path, 'made.fgb')];
  await client.save(`/datasets/${id}/download`, source);
  await client.save(`/datasets/${id}.fgb`, made);
  return { ...outcome, troubles: await compareFeatures(source, made) };
}

function lookAtGeoJson(
  geoJson: string,
  { status }: Dataset,
  { verify, before }: { readonly verify: boolean; readonly before: string },
): Outcome {
  const { featureCount, faults } = checkGeoJson(geoJson);
  const sentence = `${before}${featureCount} ${featureCount === 1 ? 'feature' : 'features'}`;
  return { status, sentence, troubles: verify ? faults : [] };
}

async function lookAtTable(
  item: SurveyItem,
  { id, status, attribute_columns: columns }: Dataset,
  look: Look,
): Promise<Outcome> {
  const names = `${columns?.length ?? 0} columns`;
  const { kato_column: katoColumn, year_columns: years } = await look.client.suggestion(id);
  if (katoColumn === null || years.length === 0) return { status, sentence: names, troubles: [] };
  const mapped = await look.client.map(id, katoColumn, years);
  const dataset = await look.client.settled(id, mapped.status);
  if (dataset.status === 'failed') return await saidNo(item, 'failed', dataset.parse_error ?? '');
  const { total } = await look.client.observations(id, 1);
  const before = `${names}, ${total} observations, `;
  return lookAtGeoJson(await look.client.geoJson(id), dataset, { verify: look.verify, before });
}
