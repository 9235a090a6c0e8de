import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import type { Shape } from '../../map/place/boxes.ts';
import type { RasterStatistics } from '../../service/types.ts';
import type { Choice, Kind, SingleSymbol } from '../../style/choice.ts';
import {
  type Distribution,
  distributionOfBand,
  distributionOfNumbers,
  maxDistinct,
} from '../../style/distribution.ts';
import { coloursOfValues, drawingOf, type StyleDrawing, valuesOf } from '../../style/drawing.ts';
import { type StyleSubject, writePlainSld, writeSld } from '../../style/sld-write.ts';

/** The styles that can be made for a layer. */
export type Offer =
  | {
      readonly kind: 'numbers';
      readonly subject: StyleSubject;
      readonly distribution: Distribution;
      /** The first is the suggestion. */
      readonly kinds: readonly [Kind, ...Kind[]];
    }
  | { readonly kind: 'words'; readonly subject: StyleSubject; readonly words: readonly string[] }
  | { readonly kind: 'symbol'; readonly title: string; readonly shapes: readonly Shape[] }
  | { readonly kind: 'manyBands'; readonly bands: number }
  | { readonly kind: 'empty' | 'manyWords' | 'counting' };

/** Finds the styles that can be made for a layer. @param statistics of a raster, after they are counted */
export function offerOf(layer: LoadedLayer, statistics: RasterStatistics | undefined): Offer {
  const title = layer.dataset.name;
  switch (layer.kind) {
    case 'raster': {
      const { bands, type, scales } = layer.opened;
      if (bands !== 1) return { kind: 'manyBands', bands };
      const [band] = statistics?.bands ?? [];
      if (band === undefined) return { kind: 'counting' };
      const distribution = distributionOfBand(band);
      if (distribution === undefined) return { kind: 'empty' };
      const { scale = 1, offset = 0 } = scales[0] ?? {};
      const subject = { kind: 'raster', title, grain: { ...type, scale, offset } } as const;
      const { distinct, least, greatest } = distribution;
      if (distinct === undefined)
        return { kind: 'numbers', subject, distribution, kinds: ['classes', 'ramp'] };
      const isNamed = layer.legend.kind === 'classes';
      const isFew = distinct.length <= 2 || isNamed;
      const ramp: readonly Kind[] = least < greatest ? ['ramp'] : [];
      return {
        kind: 'numbers',
        subject,
        distribution,
        kinds: isFew ? ['values', 'classes', ...ramp] : ['classes', 'values', ...ramp],
      };
    }
    case 'units': {
      const all = layer.series.units.flatMap(({ values }) => values);
      const distribution = distributionOfNumbers(all.filter((value) => typeof value === 'number'));
      const subject = { kind: 'units', title } as const;
      if (distribution !== undefined) {
        const kinds: readonly [Kind, ...Kind[]] =
          distribution.distinct === undefined ? ['classes'] : ['classes', 'values'];
        return { kind: 'numbers', subject, distribution, kinds };
      }
      const words = [...new Set(all.filter((value) => typeof value === 'string' && value !== ''))].map(
        String,
      );
      if (words.length === 0) return { kind: 'empty' };
      if (words.length > maxDistinct) return { kind: 'manyWords' };
      return { kind: 'words', subject, words: words.toSorted((a, b) => (a < b ? -1 : 1)) };
    }
    default:
      return { kind: 'symbol', title, shapes: layer.shapes };
  }
}

/** A style that can be shown and stored, with its drawing. */
export interface MadeStyle {
  readonly sld: string;
  readonly drawing: StyleDrawing | undefined;
}

/** Writes the style of a choice; undefined if none can be made. @param labels of values, as in the previous style */
export function makeStyle(
  offer: Offer,
  { choice, symbol }: { readonly choice: Choice; readonly symbol: SingleSymbol },
  labels: ReadonlyMap<number | string, string>,
): MadeStyle | undefined {
  switch (offer.kind) {
    case 'numbers': {
      const kind = offer.kinds.find((each) => each === choice.kind) ?? offer.kinds[0];
      const drawing = drawingOf({ ...choice, kind }, offer.distribution);
      return { sld: writeSld(offer.subject, drawing, labels), drawing };
    }
    case 'words': {
      const drawing = valuesOf(offer.words, coloursOfValues(choice, offer.words.length));
      return { sld: writeSld(offer.subject, drawing), drawing };
    }
    case 'symbol':
      return { sld: writePlainSld(offer.title, offer.shapes, symbol), drawing: undefined };
    default:
      return undefined;
  }
}

/** The labels of classes of single values in the legend of a layer. */
export function labelsOf({ legend }: LoadedLayer): ReadonlyMap<number | string, string> {
  if (legend.kind !== 'classes') return new Map();
  return new Map(
    legend.entries.flatMap(({ label, range }) =>
      label.kind === 'text' && range !== undefined && range.from === range.to ? [[range.to, label.text]] : [],
    ),
  );
}
