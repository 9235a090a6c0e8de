import { type FileArray, numbersOf, textOf } from '../array-file.ts';

/** CRS of a grid mapping: as a text for PROJ or in WKT; or the name of a mapping that has no plane of even cells. */
export type GridMapping =
  | { readonly kind: 'geographic' | 'projected'; readonly definition: string }
  | { readonly kind: 'rotated' | 'unsupported'; readonly name: string };

/** Reads a variable with the attributes of a grid mapping. Source: CF conventions 1.11, appendix F. */
export function readGridMapping(mapping: Pick<FileArray, 'attributes'>): GridMapping {
  const name = textOf(mapping, 'grid_mapping_name') ?? '';
  if (name === 'rotated_latitude_longitude') return { kind: 'rotated', name };
  const isGeographic = name === 'latitude_longitude';
  const wkt =
    textOf(mapping, 'crs_wkt') ?? textOf(mapping, 'spatial_ref') ?? textOf(mapping, 'esri_pe_string');
  if (wkt !== undefined && wkt !== '') {
    const kind = /^\s*(?:GEOGCS|GEOGCRS|GEODCRS|GEOGRAPHICCRS)/i.test(wkt) ? 'geographic' : 'projected';
    return { kind, definition: wkt };
  }
  const number = (...names: readonly string[]): number | undefined =>
    names.map((each) => numbersOf(mapping, each)[0]).find((value) => value !== undefined);
  const figure = figureOf(number);
  // Models compute on a sphere, and mean longitude and latitude as everyone uses them.
  const isUsual = figure.startsWith('+R=') || figure === '+datum=WGS84';
  if (isGeographic)
    return { kind: 'geographic', definition: isUsual ? 'EPSG:4326' : `+proj=longlat ${figure} +no_defs` };
  const projection = projectionOf(name, mapping, number);
  if (projection === undefined) return { kind: 'unsupported', name };
  const false_ = `+x_0=${number('false_easting') ?? 0} +y_0=${number('false_northing') ?? 0}`;
  return { kind: 'projected', definition: `${projection} ${false_} ${figure} +units=m +no_defs` };
}

type NumberOf = (...names: readonly string[]) => number | undefined;

/** The figure of the earth; WGS 84 if none is stated. */
function figureOf(number: NumberOf): string {
  const radius = number('earth_radius');
  if (radius !== undefined && radius > 0) return `+R=${radius}`;
  const major = number('semi_major_axis');
  if (major === undefined) return '+datum=WGS84';
  const [flattening, minor] = [number('inverse_flattening'), number('semi_minor_axis')];
  if (flattening === undefined && minor === undefined) return `+R=${major}`;
  if (flattening === 0 || minor === major) return `+R=${major}`;
  const isWgs84 =
    major === 6_378_137 && Math.abs((flattening ?? major / (major - (minor ?? 0))) - 298.257223563) < 1e-6;
  if (isWgs84) return '+datum=WGS84';
  return flattening === undefined ? `+a=${major} +b=${minor}` : `+a=${major} +rf=${flattening}`;
}

function projectionOf(
  name: string,
  mapping: Pick<FileArray, 'attributes'>,
  number: NumberOf,
): string | undefined {
  const [parallel, second] = numbersOf(mapping, 'standard_parallel');
  const latitude = number('latitude_of_projection_origin') ?? 0;
  const central = number('longitude_of_central_meridian', 'longitude_of_projection_origin') ?? 0;
  const scale = number('scale_factor_at_projection_origin', 'scale_factor_at_central_meridian');
  const factor = scale === undefined ? '' : `+k_0=${scale}`;
  switch (name) {
    case 'albers_conical_equal_area':
      return `+proj=aea +lat_1=${parallel} +lat_2=${second ?? parallel} +lat_0=${latitude} +lon_0=${central}`;
    case 'lambert_conformal_conic':
      return `+proj=lcc +lat_1=${parallel} +lat_2=${second ?? parallel} +lat_0=${latitude} +lon_0=${central}`;
    case 'lambert_azimuthal_equal_area':
      return `+proj=laea +lat_0=${latitude} +lon_0=${central}`;
    case 'azimuthal_equidistant':
      return `+proj=aeqd +lat_0=${latitude} +lon_0=${central}`;
    case 'lambert_cylindrical_equal_area':
      return `+proj=cea +lon_0=${central} ${parallel === undefined ? '' : `+lat_ts=${parallel}`}`;
    case 'mercator':
      return `+proj=merc +lon_0=${central} ${parallel === undefined ? factor : `+lat_ts=${parallel}`}`;
    case 'transverse_mercator':
      return `+proj=tmerc +lat_0=${latitude} +lon_0=${central} ${factor}`;
    case 'sinusoidal':
      return `+proj=sinu +lon_0=${central}`;
    case 'polar_stereographic': {
      const meridian = number('straight_vertical_longitude_from_pole') ?? central;
      const place = `+proj=stere +lat_0=${latitude} +lon_0=${meridian}`;
      return `${place} ${parallel === undefined ? factor : `+lat_ts=${parallel}`}`;
    }
    default:
      return undefined;
  }
}
