import { z } from 'zod';

/** The reference system that a file's old `crs` member asks for. `unknown` is any that is not honoured. */
export type CrsMember =
  | { readonly kind: 'wgs84' | 'unknown' }
  | { readonly kind: 'epsg'; readonly code: number };

const NamedCrs = z.object({ type: z.literal('name'), properties: z.object({ name: z.string() }) });

const epsgName = /^(?:EPSG:|urn:ogc:def:crs:EPSG:[^:]{0,16}:)(\d{1,6})$/i;
const crs84Name = /^(?:OGC:|urn:ogc:def:crs:OGC:[^:]{0,16}:)?CRS84$/i;

/**
 * Understands the `crs` member of the old GeoJSON: names of EPSG numbers and CRS84. Links, URLs and every other name
 * are unknown; nothing of the member goes any further than the number.
 */
export function readCrsMember(text: Buffer | undefined): CrsMember {
  if (text === undefined) return { kind: 'wgs84' };
  const member: unknown = JSON.parse(text.toString());
  if (member === null) return { kind: 'wgs84' };
  const named = NamedCrs.safeParse(member);
  if (!named.success) return { kind: 'unknown' };
  const { name } = named.data.properties;
  if (crs84Name.test(name)) return { kind: 'wgs84' };
  const code = Number(epsgName.exec(name)?.[1]);
  if (Number.isNaN(code)) return { kind: 'unknown' };
  return code === 4326 ? { kind: 'wgs84' } : { kind: 'epsg', code };
}
