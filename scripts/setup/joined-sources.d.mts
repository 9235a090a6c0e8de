/** Replaces the sources of a copy of gdal-async by `count` files of equal weight that include them. */
export function joinSources(folder: string, count: number): void;
