/** The reason why a file cannot be counted, found before it is sent. */
export type Wrong =
  | { readonly kind: 'empty' | 'large' | 'notJson' | 'notGeoJson' | 'none' }
  | { readonly kind: 'many'; readonly count: number };

/** Polygons that can be counted, with their names; undefined for one without a name. */
export interface OwnPolygons {
  readonly geojson: unknown;
  readonly names: readonly (string | undefined)[];
}

export const maxBytes = 5_000_000;
const maxFeatures = 1000;
const nameKeys = ['name', 'title', 'label', 'cadastral_no', 'cadastre', 'id'];

/** Reads a file of polygons, and finds the faults that can be reported at once; the service checks the rest. */
export async function readPolygons(file: Pick<File, 'size' | 'text'>): Promise<OwnPolygons | Wrong> {
  if (file.size === 0) return { kind: 'empty' };
  if (file.size > maxBytes) return { kind: 'large' };
  let geojson: unknown;
  try {
    geojson = JSON.parse(await file.text());
  } catch {
    return { kind: 'notJson' };
  }
  const features = featuresOf(geojson);
  if (features === undefined) return { kind: 'notGeoJson' };
  if (features.length > maxFeatures) return { kind: 'many', count: features.length };
  if (!features.some(isArea)) return { kind: 'none' };
  return { geojson: { type: 'FeatureCollection', features }, names: features.map(nameOf) };
}

/** The features of a collection; a single feature or geometry counts as a collection of one. */
function featuresOf(value: unknown): readonly unknown[] | undefined {
  const { type, features, geometries }: { type?: unknown; features?: unknown; geometries?: unknown } =
    Object(value);
  if (type === 'FeatureCollection') return Array.isArray(features) ? features : undefined;
  if (type === 'Feature') return [value];
  const shapes = type === 'GeometryCollection' ? geometries : [value];
  if (!Array.isArray(shapes) || shapes.some((shape) => typeof Object(shape).type !== 'string'))
    return undefined;
  return shapes.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
}

function isArea(feature: unknown): boolean {
  const { geometry }: { geometry?: unknown } = Object(feature);
  const { type }: { type?: unknown } = Object(geometry);
  return type === 'Polygon' || type === 'MultiPolygon';
}

function nameOf(feature: unknown): string | undefined {
  const { id, properties }: { id?: unknown; properties?: unknown } = Object(feature);
  const known: Readonly<Record<string, unknown>> = Object(properties);
  const found = nameKeys.map((key) => known[key]).find((value) => isName(value)) ?? id;
  return isName(found) ? String(found) : undefined;
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
