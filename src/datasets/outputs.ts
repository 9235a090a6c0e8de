import { Problem } from '../common/errors.ts';
import { nextStepOf } from './next-step.ts';
import type { DatasetRow } from './schema.ts';

/**
 * The object key of a vector dataset's GeoJSON.
 * @throws {Problem} `invalid` for a raster, else `conflict` while the dataset is not ready.
 */
export function getGeoJsonKey(
  dataset: Pick<DatasetRow, 'file_type' | 'status' | 'geojson_storage_key'>,
): string {
  const { file_type: fileType, status, geojson_storage_key: key } = dataset;
  if (fileType === 'raster') throw new Problem('invalid', 'a raster has no GeoJSON');
  if (status !== 'ready' || key === null) {
    throw new Problem(
      'conflict',
      `the dataset is ${status}; its GeoJSON exists once it is ready${nextStepOf(status)}`,
    );
  }
  return key;
}

/**
 * The object key of a raster's COG.
 * @throws {Problem} `invalid` for another file type, else `conflict` while there is no COG.
 */
export function getCogKey(dataset: Pick<DatasetRow, 'file_type' | 'status' | 'cog_storage_key'>): string {
  const { file_type: fileType, status, cog_storage_key: key } = dataset;
  if (fileType !== 'raster') throw new Problem('invalid', 'only a raster has a COG');
  if (key === null || status === 'failed') {
    throw new Problem('conflict', `the raster is ${status}; its COG has not been made${nextStepOf(status)}`);
  }
  return key;
}
