import type BaseLayer from 'ol/layer/Base.js';
import type { OpenedRaster } from '../../raster/messages.ts';
import type { RasterPlace, ViewCode } from '../../raster/projection.ts';
import type { Paint } from '../../../../common/maps/raster/paint.ts';
import type { LegendModel } from '../../../../common/maps/legend/model.ts';
import type { Undrawn } from '../../../../common/maps/style/undrawn.ts';
import type { UnitPaint } from '../../../../common/maps/units/unit-paint.ts';
import type { UnitColumns } from '../../../../common/maps/units/unit-properties.ts';
import type { Box, Shape } from '../place/boxes.ts';
import type { DatasetFacts } from './layer-requests.ts';
import type { Level } from '../units/districts.ts';
import type { Series } from '../units/unit-series.ts';
import type { Denominator } from '../../service/types.ts';

interface LayerFacts {
  readonly dataset: DatasetFacts;
  readonly legend: LegendModel;
  /** The extent of the layer; undefined if it has none. */
  readonly box: Box | undefined;
  /** Parts of the style that are not drawn. */
  readonly undrawn: readonly Undrawn[];
  /** CSS colours whose areas are hatched with white. */
  readonly hatched?: ReadonlySet<string>;
  /** Returns the layer in another style, without reading its data again. @throws LayerFailure */
  readonly restyle: (sld: string) => Promise<LoadedLayer>;
}

export interface RasterLayerModel extends LayerFacts {
  readonly kind: 'raster';
  readonly url: string;
  readonly opened: OpenedRaster;
  readonly place: RasterPlace;
  readonly paint: Paint;
  /** Opacity of the style, 0 to 1. */
  readonly opacity: number;
}

/** The denominator of a table whose rates are drawn. */
export interface LayerRate {
  readonly denominator: Denominator;
  /** The values before division. */
  readonly values: Series;
}

export interface UnitLayerModel extends LayerFacts {
  readonly kind: 'units';
  /** Rates in place of values if `rate` is defined. */
  readonly series: Series;
  readonly rate: LayerRate | undefined;
  /** The paint of units, the same as in thumbnails and in MapLibre. */
  readonly paint: UnitPaint;
  /** The columns that a style can name, in addition to dates. */
  readonly columns: UnitColumns;
  /** Names of units by KATO code. */
  readonly names: ReadonlyMap<string, string>;
  /** KATO codes of the units to draw: those of the table, and the other units of their level, which have no data. */
  readonly codes: ReadonlySet<string>;
  /** Levels of the units to draw, the upper ones first. */
  readonly levels: readonly Level[];
}

export interface VectorLayerModel extends LayerFacts {
  readonly kind: 'vector';
  /** The kinds of shapes that it contains. */
  readonly shapes: readonly Shape[];
  /** Creates the layer for a view. It is loaded with the script for vectors, which other maps do not need. */
  readonly createLayer: (view: ViewCode) => { readonly layer: BaseLayer };
}

export type LoadedLayer = RasterLayerModel | UnitLayerModel | VectorLayerModel;
