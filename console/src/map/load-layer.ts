import type { RasterClient } from '../raster/client.ts';
import { RasterFailure } from '../raster/failure.ts';
import type { OpenedRaster, Paint } from '../raster/messages.ts';
import type { ViewCode } from '../raster/projection.ts';
import { placeOf } from '../raster/place.ts';
import type { ColourMap } from '../../../src/portrayal/style/colour-map.ts';
import { stretchedRamp } from '../../../src/portrayal/style/ramps.ts';
import type { LayerStyle } from '../../../src/portrayal/style/sld-read.ts';
import type { Box } from './boxes.ts';
import type { Districts, Level } from './districts.ts';
import { classesOf, classesOfRules } from './choropleth.ts';
import { geoJsonBox } from './geojson-box.ts';
import type { LayerProblem } from '../words/map/layer-problem.ts';
import type { LegendModel } from '../../../src/portrayal/legend/model.ts';
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
    409: 'not_ready',
    503: 'away',
  };
  return new LayerFailure(status === undefined ? 'unreadable' : (byStatus[status] ?? 'unreadable'), {
    cause: error,
  });
}

async function readLayerStyle(service: MapService, dataset: DatasetFacts): Promise<LayerStyle | undefined> {
  const sld = await readStyle(service, dataset);
  if (sld === undefined) return undefined;
  const { readSld } = await import('../../../src/portrayal/style/sld-read.ts');
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
  const paint = paintOf(opened, style);
  const { bbox: box } = dataset;
  const { undrawn = [], raster } = style ?? {};
  const legend = legendOf(paint, opened);
  const opacity = raster?.opacity ?? 1;
  return { kind: 'raster', dataset, legend, box, undrawn, url, opened, place, paint, opacity };
}

/** The style's colours, else the file's own, else a ramp from the 2nd to the 98th percentile. */
function paintOf({ meaning, palette, spread, bands }: OpenedRaster, style: LayerStyle | undefined): Paint {
  const { colours, channels, band = 1 } = style?.raster ?? {};
  if (colours !== undefined) return { kind: 'values', band: Math.min(band, bands), colours };
  if (channels !== undefined && Math.max(...channels) <= bands && meaning === 'rgb') {
    return { kind: 'bands', bands: channels };
  }
  if (meaning === 'rgb') return { kind: 'bands', bands: [1, 2, 3] };
  if (palette !== undefined) return { kind: 'values', band: 1, colours: fromPalette(palette) };
  const { p2 = 0, p98 = 1 } = spread ?? {};
  return { kind: 'values', band: 1, colours: stretchedRamp('cividis', p2, p98) };
}

function fromPalette(palette: NonNullable<OpenedRaster['palette']>): ColourMap {
  return { kind: 'values', stops: palette.map((colour, value) => ({ value, colour, label: '' })) };
}

function legendOf(paint: Paint, { spread }: OpenedRaster): LegendModel {
  if (paint.kind === 'bands') return { kind: 'colours' };
  const { kind, stops } = paint.colours;
  if (kind === 'ramp') {
    // A stop for no data, which is transparent, may lie far from the values.
    const seen = stops.filter(({ colour }) => colour[3] > 0);
    return { kind: 'ramp', stops: seen.map(({ value, colour }) => ({ value, colour })) };
  }
  const present = kind === 'values' ? spread?.classes : undefined;
  const entries = stops.map(({ value, colour, label }, index) => {
    const from = kind === 'values' ? value : (stops[index - 1]?.value ?? -Infinity);
    const named =
      label === '' ? ({ kind: 'range', from, to: value } as const) : ({ kind: 'text', text: label } as const);
    // Transparent classes are no part of the picture, nor are colours of a table that no pixel has.
    const isShown = colour[3] > 0 && (label !== '' || present === undefined || present.includes(value));
    return { colour, label: named, sign: 'area' as const, isShown };
  });
  return {
    kind: 'classes',
    entries: entries.map(({ isShown, ...entry }) => ({ ...entry, isHidden: !isShown })),
  };
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
  const read = async (): Promise<unknown> =>
    await (await service.get(`datasets/${dataset.id}.geojson`)).json();
  const [geojson, style, { createVectorLayer }] = await Promise.all([
    read(),
    reading,
    import('./vector-layer.ts'),
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
