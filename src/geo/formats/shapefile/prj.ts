import gdal from 'gdal-async';
import { quietly } from '../../gdal/last-error.ts';

/**
 * Reads the coordinate reference system of a `.prj` that GDAL does not understand: GDAL wants the WKT of Esri in UTF-8, while programs write
 * WKT 2, a PROJ string or an EPSG number as well, and some of them UTF-16.
 * @returns WKT; undefined where it is none of these, or no system of places on the earth.
 */
export function readPrj(bytes: Uint8Array): string | undefined {
  const text = decode(bytes).trim();
  const epsg = /^(?:urn:ogc:def:crs:)?EPSG:(?::|[\d.]+:)?(\d{4,6})$/i.exec(text)?.[1];
  const srs = quietly(() => {
    if (epsg !== undefined) return gdal.SpatialReference.fromEPSG(Number(epsg));
    if (text.startsWith('+')) return namesFile(text) ? undefined : gdal.SpatialReference.fromProj4(text);
    // Of Esri's words GDAL makes those of the EPSG; WKT 2 it knows as it is.
    return isWkt2(text) ? gdal.SpatialReference.fromWKT(text) : gdal.SpatialReference.fromESRI([text]);
  });
  return srs !== undefined && (srs.isGeographic() || srs.isProjected()) ? srs.toWKT() : undefined;
}

/** Grids, definitions and pipelines of other files are not looked for. `@null` is the word for no grid. */
const namesFile = (text: string) =>
  /\+(?:(?:\w*grids?|init|file)\s*=\s*(?!@null\b)|proj\s*=\s*pipeline)/i.test(text);

const isWkt2 = (text: string) =>
  /^(?:GEOD|GEOG|PROJ|COMPOUND|BOUND|GEODETIC|PROJECTED|GEOGRAPHIC)(?:CRS)\s*[[(]/i.test(text);

/** By its byte-order mark, else by its zeros: every second byte of a text in UTF-16 is one. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
