import { signal } from '@preact/signals';
import { hrefOf } from '../address/address.ts';

const extensions = /\.(?:nc|nc4|cdf|grib|grib1|grib2|grb|grb1|grb2|h5|hdf5|he5|hdf|hdf4|h4|img|asc)$/i;

/** Files that wait to be sent by the page of source files. */
export const waitingSources = signal<readonly File[]>([]);

/** Returns true if rasters are made from a file, by its name; the service looks at its content. */
export function isSourceFile({ name }: Pick<File, 'name'>): boolean {
  return extensions.test(name);
}

/** Opens the page that sends such files. */
export function openSourceFiles(files: readonly File[]): void {
  waitingSources.value = [...waitingSources.peek(), ...files];
  location.hash = hrefOf(['source-files']);
}
