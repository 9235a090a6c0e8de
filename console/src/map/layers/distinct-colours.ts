import type { LegendEntry, LegendModel } from '../../../../common/maps/legend/model.ts';
import { colourAt } from '../../../../common/maps/raster/raw-colours.ts';
import {
  type ColourMap,
  cssOf,
  parseColour,
  type Rgba,
  rampColours,
} from '../../../../common/maps/style/colour-map.ts';
import type { LoadedLayer } from './layer-model.ts';

/** Unordered colours that differ for every kind of colour vision, by at least 13.5 in OKLab × 100. */
const different: readonly Rgba[] = '#26388d #fec226 #00ac94 #f76816 #aec0ff #0f2a20 #6f6362'
  .split(' ')
  .map((text) => parseColour(text) ?? [0, 0, 0, 255]);
/** A ramp from dark to light that is readable with every kind of colour vision. */
const ordered = 'cividis';

/** Colours of classes; some are hatched. */
interface DistinctColours {
  readonly colours: readonly Rgba[];
  readonly isHatched: (index: number) => boolean;
}

/** Chooses colours for classes; undefined where there are more of them than can be distinguished. */
function distinctColoursOf(count: number, isOrdered: boolean): DistinctColours | undefined {
  if (isOrdered) return { colours: rampColours(ordered, count), isHatched: () => false };
  if (count > 2 * different.length) return undefined;
  const colours = Array.from({ length: count }, (_, index) => {
    const [red, green, blue, alpha] = different[index % different.length] ?? [0, 0, 0, 255];
    // A unique colour, which identifies its pixels but looks the same.
    return index < different.length
      ? ([red, green, blue, alpha] as const)
      : ([red, green, blue - 1, alpha] as const);
  });
  return { colours, isHatched: (index) => index >= different.length };
}

const known = new WeakMap<LoadedLayer, LoadedLayer>();

/**
 * Returns the layer in colours that are distinct for every kind of colour vision, hatched where colours do not suffice;
 * unchanged if it has no classes by value. Equal layers give the identical result.
 */
export function inDistinctColours(layer: LoadedLayer): LoadedLayer {
  const found = known.get(layer) ?? redrawn(layer);
  known.set(layer, found);
  return found;
}

function redrawn(layer: LoadedLayer): LoadedLayer {
  if (layer.kind === 'raster' && layer.paint.kind === 'values') {
    const colours = distinctColourMap(layer.paint.colours);
    if (colours === undefined) return layer;
    const { map, hatched } = colours;
    return {
      ...layer,
      paint: { ...layer.paint, colours: map },
      legend: legendIn(layer.legend, map),
      hatched,
    };
  }
  if (layer.kind !== 'units' || layer.legend.kind !== 'classes') return layer;
  const { entries } = layer.legend;
  const distinct = distinctColoursOf(
    entries.length,
    entries.every(({ label }) => label.kind === 'range'),
  );
  if (distinct === undefined) return layer;
  const { paint } = layer;
  const colourOf = (index: number, otherwise: Rgba) => distinct.colours[index] ?? otherwise;
  const shown = entries.map((entry, index): LegendEntry => ({
    ...entry,
    colour: colourOf(index, entry.colour),
  }));
  return {
    ...layer,
    legend: { kind: 'classes', entries: shown },
    hatched: hatchedOf(distinct),
    paint: {
      ...paint,
      entries: shown,
      signsOf: (properties, denominator) => {
        const index = paint.entryOf(properties, denominator);
        const signs = paint.signsOf(properties, denominator);
        if (index === undefined) return signs;
        return signs.map((sign) =>
          sign.fill === undefined ? sign : { ...sign, fill: colourOf(index, sign.fill) },
        );
      },
    },
  };
}

const hatchedOf = ({ colours, isHatched }: DistinctColours): ReadonlySet<string> =>
  new Set(colours.filter((_, index) => isHatched(index)).map(cssOf));

/** Transparent classes stay transparent; the others get colours in their order. */
function distinctColourMap(map: ColourMap) {
  const { kind, stops } = map;
  const visible = stops.filter(({ colour }) => colour[3] > 0);
  if (kind === 'ramp') {
    const [first, last] = [visible[0]?.value ?? 0, visible.at(-1)?.value ?? 1];
    const shades = rampColours(ordered, 9).map((colour, index) => ({
      value: first + ((last - first) * index) / 8,
      colour,
      label: '',
    }));
    const shown = stops.map((stop) =>
      stop.colour[3] === 0 ? stop : { ...stop, colour: colourAt({ kind, stops: shades }, stop.value) },
    );
    return { map: { ...map, stops: shown }, hatched: new Set<string>() };
  }
  const distinct = distinctColoursOf(visible.length, kind === 'intervals');
  if (distinct === undefined) return undefined;
  const shown = stops.map((stop) => {
    const index = visible.indexOf(stop);
    return index === -1 ? stop : { ...stop, colour: distinct.colours[index] ?? stop.colour };
  });
  return { map: { ...map, stops: shown }, hatched: hatchedOf(distinct) };
}

/** Recolours a legend: its entries and stops are in the order of those of the colour map. */
function legendIn(legend: LegendModel, { stops }: ColourMap): LegendModel {
  switch (legend.kind) {
    case 'classes':
      return {
        kind: 'classes',
        entries: legend.entries.map((entry, index) => ({
          ...entry,
          colour: stops[index]?.colour ?? entry.colour,
        })),
      };
    case 'ramp': {
      const colours = { kind: 'ramp', stops } as const;
      return {
        kind: 'ramp',
        stops: legend.stops.map((stop) => ({ ...stop, colour: colourAt(colours, stop.value) })),
      };
    }
    default:
      return legend;
  }
}
