import { randomUUID } from 'node:crypto';

/** Part of the names of files that would be written outside of their folder. */
export const slipName = `slip-${randomUUID()}`;

/** Targets of hostile files. Hostile files contain only paths to the targets, never their content. */
export interface Targets {
  /** A file outside of the folders of the service. */
  readonly canaryCsv: string;
  /** Stored file of another user's dataset, as GeoJSON and as COG. */
  readonly storedTable: string;
  readonly storedRaster: string;
  /** Addresses that may not be called, such as `http://127.0.0.1:4711`. */
  readonly urls: readonly string[];
  /** Absolute path of a file that the user of the service may change. */
  readonly program: string;
}

/** The targets that are known before the service starts. */
export type OuterTargets = Pick<Targets, 'canaryCsv' | 'urls'>;

/** End of an attack: the upload is refused, or its dataset has this status. */
export type End = 'refused' | 'failed' | 'ready' | 'awaiting_mapping';

export interface Attack {
  /** Describes what the file attempts. */
  readonly name: string;
  readonly fileType: 'raster' | 'vector' | 'vector_with_kato';
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer> | string;
  readonly end: End;
}

/** Defines attacks with files of one format. */
export const attacksBy =
  (format: string, fileType: Attack['fileType'], filename: string) =>
  (name: string, bytes: Attack['bytes'], end: End = 'ready'): Attack => ({
    name: `${format}: ${name}`,
    fileType,
    filename,
    bytes,
    end,
  });

/** Everything that GDAL would accept as the place of a table or vector file. */
export function vectorPlaces(targets: Targets): readonly string[] {
  const { canaryCsv, storedTable, urls } = targets;
  return [canaryCsv, storedTable, ...urls.flatMap((url) => networkPlaces(url, 'canary.csv'))];
}

/** Everything that GDAL would accept as the place of a raster. */
export function rasterPlaces({ storedRaster, urls }: Targets): readonly string[] {
  return [storedRaster, ...urls.flatMap((url) => networkPlaces(url, 'canary.tif'))];
}

function networkPlaces(url: string, file: string): readonly string[] {
  const host = url.replace('http://', '');
  return [
    `${url}/${file}`,
    `/vsicurl/${url}/${file}`,
    `/vsicurl_streaming/${url}/${file}`,
    `/vsicurl?url=${encodeURIComponent(`${url}/${file}`)}`,
    `/vsizip//vsicurl/${url}/a.zip/${file}`,
    `/vsizip/{/vsicurl/${url}/a.zip}/${file}`,
    `/vsis3/canary/${file}`,
    `/vsigs/canary/${file}`,
    `/vsiaz/canary/${file}`,
    `/vsioss/canary/${file}`,
    `/vsiswift/canary/${file}`,
    `/vsihdfs/hdfs://${host}/${file}`,
    `/vsiwebhdfs/${url}/webhdfs/v1/${file}`,
    `/vsisubfile/0_9,/vsicurl/${url}/${file}`,
    `HTTP:${url}/${file}`,
    `WFS:${url}/wfs`,
    `WMS:${url}/wms`,
    `ESRIJSON:${url}/query`,
    `<GDAL_WMS><Service name="TMS"><ServerUrl>${url}/</ServerUrl></Service><DataWindow/></GDAL_WMS>`,
    `<OGRWFSDataSource><URL>${url}/wfs</URL></OGRWFSDataSource>`,
    `<WCS_GDAL><ServiceURL>${url}/wcs?</ServiceURL><CoverageName>a</CoverageName></WCS_GDAL>`,
    `PG:host=${host.replace(':', ' port=')} dbname=canary`,
    `MYSQL:canary,host=${host.replace(':', ',port=')}`,
  ];
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A virtual vector file with one layer for each place. */
export function vectorVrt(places: readonly string[]): string {
  const layers = places.map(
    (place, index) =>
      `<OGRVRTLayer name="input${index || ''}"><SrcDataSource shared="0">${escapeXml(place)}</SrcDataSource><SrcLayer>canary</SrcLayer></OGRVRTLayer>`,
  );
  return `<OGRVRTDataSource>${layers.join('')}</OGRVRTDataSource>`;
}

/** A virtual raster of 2 by 2 pixels with one source for each place. */
export function rasterVrt(places: readonly string[]): string {
  const sources = places.map(
    (place) =>
      `<SimpleSource><SourceFilename>${escapeXml(place)}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>`,
  );
  return `<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Byte" band="1">${sources.join('')}</VRTRasterBand></VRTDataset>`;
}

/** A definition of a CRS that makes PROJ read a file for every point. */
export function systemWithGrid(place: string): string {
  return `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563],EXTENSION["PROJ4_GRIDS","${place}"]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],EXTENSION["PROJ4","+proj=longlat +ellps=WGS84 +nadgrids=${place} +geoidgrids=${place} +no_defs"]]`;
}
