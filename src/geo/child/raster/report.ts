import type { Dataset, RasterBand } from 'gdal-async';
import type { CogStructure } from '../../formats/tiff/cog-structure.ts';
import type { RasterSource, Warning } from '../../findings.ts';
import { nameOfCrs } from '../../gdal/crs-name.ts';
import { outlineOf, planeBbox } from './bbox.ts';
import type { CogPlan } from './cog-options.ts';
import type { RasterDescription } from './description.ts';
import type { Placement } from './georeference.ts';

/** What the report says of a raster before its pixels are read. */
export function describeSource(
  dataset: Dataset,
  raster: RasterDescription,
  placement: Placement,
): RasterSource {
  const [, a, b, , c, d] = placement.affine;
  return {
    width: raster.width,
    height: raster.height,
    bands: raster.bands.length,
    data_type: raster.bands[0]?.dataType ?? 'Byte',
    nodata: noDataOf(dataset.bands.get(1)),
    crs: placement.nativeWkt === undefined ? null : nameOfCrs(placement.nativeWkt),
    extent: placement.isPlaced ? [...planeBbox(outlineOf(placement))] : null,
    resolution: placement.isPlaced ? [Math.hypot(a, c), Math.hypot(b, d)] : null,
    cog: null,
  };
}

/** JSON has no NaN and no infinity: they are told as text. */
function noDataOf(band: RasterBand): number | string | null {
  // The binding's types promise a number, it says null or undefined where there is none.
  const value: number | null | undefined = band.noDataValue;
  if (value === null || value === undefined) return null;
  return Number.isFinite(value) ? value : String(value).toLowerCase();
}

/** How a COG that came as one is stored. */
export function describeOwnCog(dataset: Dataset): RasterSource['cog'] {
  const structure: Record<string, string> = dataset.getMetadata('IMAGE_STRUCTURE');
  const metadata: Record<string, string> = dataset.getMetadata();
  const compression = structure['COMPRESSION'] ?? 'NONE';
  const predictor = structure['PREDICTOR'];
  return {
    passed_through: true,
    // GDAL names the colour space with it.
    compression: compression === 'YCbCr JPEG' ? 'JPEG' : compression,
    predictor: predictor === undefined ? null : Number(predictor),
    overview_resampling: metadata['OVR_RESAMPLING_ALG'] ?? structure['OVERVIEW_RESAMPLING'] ?? null,
  };
}

/** TIFF's numbers of the predictors. */
const predictorNumbers = { NO: 1, STANDARD: 2, FLOATING_POINT: 3 } as const;

/** How a COG of ours is stored. */
export function describeMadeCog(plan: CogPlan): RasterSource['cog'] {
  return {
    passed_through: false,
    compression: plan.options['COMPRESS'] ?? null,
    predictor: predictorNumbers[plan.predictor],
    overview_resampling: plan.overviewResampling === 'NONE' ? null : plan.overviewResampling,
  };
}

/** What a user should know of a raster that is fine. */
export function warningsOf(placement: Placement, structure: CogStructure | undefined): Warning[] {
  const warnings: Warning[] = [];
  const georeference = georeferenceWarning(placement);
  if (georeference !== undefined) warnings.push({ code: 'no_georeference', message: georeference });
  const images = structure?.otherImages ?? 0;
  if (images > 0) {
    const others = images === 1 ? 'one more image' : `${images} more images`;
    const message = `The file holds ${others} behind the first; only the first was used.`;
    warnings.push({ code: 'layers_left_out', message });
  }
  return warnings;
}

function georeferenceWarning(placement: Placement): string | undefined {
  if (!placement.isPlaced) {
    return 'The raster is placed nowhere: it has neither a geotransform nor control points that give one. Its bbox is in pixels.';
  }
  if (placement.nativeWkt === undefined) {
    return 'The raster has no coordinate reference system; its bbox is in its own coordinates.';
  }
  return placement.wkt === undefined
    ? 'There is no way from the coordinate reference system of the raster to longitude and latitude; its bbox is in its own coordinates.'
    : undefined;
}
