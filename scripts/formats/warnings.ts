import type { WarningCode } from '../../src/geo/findings.ts';
import type { english } from '../../src/messages/areas.ts';

export type Area = keyof typeof english;
export type WarningArea = Extract<Area, `${string}_warning`>;

/** The code of a sentence that is a warning, such as `vector_warning.empty`. */
type WarningSentence = {
  readonly [Each in WarningArea]: `${Each}.${Extract<keyof (typeof english)[Each], string>}`;
}[WarningArea];

/** The sentences of each warning. */
export const warningSentences: Readonly<Record<WarningCode, readonly WarningSentence[]>> = {
  layers_left_out: ['geopackage_warning.layersLeftOut', 'raster_warning.otherImages'],
  files_left_out: ['vector_warning.filesLeftOut', 'geopackage_warning.logNotUsed'],
  crs_assumed: ['vector_warning.crsAssumed'],
  crs_member_ignored: ['vector_warning.crsMemberIgnored'],
  no_georeference: ['raster_warning.noGeotransform', 'raster_warning.noCrs', 'raster_warning.notOnEarth'],
  colours_converted: ['raster_warning.coloursConverted'],
  unusual_bits: ['raster_warning.unusualBits'],
  georeference_fitted: ['raster_warning.fitted'],
  property_repeated: ['vector_warning.repeated'],
  cog_differs: ['raster_warning.cogDiffers', 'raster_warning.zeroIsWhite'],
  encoding_guessed: ['shapefile_warning.encodingGuessed', 'shapefile_warning.encodingUnknown'],
  geometry_repaired: ['vector_warning.repaired'],
  geometry_lost: ['vector_warning.lost'],
  rows_without_shape: ['shapefile_warning.rowsWithoutShape'],
  rows_without_code: ['table_warning.rowsWithoutCode'],
  codes_without_district: ['table_warning.codesWithoutDistrict'],
  mixed_decimal_comma: ['table_warning.mixedCommas'],
  ambiguous_decimal_comma: ['table_warning.ambiguousCommas'],
  names_truncated: ['shapefile_warning.namesTruncated'],
  empty_layer: ['vector_warning.empty'],
  not_freshest: ['slot_warning.notFreshest'],
  axes_maybe_swapped: ['vector_warning.axesMaybeSwapped'],
  codes_repaired: ['table_warning.codesRepaired', 'table_warning.codesShortened'],
  columns_left_out: [
    'shapefile_warning.columnsLeftOut',
    'vector_warning.noTable',
    'geopackage_warning.geometryLeftOut',
  ],
  dates_impossible: ['shapefile_warning.datesImpossible'],
  datum_unknown: ['vector_warning.datumUnknown', 'raster_warning.datumUnknown'],
  encoding_overruled: ['shapefile_warning.encodingOverruled'],
  ids_left_out: ['geojson_warning.idsLeftOut', 'geojson_warning.wrongIds'],
  longitudes_turned: ['vector_warning.longitudesTurned'],
  nodata_suspected: ['raster_warning.noDataSuspected'],
  solids_flattened: ['vector_warning.flattened'],
  other_warnings: ['engine_warning.gdal', 'engine_warning.more'],
};
