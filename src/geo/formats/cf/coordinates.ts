import { sourceProblems } from '../../../messages/sources/english.ts';
import { type ArrayFile, type FileArray, groupOf, nameOf, textOf } from '../array-file.ts';

/** Meaning of a coordinate. */
export type Role = 'x' | 'y' | 'longitude' | 'latitude' | 'time';

const roleByName: ReadonlyMap<string, Role> = new Map([
  ['lon', 'longitude'],
  ['long', 'longitude'],
  ['longitude', 'longitude'],
  ['nav_lon', 'longitude'],
  ['lat', 'latitude'],
  ['latitude', 'latitude'],
  ['nav_lat', 'latitude'],
  ['x', 'x'],
  ['xc', 'x'],
  ['xdim', 'x'],
  ['easting', 'x'],
  ['y', 'y'],
  ['yc', 'y'],
  ['ydim', 'y'],
  ['northing', 'y'],
]);
const degreesEast = /^degrees?_?(?:e|east)$/i;
const degreesNorth = /^degrees?_?(?:n|north)$/i;
const maxCoordinates = 1_000_000;

/** Returns the meaning of a coordinate by its attributes, or else by its name. */
export function roleOf(array: FileArray): Role | undefined {
  const units = textOf(array, 'units') ?? '';
  const standard = textOf(array, 'standard_name') ?? '';
  if (degreesEast.test(units) || standard === 'longitude') return 'longitude';
  if (degreesNorth.test(units) || standard === 'latitude') return 'latitude';
  if (/\bsince\b|\bas %Y/i.test(units) || standard === 'time') return 'time';
  if (/^projection_x|^grid_longitude/.test(standard)) return 'x';
  if (/^projection_y|^grid_latitude/.test(standard)) return 'y';
  const byName = roleByName.get(nameOf(array.path).toLowerCase());
  if (byName !== undefined) return byName;
  const axis = textOf(array, 'axis')?.toUpperCase();
  if (axis === 'T') return 'time';
  return axis === 'X' ? 'x' : axis === 'Y' ? 'y' : undefined;
}

export type CoordinateReader = ReturnType<typeof createCoordinateReader>;

/** Reads coordinates, each once. */
export function createCoordinateReader(file: ArrayFile) {
  const { arrays } = file;
  const values = new Map<FileArray, Promise<Float64Array>>();
  const byPath = new Map(arrays.map((array) => [array.path, array]));
  const valuesOf = async (array: FileArray): Promise<Float64Array> => {
    const length = array.dimensions.reduce((product, { size }) => product * size, 1);
    if (length > maxCoordinates) throw sourceProblems.damaged();
    const read =
      values.get(array) ??
      file.read(
        array,
        array.dimensions.map(() => 0),
        array.dimensions.map(({ size }) => size),
      );
    values.set(array, read);
    return await read;
  };
  return {
    file,
    valuesOf,
    /** Finds arrays by names in an attribute, in the group of an array or above. */
    named(of: FileArray, names: string): readonly FileArray[] {
      return names
        .split(/[\s,]+/)
        .map((name) => name.replace(/:$/, ''))
        .flatMap((name) => {
          if (name === '') return [];
          for (let group = groupOf(of.path); ; group = groupOf(group.slice(0, -1))) {
            const one = byPath.get(name.startsWith('/') ? name : `${group}${name}`);
            if (one !== undefined) return [one];
            if (group.length <= 1) return [];
          }
        });
    },
    /** Finds the arrays along one dimension of an array, the one of the same name first. */
    along(array: FileArray, index: number): readonly FileArray[] {
      const dimension = array.dimensions[index];
      if (dimension === undefined) return [];
      const group = groupOf(array.path);
      const fits = (one: FileArray): boolean => {
        const [own, ...more] = one.dimensions;
        if (own === undefined || more.length > 0 || one.type === 'other') return false;
        if (dimension.name !== '') return own.name === dimension.name;
        // Without shared dimensions only the length tells.
        return (
          group.startsWith(groupOf(one.path)) && own.size === dimension.size && roleOf(one) !== undefined
        );
      };
      const found = arrays.filter(fits);
      const isSameName = (one: FileArray): number => Number(one.path === dimension.name);
      return found.toSorted((one, other) => isSameName(other) - isSameName(one));
    },
  };
}
