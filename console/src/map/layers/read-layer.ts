import type { RasterClient } from '../../raster/client.ts';
import { RasterFailure } from '../../raster/messages.ts';
import { placeOf, type ViewCode } from '../../raster/projection.ts';
import {
  missingBands,
  paintedValues,
  paintOf,
  type Spreads,
  surveyedBands,
} from '../../../../common/maps/raster/paint.ts';
import { type Spread, withCounted } from '../../../../common/maps/raster/stretch.ts';
import { legendNeedsSpread, legendOf } from '../../../../common/maps/raster/raster-legend.ts';
import type { LayerStyle } from '../../../../common/maps/style/sld-read.ts';
import { ruleEntries, withoutNames } from '../../../../common/maps/legend/model.ts';
import { unitPaintOf } from '../../../../common/maps/units/unit-paint.ts';
import { unitColumnsOf } from '../../../../common/maps/units/unit-properties.ts';
import { type Box, geoJsonBox, shapesOf } from '../place/boxes.ts';
import type { Districts, Level, Unit } from '../units/districts.ts';
import type { LayerProblem } from '../words/words.ts';
import type { LoadedLayer } from './layer-model.ts';
import { Refused } from '../../service/fetch.ts';
import { runOutputOf } from '../../service/run-output.ts';
import { type Series, unitsToDraw } from '../units/unit-series.ts';
import { joined } from '../units/unit-history.ts';
import {
  cogUrlOf,
  type DatasetFacts,
  rangeAuthorization,
  readCounts,
  readDataset,
  readGeoJson,
  readProj,
  readRates,
  readSeries,
  readStyle,
} from './layer-requests.ts';

/** The reason why a layer cannot be shown. */
export class LayerFailure extends Error {
  readonly problem: LayerProblem;
  /** The dataset, if it could be read. */
  readonly dataset: DatasetFacts | undefined;
  constructor(
    problem: LayerProblem,
    { dataset, ...options }: ErrorOptions & { dataset?: DatasetFacts | undefined } = {},
  ) {
    super(`the layer is not shown: ${problem}`, options);
    this.problem = problem;
    this.dataset = dataset;
  }
}

/** The sources of maps, in addition to responses of the service. */
export interface MapSources {
  readonly districts: Districts;
  readonly rasters: RasterClient;
}

/**
 * Reads what a map needs to draw a dataset.
 * @param options.withRate draws the rates of a table if it has any
 * @throws LayerFailure with the reason if it cannot be drawn
 */
export async function loadLayer(
  sources: MapSources,
  id: string,
  { withRate = false } = {},
): Promise<LoadedLayer> {
  let dataset: DatasetFacts | undefined;
  try {
    dataset = await readDataset(id);
    if (dataset.status !== 'ready') throw new LayerFailure('not_ready');
    const style = readLayerStyle(dataset);
    // Another part may fail first; this failure is then not reported.
    style.catch(() => undefined);
    switch (dataset.file_type) {
      case 'raster':
        return await loadRaster(sources, dataset, style);
      case 'vector_with_kato':
        return await loadUnits(sources, dataset, { reading: style, withRate });
      default:
        return await loadVector(dataset, style);
    }
  } catch (error) {
    const { problem } = asLayerFailure(error);
    throw new LayerFailure(problem, { cause: error, dataset });
  }
}

/** Names the reason of a failure. */
export function asLayerFailure(error: unknown): LayerFailure {
  if (error instanceof LayerFailure) return error;
  const isAnswer = error instanceof Refused || error instanceof RasterFailure;
  const status = isAnswer ? error.status : undefined;
  const byStatus: Readonly<Record<number, LayerProblem>> = {
    0: 'away',
    401: 'no_access',
    403: 'no_access',
    404: 'gone',
    408: 'away',
    409: 'not_ready',
    429: 'away',
  };
  const isAway = status !== undefined && status >= 500;
  const known = status === undefined ? undefined : byStatus[status];
  return new LayerFailure(known ?? (isAway ? 'away' : 'unreadable'), { cause: error });
}

/** Loads a script of the page. @throws {LayerFailure} if it cannot be loaded */
async function part<T>(loading: Promise<T>): Promise<T> {
  return await loading.catch((cause: unknown) => {
    throw new LayerFailure('script', { cause });
  });
}

async function readLayerStyle(dataset: DatasetFacts): Promise<LayerStyle | undefined> {
  const sld = await readStyle(dataset);
  return sld === undefined ? undefined : await compile(sld);
}

async function compile(sld: string): Promise<LayerStyle> {
  const { readSld } = await part(import('../../../../common/maps/style/sld-read.ts'));
  try {
    return readSld(sld);
  } catch (error) {
    throw new LayerFailure('bad_style', { cause: error });
  }
}

