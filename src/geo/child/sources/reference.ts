import gdal from 'gdal-async';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { quietly } from '../../gdal/last-error.ts';

/** Reads a CRS: a code of EPSG, a text for PROJ, or WKT. @throws {Problem} for one that PROJ does not know. */
export function referenceOf(crs: string): gdal.SpatialReference {
  const code = /^EPSG:(\d+)$/.exec(crs)?.[1];
  const reference = quietly(() => {
    if (code !== undefined) return gdal.SpatialReference.fromEPSG(Number(code));
    return crs.startsWith('+') ? gdal.SpatialReference.fromProj4(crs) : gdal.SpatialReference.fromWKT(crs);
  });
  if (reference === undefined) throw sourceProblems.projection(crs);
  return reference;
}

/** Reads the text of a `.prj` file, in WKT of Esri or in lines of a name and a value; undefined for another text. */
export function referenceOfPrj(text: string): gdal.SpatialReference | undefined {
  return quietly(() => gdal.SpatialReference.fromESRI(text.split(/\r?\n|\r/)));
}

/** Compares two systems, of which either may be missing. */
export function isSameReference(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return referenceOf(one).isSame(referenceOf(other));
}
