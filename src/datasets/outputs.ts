import { z } from 'zod';
import { exampleFeature } from '../lib/examples.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { type DatasetFile, findFile, findForms } from './files.ts';
import type { DatasetRow } from './schema.ts';

const Feature = z
  .object({
    type: z.literal('Feature').describe('Always `Feature`'),
    geometry: z
      .looseObject({ type: z.string().describe('Type of the geometry, such as `MultiPolygon`') })
      .nullable()
      .describe('A GeoJSON geometry object'),
    properties: z.record(z.string(), z.unknown()).nullable().describe('Attributes by name'),
  })
  .meta({ id: 'Feature', description: 'A feature of RFC 7946', examples: [exampleFeature] });

/** The GeoJSON of a dataset (RFC 7946), for the API description; it is written as text, piece by piece. */
export const FeatureCollection = z
  .object({
    type: z.literal('FeatureCollection').describe('Always `FeatureCollection`'),
    features: z.array(Feature).describe('The features of a vector, or one for each unit of a table by KATO'),
  })
  .meta({
    id: 'FeatureCollection',
    description: 'The GeoJSON of a dataset (RFC 7946), in WGS 84 longitude and latitude',
    examples: [{ type: 'FeatureCollection', features: [exampleFeature] }],
  });

/** Keys of the objects of a GeoJSON. */
export interface GeoJsonObjects {
  readonly key: string;
  /** Null for files from before encoded forms. */
  readonly encodedKeys: Readonly<Record<'gzip' | 'br', string | null>>;
}

/** Returns the keys of a dataset's GeoJSON. @throws {Problem} `invalid` for a raster, or `conflict` before `ready`. */
export function getGeoJsonKeys(
  dataset: Pick<DatasetRow, 'file_type' | 'status' | 'kato_column' | 'files'>,
): GeoJsonObjects & Pick<DatasetFile, 'madeFrom'> {
  const { file_type: fileType, status, files } = dataset;
  const { key, ...others } = findForms(files, 'geojson');
  if (fileType === 'raster') throw datasetProblems.rasterForGeoJson();
  if (status !== 'ready' || key === null) throw datasetProblems.noGeoJsonYet(dataset);
  return { key, ...others };
}

/** Returns the key of a raster's COG. @throws {Problem} `invalid` for another type, or `conflict` without a COG. */
export function getCogKey(dataset: Pick<DatasetRow, 'file_type' | 'status' | 'files'>): string {
  const { file_type: fileType, status, files } = dataset;
  const key = findFile(files, 'cog');
  if (fileType !== 'raster') throw datasetProblems.notARaster();
  if (key === null || status === 'failed') throw datasetProblems.noCogYet(status);
  return key;
}
