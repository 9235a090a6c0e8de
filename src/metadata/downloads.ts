import type { Message } from '../lib/message.ts';
import { metadataPhrases as phrases } from '../messages/standards/english.ts';
import type { RecordFacts } from './facts.ts';

const file = { protocol: 'WWW:DOWNLOAD-1.0-http--download', role: 'download' } as const;

/** One format in which a dataset can be downloaded. */
export interface Download {
  /** The path, relative to the address of the service. */
  readonly path: string;
  readonly format: string;
  readonly mediaType: string;
  readonly name: Message;
  /** The protocol, by the names that GeoNetwork and QGIS know. */
  readonly protocol: string;
  readonly role: 'download' | 'information';
}

/**
 * Lists the available downloads of a dataset: only the original until it is ready.
 * @param hasFeatures true if the single features of a vector were written
 */
export function downloadsOf(
  { id, file_type: type, status }: Pick<RecordFacts['dataset'], 'id' | 'file_type' | 'status'>,
  hasFeatures: boolean,
): readonly Download[] {
  const at = `/datasets/${id}`;
  const bytes = 'application/octet-stream';
  const original = {
    path: `${at}/download`,
    format: 'original',
    mediaType: bytes,
    name: phrases.original,
    ...file,
  };
  if (status !== 'ready') return [original];
  const geojson = {
    path: `${at}.geojson`,
    format: 'GeoJSON',
    mediaType: 'application/geo+json',
    name: phrases.geojson,
    ...file,
  };
  const geoParquet = {
    path: `${at}.parquet`,
    format: 'GeoParquet',
    mediaType: 'application/vnd.apache.parquet',
    name: phrases.geoParquet,
    ...file,
  };
  if (type === 'vector') {
    const flatGeobuf = {
      path: `${at}.fgb`,
      format: 'FlatGeobuf',
      mediaType: 'application/flatgeobuf',
      name: phrases.flatGeobuf,
      ...file,
    };
    const geoPackage = {
      path: `${at}.gpkg`,
      format: 'GeoPackage',
      mediaType: 'application/geopackage+sqlite3',
      name: phrases.geoPackage,
      ...file,
    };
    return hasFeatures ? [geoPackage, flatGeobuf, geoParquet, geojson, original] : [geojson, original];
  }
  if (type === 'raster') {
    const cog = { path: `${at}.cog`, format: 'GeoTIFF', mediaType: 'image/tiff', name: phrases.cog, ...file };
    const wmts = { path: `${at}/wmts`, format: 'WMTS', mediaType: 'application/xml', name: phrases.tiles };
    return [cog, { ...wmts, protocol: 'OGC:WMTS', role: 'information' }, original];
  }
  const csv = {
    path: `${at}/observations.csv`,
    format: 'CSV',
    mediaType: 'text/csv',
    name: phrases.csv,
    ...file,
  };
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const workbook = {
    path: `${at}/observations.xlsx`,
    format: 'XLSX',
    mediaType: sheet,
    name: phrases.workbook,
    ...file,
  };
  return [geojson, csv, workbook, geoParquet, original];
}
