import { open } from 'node:fs/promises';
import { Problem } from '../../../errors.ts';

/** Makes sure, by its first bytes and not by its name, that a file is text. @throws {Problem} */
export async function refuseOtherFormats(path: string): Promise<void> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  const head = buffer.toString('latin1', 0, bytesRead);
  const format = head.startsWith('PK\u0003\u0004')
    ? 'a zip archive'
    : head.startsWith('SQLite format 3\0')
      ? 'a GeoPackage'
      : undefined;
  if (format !== undefined) {
    throw new Problem(
      'invalid',
      `The file is ${format}, which can not be read yet; upload the layer as .geojson.`,
    );
  }
}
