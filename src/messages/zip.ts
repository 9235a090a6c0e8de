import { listed, readablePath } from '../common/readable.ts';
import { invalid, sentences } from './define.ts';

const unusable = (why: string) => `The archive cannot be used: ${why} and upload it again.`;
const aboutFile = (name: string, what: string) => unusable(`"${readablePath(name)}" in it ${what}`);
const namesOf = (paths: readonly string[]) => listed(paths.map(readablePath));

/** Faults of an archive as such. */
export const archiveProblems = sentences('archive', {
  damaged: invalid(() => unusable('it is damaged or cut short. Pack its files anew')),
  encrypted: invalid(() => unusable('it is encrypted. Pack it without a password')),
  tooManyFiles: invalid((most: number) =>
    unusable(`it holds more than ${most} files. Pack only the files of one layer`),
  ),
  tooLarge: invalid((mostGiB: number) =>
    unusable(`it says that its files are larger than ${mostGiB} GiB together. Pack fewer or smaller ones`),
  ),
  overlapping: invalid(() => unusable('files in it overlap. Pack it again')),
  encryptedFile: invalid((name: string) => aboutFile(name, 'is encrypted. Pack it without a password')),
  link: invalid((name: string) => aboutFile(name, 'is a symbolic link. Pack the file itself')),
  tooTight: invalid((name: string, most: number) =>
    aboutFile(name, `would grow more than ${most} times when unpacked. Pack real data`),
  ),
  largerThanSaid: invalid((name: string) =>
    aboutFile(name, 'is larger than its list of files says. Pack it anew'),
  ),
  unknownMethod: invalid((name: string, method: string) =>
    aboutFile(
      name,
      `is packed by the method ${method}, which is not read here. Pack it by Deflate, the usual method of .zip files,`,
    ),
  ),
});

/** Faults of the layers in an archive. */
export const contentsProblems = sentences('archive_contents', {
  twins: invalid(
    (name: string) =>
      `The archive holds two files with the same name: ${readablePath(name)}. Pack it anew with one of them, and upload it again.`,
  ),
  several: invalid(
    (what: string, names: readonly string[]) =>
      `The archive holds several ${what}: ${namesOf(names)}. Upload each layer in a .zip of its own.`,
  ),
  /** `seen` are the files that are not hidden. */
  noLayer: invalid(
    (seen: readonly string[], isEmpty: boolean, remedy: keyof typeof remedies) =>
      `The archive holds ${seen.length > 0 ? `no .shp, .geojson or .gpkg file, only ${namesOf(seen)}` : isEmpty ? 'no files' : 'only hidden files'}. ${remedies[remedy]}`,
  ),
  oversizedPrj: invalid(
    (mostMiB: number) =>
      `The .prj file in the archive is larger than ${mostMiB} MiB, which no coordinate reference system is. Put the right one into the archive and upload it again.`,
  ),
});

const remedies = {
  unpackInner: 'Unpack the archive inside it and upload that.',
  uploadRaster: 'Upload the .tif file itself, as a dataset of the file type raster.',
  packShapefile:
    'Pack all files of one shapefile (.shp, .shx, .dbf, .prj) into the .zip and upload it again.',
};
