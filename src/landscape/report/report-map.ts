import type { PendingResult } from '../../jobs/results.ts';
import type { Database } from '../../database/tables/tables.ts';
import { readStatistics } from '../../datasets/statistics.ts';
import { Problem } from '../../lib/errors.ts';
import { viewOf } from '../../maps/service/drawn-datasets.ts';
import { toLegendJson } from '../../maps/service/legend-json.ts';
import type { Legends } from '../../maps/service/legends.ts';
import { countsVersionOf, type Maps, versionOf } from '../../maps/service/maps.ts';
import type { Language } from '../../messages/languages/translate.ts';
import type { LandscapeGraph } from '../groups/graph-schema.ts';
import { type Part, partOf } from './part.ts';

/** A map in a report. */
export interface ReportMap {
  readonly code: string;
  readonly datasetId: string;
  /** The classes that occur, ascending. */
  readonly classes: readonly MapClass[];
  /** Colours of the style that do not belong to a single class that occurs. */
  readonly others: readonly Pick<MapClass, 'label' | 'colour'>[];
  readonly noDataHa: number | null;
  readonly picture: Part<{ readonly version: string }>;
}

export interface MapClass {
  readonly value: number;
  readonly label: string;
  /** Null if the style does not draw it. */
  readonly colour: string | null;
  /** Null if the raster does not lie on the earth. */
  readonly ha: number | null;
}

interface MapDependencies {
  readonly db: Database;
  readonly maps: Maps;
  readonly legends: Legends;
}

interface WantedMap {
  readonly node: LandscapeGraph['nodes'][number];
  readonly datasetId: string;
  readonly language: Language;
}

/**
 * Describes a map when its pixels are counted.
 * @throws {Problem} `not_found` when it was deleted or cannot be counted; `busy` while it is being prepared for maps
 */
export async function reportMapOf(
  { db, maps, legends }: MapDependencies,
  { node, datasetId, language }: WantedMap,
): Promise<ReportMap | PendingResult> {
  const dataset = await maps.dataset(datasetId);
  const pending = { isPending: true, ref: datasetId } as const;
  const statistics = await madeOf(async () => await readStatistics(db, dataset));
  const picture = await partOf(language, async () => (await madeOf(() => pictureOf(dataset))) ?? pending);
  if (statistics === undefined) return pending;
  if (picture.isPending) return picture;
  const [band] = statistics.bands;
  const legend = toLegendJson(await legends.modelOf(datasetId, language), language);
  const single = legend.entries.map(({ value, from, to, ...entry }) => ({
    ...entry,
    value: value ?? (from === to ? from : undefined),
  }));
  const classes = (band?.classes ?? []).map(({ value, hectares: ha }) => {
    const drawn = single.find((entry) => entry.value === value);
    const own = node.legend.entries.find((entry) => entry.value === value)?.label;
    return { value, ha, label: drawn?.label ?? own ?? String(value), colour: drawn?.colour ?? null };
  });
  return {
    code: node.code,
    datasetId,
    classes,
    others: [...single.filter(({ value }) => value === undefined), ...(legend.stops ?? [])].map(
      ({ label, colour }) => ({ label, colour }),
    ),
    noDataHa: band?.no_data_ha ?? null,
    picture,
  };
}

type Drawn = Awaited<ReturnType<Maps['dataset']>>;

/** Errors of results that are being made. */
const underWay = ['dataset.notCountedYet', 'drawing.viewUnderWay'];

/** Returns the result of `find`; undefined while it is being made. @throws all other errors of `find` */
async function madeOf<T>(find: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Problem && underWay.includes(error.sentence?.code ?? '')) return undefined;
    throw error;
  }
}

/** Returns the version of a picture. @throws {Problem} when it cannot be drawn, or not yet */
function pictureOf(dataset: Drawn): { readonly version: string } {
  const { cogKey, meshKey } = viewOf(dataset);
  return { version: versionOf([cogKey, meshKey, dataset.sld_key, countsVersionOf(dataset)]) };
}
