import type { RasterClient } from '../raster/client.ts';
import { RasterFailure } from '../raster/failure.ts';
import type { ViewCode } from '../raster/projection.ts';
import { placeOf } from '../raster/place.ts';
import { legendOf, paintOf } from '../../../src/portrayal/raster/paint.ts';
import type { LayerStyle } from '../../../src/portrayal/style/sld-read.ts';
import { classesOf, classesOfRules } from '../../../src/portrayal/units/choropleth.ts';
import type { Box } from './boxes.ts';
import type { Districts, Level } from './districts.ts';
import { geoJsonBox } from './geojson-box.ts';
import type { LayerProblem } from '../words/map/layer-problem.ts';
import type { LoadedLayer } from './loaded-layer.ts';
import { Refused } from '../service/ask.ts';
import { unitsToDraw } from './series.ts';
import {
  type DatasetFacts,
  type MapService,
  readDataset,
  readProj,
  readSeries,
  readStyle,
} from './map-service.ts';

/** A layer cannot be shown, and why. */
export class LayerFailure extends Error {
  readonly problem: LayerProblem;
  /** The name of the dataset, where that much could be read. */
  readonly datasetName: string | undefined;
  constructor(
    problem: LayerProblem,
    { datasetName, ...options }: ErrorOptions & { datasetName?: string | undefined } = {},
  ) {
    super(`the layer is not shown: ${problem}`, options);
    this.problem = problem;
    this.datasetName = datasetName;
  }
}

export interface LayerSources {
  readonly service: MapService;
  readonly districts: Districts;
  readonly rasters: RasterClient;
}

const classCount = 7;

/** Reads what a map needs to draw a dataset. @throws LayerFailure with the reason when it cannot be drawn. */
export async function loadLayer(sources: LayerSources, id: string): Promise<LoadedLayer> {
  let dataset: DatasetFacts | undefined;
  try {
    dataset = await readDataset(sources.service, id);
    if (dataset.status !== 'ready') throw new LayerFailure('not_ready');
    const style = readLayerStyle(sources.service, dataset);
    // Another part may fail before it, and nobody hear of this one.
    style.catch(() => undefined);
    switch (dataset.file_type) {
      case 'raster':
        return await loadRaster(sources, dataset, style);
      case 'vector_with_kato':
        return await loadUnits(sources, dataset, style);
      default:
        return await loadVector(sources, dataset, style);
    }
  } catch (error) {
    const { problem } = asLayerFailure(error);
    throw new LayerFailure(problem, { cause: error, datasetName: dataset?.name });
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

/** Loads a part of the page. @throws {LayerFailure} when it does not come */
async function part<T>(loading: Promise<T>): Promise<T> {
  return await loading.catch((cause: unknown) => {
    throw new LayerFailure('script', { cause });
  });
}

async function readLayerStyle(service: MapService, dataset: DatasetFacts): Promise<LayerStyle | undefined> {
  const sld = await readStyle(service, dataset);
  if (sld === undefined) return undefined;
  const { readSld } = await part(import('../../../src/portrayal/style/sld-read.ts'));
  try {
    return readSld(sld);
  } catch (error) {
    throw new LayerFailure('bad_style', { cause: error });
  }
}

async function loadRaster(
  { service, rasters }: LayerSources,
  dataset: DatasetFacts,
  reading: Promise<LayerStyle | undefined>,
): Promise<LoadedLayer> {
  const url = service.urlOf(`datasets/${dataset.id}.cog`);
  // The worker obeys in order, so that its ranges carry the token.
  const [, opened, proj, style] = await Promise.all([
    rasters.authorize(service.authorization()),
    rasters.open({ url }),
    readProj(service, dataset.id),
    reading,
  ]);
  const place = placeOf(opened, proj);
  if (place === undefined) throw new LayerFailure('no_place');
  const { bbox: box } = dataset;
  const { undrawn = [], raster } = style ?? {};
  const paint = paintOf(opened, raster);
  const legend = legendOf(paint, opened.spread?.classes);
  const opacity = raster?.opacity ?? 1;
  return { kind: 'raster', dataset, legend, box, undrawn, url, opened, place, paint, opacity };
}

async function loadUnits(
  { service, districts }: LayerSources,
  dataset: DatasetFacts,
  reading: Promise<LayerStyle | undefined>,
): Promise<LoadedLayer> {
  const codesOf = async (level: Level) => (await districts.units(level)).map(({ kato }) => kato);
  const [series, style, regions, units] = await Promise.all([
    readSeries(service, dataset.id),
    reading,
    codesOf('region'),
    codesOf('district'),
  ]);
  const classes = classesOfRules(style?.rules ?? []) ?? classesOf(series, 'quantiles', classCount);
  const entries = classes.list.map(({ colour, label }) => ({
    colour,
    label,
    sign: 'area' as const,
    isHidden: false,
  }));
  const legend = { kind: 'classes', entries } as const;
  const codes = unitsToDraw(series, regions, units);
  return {
    kind: 'units',
    dataset,
    legend,
    box: undefined,
    undrawn: style?.undrawn ?? [],
    series,
    classes,
    codes,
  };
}

/** Without a style all that a vector has is drawn in the green of the page. */
const plainEntry = ({ name }: DatasetFacts) => ({
  colour: [143, 181, 169, 255] as const,
  label: { kind: 'text' as const, text: name },
  sign: 'area' as const,
  isHidden: false,
});

async function loadVector(
  { service }: LayerSources,
  dataset: DatasetFacts,
  reading: Promise<LayerStyle | undefined>,
): Promise<LoadedLayer> {
  const read = async (): Promise<unknown> => await service.json(`datasets/${dataset.id}.geojson`);
  const [geojson, style, { createVectorLayer }] = await Promise.all([
    read(),
    reading,
    part(import('./vector-layer.ts')),
  ]);
  const box: Box | undefined = geoJsonBox(geojson);
  if (box === undefined) throw new LayerFailure('no_place');
  const { rules = [], undrawn = [] } = style ?? {};
  const entries = rules.flatMap(({ title, signs }) => {
    const sign = signs.at(-1);
    const colour = sign?.fill ?? sign?.stroke?.colour;
    if (sign === undefined || colour === undefined) return [];
    const shown = ({ polygon: 'area', line: 'line', point: 'point' } as const)[sign.kind];
    return [{ colour, label: { kind: 'text' as const, text: title }, sign: shown, isHidden: false }];
  });
  const legend = {
    kind: 'classes',
    entries: entries.length === 0 ? [plainEntry(dataset)] : entries,
  } as const;
  const createLayer = (view: ViewCode) => createVectorLayer(view, geojson, rules);
  return { kind: 'vector', dataset, legend, box, undrawn, createLayer };
}
