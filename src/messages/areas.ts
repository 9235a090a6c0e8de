import type { Translation } from './base/define.ts';
import * as comparison from './landscape/comparison.ts';
import * as contents from './contents.ts';
import * as datasets from './datasets.ts';
import * as dossier from './landscape/dossier.ts';
import * as drawing from './drawing.ts';
import * as explanation from './landscape/explanation.ts';
import * as exported from './exports.ts';
import * as features from './features.ts';
import * as events from './events.ts';
import * as limits from './landscape/limits.ts';
import * as hectares from './hectares.ts';
import * as inputs from './landscape/inputs.ts';
import * as metadata from './metadata.ts';
import * as packages from './packages.ts';
import * as polygons from './landscape/polygons.ts';
import * as raster from './raster.ts';
import * as report from './report.ts';
import * as request from './request.ts';
import * as runs from './landscape/runs.ts';
import * as sheets from './sheets.ts';
import * as standards from './standards.ts';
import * as tables from './tables.ts';
import * as vector from './vector.ts';
import * as zonal from './zonal.ts';
import * as watch from './landscape/watch.ts';
import * as zoning from './landscape/zoning.ts';

/** Every sentence for users, by the area that prefixes its code. */
export const english = {
  access: request.accessProblems,
  advice: request.advice,
  area_word: hectares.areaWords,
  archive: packages.archiveProblems,
  archive_contents: packages.contentsProblems,
  body: request.bodyProblems,
  cadence: watch.cadenceProblems,
  cadence_fault: watch.cadenceFaults,
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
  denominator: tables.denominatorPhrases,
  dossier: dossier.dossierProblems,
  drawing: drawing.drawingProblems,
  engine: raster.engineProblems,
  engine_warning: raster.engineWarnings,
  explanation: explanation.explanationProblems,
  export: exported.exportProblems,
  feature: vector.featureProblems,
  feature_fault: vector.featureFaults,
  field: request.fieldFaults,
  file: request.fileProblems,
  file_fault: request.fileFaults,
  feature_door: features.featureSentences,
  filter: standards.filterFaults,
  flatgeobuf: features.flatGeobufProblems,
  geojson: vector.geojsonProblems,
  geojson_warning: vector.geojsonWarnings,
  geometry: vector.geometryProblems,
  geopackage: packages.geopackageProblems,
  geopackage_out: features.geopackageOutProblems,
  geopackage_remedy: packages.geopackageRemedies,
  geopackage_warning: packages.geopackageWarnings,
  group: datasets.groupProblems,
  event: events.eventProblems,
  event_fault: events.eventFaults,
  hectares: hectares.areaProblems,
  input_finding: inputs.inputFindings,
  job: raster.jobFailures,
  json: vector.jsonFaults,
  json_expected: vector.expectedInJson,
  json_file: vector.jsonFileProblems,
  key: request.keyProblems,
  key_fault: request.keyFaults,
  landscape: runs.landscapeProblems,
  legend: drawing.legendPhrases,
  limit_map: limits.limitPhrases,
  limitation: limits.limitationTitles,
  limits: limits.limitProblems,
  mapping: datasets.mappingProblems,
  mapping_fault: datasets.mappingFaults,
  meta: request.metaFaults,
  metadata: metadata.metadataPhrases,
  not_on_earth: vector.notOnEarth,
  other_json: contents.otherJson,
  override: runs.overrideFaults,
  param: runs.paramFaults,
  part: request.partFaults,
  pending: hectares.pendingPhrases,
  polygon_name: polygons.polygonPhrases,
  polygons: polygons.polygonProblems,
  raster: raster.rasterProblems,
  raster_warning: raster.rasterWarnings,
  reading: packages.readingObjections,
  record: runs.recordProblems,
  report: report.reportWords,
  request: request.requestProblems,
  run_fault: runs.runFaults,
  schema: packages.schemaProblems,
  server: request.serverFaults,
  service: request.serviceProblems,
  shapefile: vector.shapefileProblems,
  shapefile_remedy: vector.shapefileRemedies,
  shapefile_warning: vector.shapefileWarnings,
  sheet: sheets.sheetProblems,
  sheet_word: sheets.sheetWords,
  sld: drawing.sldProblems,
  slot_warning: runs.slotWarnings,
  sqlite: packages.sqliteProblems,
  standard: standards.standardFaults,
  style_part: drawing.styleParts,
  table: datasets.tableProblems,
  table_out: tables.tableOutProblems,
  table_warning: tables.tableWarnings,
  table_word: tables.tableWords,
  tiff: raster.tiffProblems,
  upload: request.uploadProblems,
  vector: vector.vectorProblems,
  webhook: events.webhookProblems,
  webhook_fault: events.webhookFaults,
  vector_tile: drawing.vectorTileProblems,
  vector_warning: vector.vectorWarnings,
  zonal: zonal.zonalProblems,
  zonal_phrase: zonal.zonalPhrases,
  zonal_word: zonal.zonalWords,
  watch: watch.watchPhrases,
  watch_fault: watch.watchFaults,
  zoning: zoning.zoningWords,
};

/** All sentences in another language; a missing sentence, or one with other facts, is a type error. */
export type AllSentences = { readonly [Area in keyof typeof english]: Translation<(typeof english)[Area]> };
