import gdal from 'gdal-async';
import { refuseOtherFilesOfHdf4, refuseOtherFilesOfHdf5 } from '../../formats/hdf/other-files.ts';
import type { ArrayFile, AttributeValue, FileArray } from '../../formats/array-file.ts';
import { quietly } from '../../gdal/last-error.ts';
import { openHdfArrays } from './hdf-arrays.ts';

/** Opens an HDF5 file, also one of NetCDF-4. @throws {Problem} also if it takes values from other files. */
export async function openHdf5(path: string): Promise<ArrayFile> {
  await refuseOtherFilesOfHdf5(path);
  const listing = quietly(() => gdal.open(path));
  const metadata = metadataOf(listing);
  const images = new Map<string, string>();
  for (const [name, text] of Object.entries(metadataOf(listing, 'SUBDATASETS'))) {
    // For example HDF5:"/tmp/input.h5"://group/name
    const image = name.endsWith('_NAME') ? /^HDF5:".*":\/(\/.*)$/s.exec(text)?.[1] : undefined;
    if (image !== undefined)
      images.set(image, metadataOf(listing, 'SUBDATASETS')[name.replace(/_NAME$/, '_DESC')] ?? '');
  }
  listing?.close();
  const key = (name: string): string => name.replace(/^\//, '').replaceAll(/[/ ]/g, '_');
  // Variables without an image are listed by their attributes.
  const scalars = Object.keys(metadata).flatMap((name) => /^(.+)_grid_mapping_name$/.exec(name)?.[1] ?? []);
  const unlisted = [...images.keys(), ...scalars.map((name) => `/${name}`)];
  const file = openHdfArrays(path, (array, attribute) => metadata[`${key(array)}_${attribute}`], unlisted);
  const isByte = ({ path: own }: FileArray): boolean =>
    images.get(own)?.includes('(8-bit character)') === true;
  const originals = new Map<FileArray, FileArray>();
  for (const array of file.arrays) originals.set(isByte(array) ? { ...array, type: 'Int8' } : array, array);
  return {
    ...file,
    arrays: [...originals.keys()],
    read: async (array, origin, span) => await file.read(originals.get(array) ?? array, origin, span),
  };
}

function metadataOf(dataset: gdal.Dataset | undefined, domain?: string): Readonly<Record<string, string>> {
  const read = dataset && quietly((): unknown => dataset.getMetadata(domain));
  if (typeof read !== 'object' || read === null) return {};
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)]));
}

/** Opens an HDF4 file, also one of HDF-EOS. @throws {Problem} also if it takes values from other files. */
export async function openHdf4(path: string): Promise<ArrayFile> {
  await refuseOtherFilesOfHdf4(path);
  const file = openHdfArrays(path, (array, attribute) => readListOfHdf4(path, array, attribute), []);
  const originals = new Map<FileArray, FileArray>();
  for (const array of file.arrays) originals.set({ ...array, attributes: calibrated(array) }, array);
  return {
    ...file,
    arrays: [...originals.keys()],
    read: async (array, origin, span) => await file.read(originals.get(array) ?? array, origin, span),
  };
}

/** Reads an attribute with several numbers from the image of a grid of HDF-EOS. */
function readListOfHdf4(path: string, array: string, attribute: string): string | undefined {
  const [, grid, field] = /^\/eos_grids\/([^/]+)\/Data Fields\/(.+)$/.exec(array) ?? [];
  const name = grid === undefined ? undefined : `HDF4_EOS:EOS_GRID:"${path}":"${grid}":"${field}"`;
  const image = name === undefined ? undefined : quietly(() => gdal.open(name));
  const text = metadataOf(image)[attribute];
  image?.close();
  return text;
}

const leastDivisor = 10;

/**
 * Attributes by the CF conventions. The calibration of HDF4 subtracts its offset before it scales. Vegetation indices of MODIS state the
 * divisor, such as 10000, as the scale.
 */
function calibrated(array: FileArray): ReadonlyMap<string, AttributeValue> {
  const attributes = new Map(array.attributes);
  const [scale, offset] = ['scale_factor', 'add_offset'].map((name) => {
    const value = attributes.get(name);
    return typeof value === 'object' ? value[0] : undefined;
  });
  if (scale === undefined) return attributes;
  const isDivisor =
    scale >= leastDivisor && Number.isInteger(Math.log10(scale)) && !array.type.startsWith('Float');
  const factor = isDivisor ? 1 / scale : scale;
  attributes.set('scale_factor', [factor]);
  if (offset !== undefined && offset !== 0) attributes.set('add_offset', [-offset * factor]);
  return attributes;
}
