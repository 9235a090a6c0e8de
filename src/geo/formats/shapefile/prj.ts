import gdal from 'gdal-async';
import { quietly } from '../../gdal/last-error.ts';

/**
 * Parses the coordinate reference system of a `.prj` that GDAL does not support: GDAL expects the WKT of Esri in UTF-8,
 * but programs also write WKT 2, a PROJ string or an EPSG code, sometimes in UTF-16.
 * @returns WKT; undefined for any other text, and for a system that is not on the earth.
 */
export function readPrj(bytes: Uint8Array): string | undefined {
  const text = decode(bytes).trim();
  const epsg = /^(?:urn:ogc:def:crs:)?EPSG:(?::|[\d.]+:)?(\d{4,6})$/i.exec(text)?.[1];
  const srs = quietly(() => {
    if (epsg !== undefined) return gdal.SpatialReference.fromEPSG(Number(epsg));
    if (text.startsWith('+')) return namesFile(text) ? undefined : gdal.SpatialReference.fromProj4(text);
    // GDAL translates Esri's names to those of EPSG; it supports WKT 2 directly.
    return isWkt2(text) ? gdal.SpatialReference.fromWKT(text) : gdal.SpatialReference.fromESRI([text]);
  });
  return srs !== undefined && (srs.isGeographic() || srs.isProjected()) ? srs.toWKT() : undefined;
}

/** References to grids, definitions and pipelines in other files are refused. `@null` means no grid. */
const namesFile = (text: string) =>
  /\+(?:(?:\w*grids?|init|file)\s*=\s*(?!@null\b)|proj\s*=\s*pipeline)/i.test(text);

const isWkt2 = (text: string) =>
  /^(?:GEOD|GEOG|PROJ|COMPOUND|BOUND|GEODETIC|PROJECTED|GEOGRAPHIC)(?:CRS)\s*[[(]/i.test(text);

/** By its byte-order mark, or else by its zeros: every second byte of a text in UTF-16. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