async function loadRaster(
  { rasters }: MapSources,
  dataset: DatasetFacts,
  reading: Promise<LayerStyle | undefined>,
): Promise<LoadedLayer> {
  const url = cogUrlOf(dataset.id);
  // The worker handles messages in order, so its range requests carry the token.
  const [, opened, proj, stored] = await Promise.all([
    rasters.authorize(rangeAuthorization()),
    rasters.open({ url }),
    readProj(dataset.id),
    reading,
  ]);
  const place = placeOf(opened, proj);
  if (place === undefined) throw new LayerFailure('no_place');
  const { bbox: box } = dataset;
  /** The statistics of the bands that are drawn without a style are already there. */
  const spreadsOf = async (bands: readonly number[]): Promise<Spreads> =>
    bands.every((band) => opened.spreads.has(band)) ? opened.spreads : await rasters.survey({ url, bands });
  /** Colours that depend on values are computed from the statistics of all pixels, which the service has. */
  const survey = async (bands: readonly number[]): Promise<Spreads> => {
    if (bands.length === 0) return new Map();
    const [seen, counts] = await Promise.all([spreadsOf(bands), readCounts(dataset.id)]);
    const spreads = new Map<number, Spread>();
    for (const band of bands) {
      const spread = withCounted(seen.get(band), counts[band - 1]);
      if (spread !== undefined) spreads.set(band, spread);
    }
    return spreads;
  };
  const styled = async (style: LayerStyle | undefined): Promise<LoadedLayer> => {
    const { undrawn = [], raster } = style ?? {};
    if (missingBands(opened, raster).length > 0) throw new LayerFailure('no_band');
    const paint = paintOf(opened, raster, await survey(surveyedBands(opened, raster)));
    const opacity = raster?.opacity ?? 1;
    const described =
      paint.kind === 'bands'
        ? ({ kind: 'colours' } as const)
        : legendOf(paint, {
            spread: legendNeedsSpread(paint) ? (await spreadsOf([paint.band])).get(paint.band) : undefined,
            band: paintedValues(paint, opened),
            opacity,
          });
    const legend = runOutputOf(dataset.meta) === undefined ? described : withoutNames(described);
    const restyle = async (sld: string) => await styled(await compile(sld));
    return { kind: 'raster', dataset, legend, box, undrawn, url, opened, place, paint, opacity, restyle };
  };
  return await styled(stored);
}

/** Reads the units below the districts that a table has values of, level by level; most tables have none. */
async function unitsBelow(
  districts: Districts,
  { units }: Series,
  known: readonly Unit[],
): Promise<readonly { readonly level: Level; readonly units: readonly Unit[] }[]> {
  const found: { readonly level: Level; readonly units: readonly Unit[] }[] = [];
  const left = new Set(units.map(({ kato_code: code }) => code)).difference(new Set(codesOf(known)));
  for (const level of ['okrug', 'settlement'] as const) {
    if (left.size === 0) break;
    const own = await districts.units(level);
    if (own.some(({ kato }) => left.has(kato))) found.push({ level, units: own });
    for (const { kato } of own) left.delete(kato);
  }
  return found;
}

const codesOf = (units: readonly Unit[]) => units.map(({ kato }) => kato);

async function loadUnits(
  { districts }: MapSources,
  dataset: DatasetFacts,
  { reading, withRate }: { readonly reading: Promise<LayerStyle | undefined>; readonly withRate: boolean },
): Promise<LoadedLayer> {
  const [answered, rated, stored, regions, units] = await Promise.all([
    readSeries(dataset.id),
    withRate ? readRates(dataset.id) : undefined,
    reading,
    districts.units('region'),
    districts.units('district'),
  ]);
  const values = joined(answered);
  const series = rated === undefined ? values : joined(rated.rates);
  const rate = rated && { denominator: rated.denominator, values };
  const deeper = await unitsBelow(districts, series, [...regions, ...units]);
  // A table of rural districts leaves out most districts; these are not places without data.
  const codes =
    deeper.length > 0
      ? new Set(series.units.map(({ kato_code: code }) => code))
      : unitsToDraw(series, codesOf(regions), codesOf(units));
  const levels: readonly Level[] = ['region', 'district', ...deeper.map(({ level }) => level)];
  const columns = unitColumnsOf(dataset.kato_column, dataset.year_columns ?? []);
  const all = [...regions, ...units, ...deeper.flatMap((each) => each.units)];
  const names = new Map(all.map(({ kato, name }) => [kato, name]));
  const styled = (style: LayerStyle | undefined): LoadedLayer => {
    // The paint is chosen by the values of the table itself, as in thumbnails.
    const paint = unitPaintOf(style?.rules ?? [], answered);
    const legend = { kind: 'classes', entries: paint.entries } as const;
    const { undrawn = [] } = style ?? {};
    const restyle = async (sld: string) => styled(await compile(sld));
    return {
      kind: 'units',
      dataset,
      legend,
      box: undefined,
      undrawn,
      series,
      rate,
      paint,
      columns,
      names,
      codes,
      levels,
      restyle,
    };
  };
  // A style made for the values has no classes for their rates.
  return styled(rate === undefined ? stored : undefined);
}

/** Without a style, a vector is drawn in the green of the page. */
const plainEntry = ({ name }: DatasetFacts) => ({
  colour: [143, 181, 169, 255] as const,
  label: { kind: 'text' as const, text: name },
  sign: 'area' as const,
  isHidden: false,
});

async function loadVector(
  dataset: DatasetFacts,
  reading: Promise<LayerStyle | undefined>,
): Promise<LoadedLayer> {
  const [geojson, stored, { createVectorLayer }] = await Promise.all([
    readGeoJson(dataset.id),
    reading,
    part(import('./vector-layer.ts')),
  ]);
  const box: Box | undefined = geoJsonBox(geojson);
  if (box === undefined) throw new LayerFailure('no_place');
  const shapes = shapesOf(geojson);
  const styled = (style: LayerStyle | undefined): LoadedLayer => {
    const { rules = [], undrawn = [] } = style ?? {};
    const entries = ruleEntries(rules);
    const legend = {
      kind: 'classes',
      entries: entries.length === 0 ? [plainEntry(dataset)] : entries,
    } as const;
    const createLayer = (view: ViewCode) => createVectorLayer(view, geojson, rules);
    const restyle = async (sld: string) => styled(await compile(sld));
    return { kind: 'vector', dataset, legend, box, undrawn, shapes, createLayer, restyle };
  };
  return styled(stored);
}
