import { accessProblems } from './access.ts';
import { categoryFaults, categoryProblems, groupProblems } from './catalogue.ts';
import { contentRemedies, contents } from './contents.ts';
import { datasetFaults, datasetProblems, mappingFaults, mappingProblems } from './datasets.ts';
import type { Translation } from './define.ts';
import { drawingProblems } from './drawing.ts';
import { engineProblems, engineWarnings } from './engine.ts';
import {
  featureFaults,
  featureProblems,
  geojsonProblems,
  geojsonWarnings,
  geometryProblems,
  jsonFileProblems,
} from './geojson.ts';
import {
  geopackageProblems,
  geopackageRemedies,
  geopackageWarnings,
  readingObjections,
  schemaProblems,
  sqliteProblems,
} from './geopackage.ts';
import { jobFailures } from './jobs.ts';
import { characters, expectedInJson, jsonFaults } from './json.ts';
import { landscapeProblems, overrideFaults, paramFaults, slotWarnings } from './landscape.ts';
import { legendPhrases } from './legend.ts';
import { otherJson } from './other-json.ts';
import { rasterProblems, rasterWarnings } from './raster.ts';
import {
  bodyProblems,
  fileProblems,
  partFaults,
  requestProblems,
  serverFaults,
  serviceProblems,
} from './request.ts';
import { shapefileProblems, shapefileRemedies, shapefileWarnings } from './shapefile.ts';
import { styleParts } from './style-parts.ts';
import { sldProblems } from './styles.ts';
import { tableProblems, tableWarnings } from './tables.ts';
import { tiffProblems } from './tiff.ts';
import { advice, fileFaults, metaFaults, uploadProblems } from './uploads.ts';
import { fieldFaults } from './validation.ts';
import { vectorTileProblems } from './vector-tiles.ts';
import { notOnEarth, vectorProblems, vectorWarnings } from './vector.ts';
import { archiveProblems, contentsProblems } from './zip.ts';

/** Every sentence that reaches a user of the service, by the area that begins its code. */
export const english = {
  access: accessProblems,
  advice,
  archive: archiveProblems,
  archive_contents: contentsProblems,
  body: bodyProblems,
  category: categoryProblems,
  category_fault: categoryFaults,
  character: characters,
  content: contents,
  content_remedy: contentRemedies,
  dataset: datasetProblems,
  dataset_fault: datasetFaults,
  drawing: drawingProblems,
  engine: engineProblems,
  engine_warning: engineWarnings,
  feature: featureProblems,
  feature_fault: featureFaults,
  field: fieldFaults,
  file: fileProblems,
  file_fault: fileFaults,
  geojson: geojsonProblems,
  geojson_warning: geojsonWarnings,
  geometry: geometryProblems,
  geopackage: geopackageProblems,
  geopackage_remedy: geopackageRemedies,
  geopackage_warning: geopackageWarnings,
  group: groupProblems,
  job: jobFailures,
  json: jsonFaults,
  json_expected: expectedInJson,
  json_file: jsonFileProblems,
  landscape: landscapeProblems,
  legend: legendPhrases,
  mapping: mappingProblems,
  mapping_fault: mappingFaults,
  meta: metaFaults,
  not_on_earth: notOnEarth,
  other_json: otherJson,
  override: overrideFaults,
  param: paramFaults,
  part: partFaults,
  raster: rasterProblems,
  raster_warning: rasterWarnings,
  reading: readingObjections,
  request: requestProblems,
  schema: schemaProblems,
  server: serverFaults,
  service: serviceProblems,
  shapefile: shapefileProblems,
  shapefile_remedy: shapefileRemedies,
  shapefile_warning: shapefileWarnings,
  sld: sldProblems,
  slot_warning: slotWarnings,
  sqlite: sqliteProblems,
  style_part: styleParts,
  table: tableProblems,
  table_warning: tableWarnings,
  tiff: tiffProblems,
  upload: uploadProblems,
  vector: vectorProblems,
  vector_tile: vectorTileProblems,
  vector_warning: vectorWarnings,
};

/** All of them in another language: one that is missing, or has other facts, is an error of types. */
export type AllSentences = { readonly [Area in keyof typeof english]: Translation<(typeof english)[Area]> };
/** Those of some areas. */
export type Sentences<Area extends keyof AllSentences> = Pick<AllSentences, Area>;
