import { readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';

export type SurveyType = 'raster' | 'vector' | 'vector_with_kato' | 'style';

/** A file to be uploaded as one of the types that its extension allows. */
export interface SurveyItem {
  readonly path: string;
  /** The path within the folder. */
  readonly name: string;
  readonly type: SurveyType;
}

const vectors = ['vector', 'vector_with_kato'] as const;
const typesByExtension: Readonly<Record<string, readonly SurveyType[]>> = {
  '.tif': ['raster'],
  '.tiff': ['raster'],
  '.geojson': vectors,
  '.gpkg': vectors,
  '.zip': vectors,
  '.sld': ['style'],
};

export const uploadableExtensions: readonly string[] = Object.keys(typesByExtension);

/** Lists the files of a folder and its subfolders that can be uploaded, ordered by name, and counts the others. */
export async function listItems(
  folder: string,
): Promise<{ readonly items: readonly SurveyItem[]; readonly leftOut: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  let leftOut = 0;
  const items = paths.toSorted().flatMap((path) => {
    const extension = extname(path).toLowerCase();
    const types = Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
    if (types === undefined) leftOut += 1;
    return (types ?? []).map((type) => ({ path, name: relative(folder, path), type }));
  });
  return { items, leftOut };
}
