import type { Entry } from 'yauzl';
import { readablePath } from '../../../common/readable.ts';
import { nameOf, refused } from './structure.ts';

const readableMethods: readonly number[] = [0, 8];

/** Methods that programs in use offer beside Deflate, by their numbers in the format. */
const names: ReadonlyMap<number, string> = new Map([
  [1, 'Shrink'],
  [6, 'Implode'],
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [95, 'XZ'],
  [98, 'PPMd'],
]);

/** @throws {Problem} when a file is packed by a method that is not read here. */
export function checkMethod(entry: Entry): void {
  const { compressionMethod: method } = entry;
  if (readableMethods.includes(method)) return;
  const name = names.get(method) ?? `number ${method}`;
  throw refused(
    `"${readablePath(nameOf(entry))}" in it is packed by the method ${name}, which is not read here. Pack it by Deflate, the usual method of .zip files,`,
  );
}
