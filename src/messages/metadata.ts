import { sentences } from './base/define.ts';

/** Gaps of a metadata record, and its standard words. */
export const metadataPhrases = sentences('metadata', {
  noAbstract: 'The dataset has no description. Add one: it becomes the abstract of the record.',
  noOrganisation:
    'No organisation is responsible for the data. Name it here, or for all datasets with METADATA_ORGANISATION.',
  noEmail: 'There is no e-mail address for questions. Add it here, or for all datasets with METADATA_EMAIL.',
  noLicence:
    'The conditions of use are not stated. Add a licence here, or for all datasets with METADATA_LICENCE.',
  noTopic: 'No topic of ISO 19115 is chosen.',
  noLineage: 'The origin of the data is not stated.',
  noExtent:
    'The position on the earth is not known: the dataset is not ready, or its file has no georeference.',
  noReferenceSystem:
    'The reference system is not known: the dataset is not ready, or its file names none. Upload a file with a reference system.',
  noPeriod: 'The period that the data describe is not stated.',
  noResolution: 'The scale is not stated.',
  noKeywords: 'There are no keywords.',
  lineageOfRun: (title: string, node: string, run: string) =>
    `${title}: computed by node ${node} of the Landscape Program in run ${run}, from the sources below.`,
  unit: (unit: string) => `Unit of the values: ${unit}`,
  original: 'Original file',
  cog: 'Cloud-Optimized GeoTIFF',
  tiles: 'Map tiles in the colours of the style',
  geojson: 'GeoJSON',
  flatGeobuf: 'FlatGeobuf: each feature with its attributes',
  geoPackage: 'GeoPackage for QGIS, with its style',
  geoParquet: 'GeoParquet',
  csv: 'Table as CSV',
  workbook: 'Table as a workbook',
  page: 'The dataset',
  catalogue: 'Datasets of Steppe',
  catalogueText: 'Geodata: rasters, vectors and tables by KATO, and zonings computed from them.',
  unknownOrganisation: 'not stated',
});
