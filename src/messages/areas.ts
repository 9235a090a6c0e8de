import type { Translation } from './define.ts';
import * as comparison from './comparison.ts';
import * as contents from './contents.ts';
import * as datasets from './datasets.ts';
import * as drawing from './drawing.ts';
import * as explanation from './explanation.ts';
import * as limits from './limits.ts';
import * as hectares from './hectares.ts';
import * as packages from './packages.ts';
import * as raster from './raster.ts';
import * as request from './request.ts';
import * as vector from './vector.ts';
import * as zoning from './zoning.ts';

/** Every sentence that reaches a user of the service, by the area that begins its code. */
export const english = {
  access: request.accessProblems,
  advice: request.advice,
  area_word: hectares.areaWords,
  archive: packages.archiveProblems,
  archive_contents: packages.contentsProblems,
  body: request.bodyProblems,
  category: datasets.categoryProblems,
  category_fault: datasets.categoryFaults,
  character: vector.characters,
  condition: limits.conditionFaults,
  comparison: comparison.comparisonProblems,
  comparison_phrase: comparison.comparisonPhrases,
  content: contents.contents,
  content_remedy: contents.contentRemedies,
  dataset: datasets.datasetProblems,
  dataset_fault: datasets.datasetFaults,
  drawing: drawing.drawingProblems,
  engine: raster.engineProblems,
  engine_warning: raster.engineWarnings,
  explanation: explanation.explanationProblems,
  feature: vector.featureProblems,
  feature_fault: vector.featureFaults,
  field: request.fieldFaults,
  file: request.fileProblems,
  file_fault: request.fileFaults,
  geojson: vector.geojsonProblems,
  geojson_warning: vector.geojsonWarnings,
  geometry: vector.geometryProblems,
  geopackage: packages.geopackageProblems,
  geopackage_remedy: packages.geopackageRemedies,
  geopackage_warning: packages.geopackageWarnings,
  group: datasets.groupProblems,
  hectares: hectares.areaProblems,
  job: raster.jobFailures,
  json: vector.jsonFaults,
  json_expected: vector.expectedInJson,
  json_file: vector.jsonFileProblems,
  landscape: datasets.landscapeProblems,
  legend: drawing.legendPhrases,
  limit_map: limits.limitPhrases,
  limitation: limits.limitationTitles,
  limits: limits.limitProblems,
  mapping: datasets.mappingProblems,
  mapping_fault: datasets.mappingFaults,
  meta: request.metaFaults,
  not_on_earth: vector.notOnEarth,
  other_json: contents.otherJson,
  override: datasets.overrideFaults,
  param: datasets.paramFaults,
  part: request.partFaults,
  pending: hectares.pendingPhrases,
  raster: raster.rasterProblems,
  raster_warning: raster.rasterWarnings,
  reading: packages.readingObjections,
  record: datasets.recordProblems,
  request: request.requestProblems,
  run_fault: datasets.runFaults,
  schema: packages.schemaProblems,
  server: request.serverFaults,
  service: request.serviceProblems,
  shapefile: vector.shapefileProblems,
  shapefile_remedy: vector.shapefileRemedies,
  shapefile_warning: vector.shapefileWarnings,
  sld: drawing.sldProblems,
  slot_warning: datasets.slotWarnings,
  sqlite: packages.sqliteProblems,
  style_part: drawing.styleParts,
  table: datasets.tableProblems,
  table_warning: datasets.tableWarnings,
  tiff: raster.tiffProblems,
  upload: request.uploadProblems,
  vector: vector.vectorProblems,
  vector_tile: drawing.vectorTileProblems,
  vector_warning: vector.vectorWarnings,
  zoning: zoning.zoningWords,
};

/** All of them in another language: one that is missing, or has other facts, is an error of types. */
export type AllSentences = { readonly [Area in keyof typeof english]: Translation<(typeof english)[Area]> };
