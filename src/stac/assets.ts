import type { ItemRow, StoredFile } from './item-rows.ts';

interface Asset {
  readonly href: string;
  readonly type: string;
  readonly title: string;
  readonly roles: string[];
  readonly [member: string]: unknown;
}

const cogType = 'image/tiff; application=geotiff; profile=cloud-optimized';
const sldType = 'application/vnd.ogc.sld+xml';

/** Returns the size and the digest of a stored file for the file extension. */
function fileFacts(files: readonly StoredFile[], kind: string) {
  const { size = null, sha256 = null } = files.find((each) => each.kind === kind) ?? {};
  return {
    ...(size === null ? {} : { 'file:size': size }),
    ...(sha256 === null ? {} : { 'file:checksum': `1220${sha256}` }),
  };
}

/** The assets with the single features of a dataset, if it has a FlatGeobuf. */
function featureAssets({ files }: Pick<ItemRow, 'files'>, address: string): Readonly<Record<string, Asset>> {
  if (!files.some(({ kind }) => kind === 'fgb')) return {};
  return {
    fgb: {
      href: `${address}.fgb`,
      type: 'application/flatgeobuf',
      title: 'Single features as FlatGeobuf',
      roles: ['data'],
      ...fileFacts(files, 'fgb'),
    },
    gpkg: {
      href: `${address}.gpkg`,
      type: 'application/geopackage+sqlite3',
      title: 'Single features with their style as GeoPackage',
      roles: ['data'],
    },
  };
}

/** Returns whether a dataset can be drawn; a raster must be prepared first. */
export function isDrawable({ fileType, viewState }: Pick<ItemRow, 'fileType' | 'viewState'>): boolean {
  return fileType !== 'raster' || viewState === 'made';
}

/**
 * Returns the assets of a dataset.
 * @param address of the dataset, without a trailing slash.
 * @param pixels properties of the pixels of a raster
 */
export function assetsOf(
  row: ItemRow,
  address: string,
  pixels: object | undefined,
): Readonly<Record<string, Asset>> {
  const { files, fileType, styleKey } = row;
  return {
    ...(fileType === 'raster' ? rasterAssets(row, address, pixels) : vectorAssets(row, address)),
    ...featureAssets(row, address),
    original: {
      href: `${address}/download`,
      type: row.contentType,
      title: 'The file as it was uploaded',
      roles: ['source'],
      ...fileFacts(files, 'original'),
    },
    ...(styleKey === null
      ? {}
      : {
          style: {
            href: `${address}/sld`,
            type: sldType,
            title: 'Style as SLD',
            roles: ['metadata', 'style'],
          },
        }),
    ...(isDrawable(row)
      ? {
          legend: {
            href: `${address}/legend.png`,
            type: 'image/png',
            title: 'Legend',
            roles: ['legend', 'metadata'],
          },
          thumbnail: {
            href: `${address}/thumbnail.png`,
            type: 'image/png',
            title: 'Picture of all of it',
            roles: ['thumbnail'],
          },
        }
      : {}),
  };
}

function rasterAssets(
  { files }: ItemRow,
  address: string,
  pixels: object | undefined,
): Readonly<Record<string, Asset>> {
  return {
    data: {
      href: `${address}.cog`,
      type: cogType,
      title: 'Cloud-Optimized GeoTIFF',
      roles: ['data'],
      ...fileFacts(files, 'cog'),
      ...pixels,
    },
  };
}

function vectorAssets({ files, fileType }: ItemRow, address: string): Readonly<Record<string, Asset>> {
  return {
    geojson: {
      href: `${address}.geojson`,
      type: 'application/geo+json',
      title:
        fileType === 'vector' ? 'All of it as one feature of GeoJSON' : 'Units with their values as GeoJSON',
      roles: ['data'],
      ...fileFacts(files, 'geojson'),
    },
    ...(fileType === 'vector'
      ? {}
      : {
          observations: {
            href: `${address}/observations.csv`,
            type: 'text/csv',
            title: 'Values by unit and period as CSV',
            roles: ['data'],
          },
        }),
  };
}
