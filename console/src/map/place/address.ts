/** A layer in the address; opacity from 0 to 1. */
export interface LayerPlace {
  readonly id: string;
  readonly opacity: number;
  readonly isVisible: boolean;
}

export interface Place {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
}

/** The state of a map in the address, after `?`, so that it can be shared. */
export interface MapAddress {
  /** From the uppermost down. */
  readonly layers: readonly LayerPlace[];
  readonly at: Place | undefined;
  /** First day of the period shown, as YYYY-MM-DD. */
  readonly date: string | undefined;
  /** The class that is shown alone: layer and index of the legend entry. */
  readonly only: { readonly id: string; readonly index: number } | undefined;
  /** The place that is explained, in degrees. */
  readonly place?: LonLat | undefined;
  /** KATO code of the unit that is outlined. */
  readonly unit?: string | undefined;
  /** The map on paper that is being set up, as `readSheet` reads it. */
  readonly sheet?: string | undefined;
  /** The layers that show rates instead of values. */
  readonly rated?: readonly string[] | undefined;
  /** True if colours for every kind of colour vision replace those of styles. */
  readonly hasDistinctColours?: boolean;
}

/** Degrees. */
export interface LonLat {
  readonly lon: number;
  readonly lat: number;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const maxLayers = 20;

/** Reads an address; invalid parts are left out. */
export function readMapAddress(query: string): MapAddress {
  const parts = new URLSearchParams(query);
  const idsOf = (name: string): string => (parts.get(name) ?? '').toLowerCase();
  const layers = idsOf('l')
    .split(',')
    .flatMap((text) => readLayer(text) ?? []);
  const seen = new Set<string>();
  const different = layers.filter(({ id }) => !seen.has(id) && seen.add(id));
  const [id = '', index = ''] = idsOf('class').split('.');
  const date = parts.get('date') ?? '';
  return {
    layers: different.slice(0, maxLayers),
    at: readPlace(parts.get('at') ?? ''),
    date: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : undefined,
    only: uuid.test(id) && /^\d{1,3}$/.test(index) ? { id, index: Number(index) } : undefined,
    place: readLonLat(parts.get('place') ?? ''),
    sheet: readSheetText(parts.get('sheet') ?? ''),
    rated: idsOf('rate')
      .split(',')
      .filter((rated) => seen.has(rated)),
    ...(parts.get('tell-apart') === '1' ? { hasDistinctColours: true } : {}),
    unit: /^\d{9}$/.test(parts.get('unit') ?? '') ? (parts.get('unit') ?? undefined) : undefined,
  };
}

/** Reads the settings of a map on paper: letters, digits and points alone. */
function readSheetText(text: string): string | undefined {
  return /^[A-Za-z0-9.]{1,60}$/.test(text) ? text : undefined;
}

/** Reads `lat,lon` in degrees. */
function readLonLat(text: string): LonLat | undefined {
  const numbers = text.split(',').map((part) => (part === '' ? Number.NaN : Number(part)));
  const [lat = Number.NaN, lon = Number.NaN] = numbers;
  return numbers.length === 2 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

/** Rounds a place to six decimals, about a tenth of a metre, as in the address. */
export function rounded({ lat, lon }: LonLat): LonLat {
  const round = (degrees: number): number => Number(degrees.toFixed(6));
  return { lat: round(lat), lon: round(lon) };
}

/** Reads `{id}` or `{id}.{opacity in percent}`, followed by `-` if the layer is hidden. */
function readLayer(text: string): LayerPlace | undefined {
  const isVisible = !text.endsWith('-');
  const [id = '', percent = '100'] = (isVisible ? text : text.slice(0, -1)).split('.');
  if (!uuid.test(id) || !/^\d{1,3}$/.test(percent)) return undefined;
  return { id, opacity: Math.min(100, Number(percent)) / 100, isVisible };
}

/** Reads `lat,lon,zoom`; undefined if the text is invalid. */
export function readPlace(text: string): Place | undefined {
  const numbers = text.split(',').map((part) => (part === '' ? Number.NaN : Number(part)));
  const [lat = Number.NaN, lon = Number.NaN, zoom = Number.NaN] = numbers;
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && zoom >= 0 && zoom <= 24;
  return isPlace ? { lat, lon, zoom } : undefined;
}

/** Writes an address, without `?`. */
export function writeMapAddress({
  layers,
  at,
  date,
  only,
  place,
  unit,
  sheet,
  hasDistinctColours,
  rated = [],
}: MapAddress): string {
  const parts = [
    layers.length > 0 && `l=${layers.map(writeLayer).join(',')}`,
    rated.length > 0 && `rate=${rated.join(',')}`,
    at !== undefined && `at=${writePlace(at)}`,
    date !== undefined && `date=${date}`,
    only !== undefined && `class=${only.id}.${only.index}`,
    place !== undefined && `place=${place.lat},${place.lon}`,
    unit !== undefined && `unit=${unit}`,
    sheet !== undefined && `sheet=${sheet}`,
    hasDistinctColours === true && 'tell-apart=1',
  ];
  return parts.filter((part) => part !== false).join('&');
}

/** Writes `lat,lon,zoom`. */
export function writePlace({ lat, lon, zoom }: Place): string {
  return `${lat.toFixed(4)},${lon.toFixed(4)},${Number(zoom.toFixed(2))}`;
}

function writeLayer({ id, opacity, isVisible }: LayerPlace): string {
  const percent = Math.round(opacity * 100);
  return `${id}${percent === 100 ? '' : `.${percent}`}${isVisible ? '' : '-'}`;
}
