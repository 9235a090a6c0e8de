/** Numbers of the kinds of geometry in well-known binary. */
export const kinds = {
  point: 1,
  line: 2,
  polygon: 3,
  multiPoint: 4,
  multiLine: 5,
  multiPolygon: 6,
  collection: 7,
  circularString: 8,
  compoundCurve: 9,
  curvePolygon: 10,
  multiCurve: 11,
  multiSurface: 12,
  polyhedralSurface: 15,
  tin: 16,
  triangle: 17,
} as const;

/** ISO's numbers for the kinds repeat in steps of this: without more, with Z, with M, with both. */
const dimensionStep = 1000;
/** Marks of the older numbers, before ISO's: heights and measures. */
const [oldHeight, oldMeasure] = [0x8000_0000, 0x4000_0000];
const ordinateBytes = 8;

/** By kind; `Unknown` is that of a layer that says nothing. */
const kindNames =
  `Unknown Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection CircularString
   CompoundCurve CurvePolygon MultiCurve MultiSurface Curve Surface PolyhedralSurface TIN Triangle`.split(
    /\s+/,
  );

/** Names the kind of an ISO number, or of an older one with marks for heights and measures. */
export function kindName(kind: number): string {
  return kindNames[(kind & 0xffff) % dimensionStep] ?? 'Unknown';
}

/** Reads the number of a kind: ISO's, or an older one; and how many bytes of each position are heights and measures. */
export function readWkbType(number: number): { readonly kind: number; readonly skippedBytes: number } {
  const iso = number % oldMeasure;
  const dimensions = Math.floor(iso / dimensionStep);
  const hasHeight = dimensions === 1 || dimensions === 3 || number >= oldHeight;
  const hasMeasure = dimensions === 2 || dimensions === 3 || (number & oldMeasure) !== 0;
  const skippedBytes = (hasHeight ? ordinateBytes : 0) + (hasMeasure ? ordinateBytes : 0);
  return { kind: dimensions > 3 ? -1 : iso % dimensionStep, skippedBytes };
}
