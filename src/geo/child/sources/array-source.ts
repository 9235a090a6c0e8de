import { Problem } from '../../../lib/errors.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import type { ArrayFile } from '../../formats/array-file.ts';
import {
  type GridVariable,
  type OtherAxis,
  type Packing,
  type PlacedGrid,
  readGridVariables,
} from '../../formats/cf/grid-variables.ts';
import { type SourceAxis, type SourceChoice, sourceLimits, type SourceVariable } from '../../source.ts';
import type { PlannedRaster, RasterType, Source } from './source.ts';

/** Opens the variables of a file of arrays by the CF conventions. @throws {Problem} if it has none. */
export async function openArraySource(file: ArrayFile): Promise<Source> {
  const all = await readGridVariables(file);
  if (all.length === 0) throw sourceProblems.noRasters();
  const variables = all.slice(0, sourceLimits.variables);
  const axes = createAxisList();
  const described = variables.map((variable) => describe(variable, axes.indexOf));
  return {
    description: () => ({ variables: described, axes: axes.list, left_out: all.length - variables.length }),
    plan(choice) {
      const variable = variables.find(({ name }) => name === choice.variable);
      if (variable === undefined) throw sourceProblems.noVariable(choice.variable);
      if (variable.placed instanceof Problem) throw variable.placed;
      return planRaster(file, variable, variable.placed, choice);
    },
    close: async () => await file.close(),
  };
}

/** Collects axes, each once. */
export function createAxisList() {
  const list: SourceAxis[] = [];
  const numbers = new Map<string, number>();
  let positions = 0;
  return {
    list,
    indexOf(axis: SourceAxis): number {
      const key = JSON.stringify(axis);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      positions += axis.values.length;
      if (positions > sourceLimits.positions || list.length >= sourceLimits.axes)
        throw sourceProblems.tooLarge(positions, list.length);
      numbers.set(key, list.length);
      return list.push(axis) - 1;
    },
  };
}

const axesOf = ({ others, time }: GridVariable): readonly OtherAxis[] =>
  time === undefined ? others : [...others, time];

function describe(variable: GridVariable, indexOf: (axis: SourceAxis) => number): SourceVariable {
  const { array, name, title, units, packing, placed, rowDimension, columnDimension } = variable;
  const axes = axesOf(variable).map(({ values, periods, calendar, units: unit, size, ...axis }) =>
    indexOf({
      name: axis.name,
      title: axis.title,
      unit,
      size,
      calendar,
      values,
      periods: periods?.map(({ start, end }) => [start, end] as const),
    }),
  );
  const about = {
    name,
    title,
    unit: units,
    type: packing.type,
    axes,
    scale: packing.scale,
    offset: packing.offset,
  };
  if (placed instanceof Problem) {
    const { message, sentence } = placed;
    const [height, width] = [rowDimension, columnDimension].map(
      (index) => array.dimensions[index]?.size ?? 0,
    );
    return { ...about, width: width ?? 0, height: height ?? 0, refusal: { message, sentence } };
  }
  const { left, top, cellWidth, cellHeight, crs } = cornersOf(placed);
  return {
    ...about,
    width: placed.columns,
    height: placed.rows,
    grid: { left, top, cell_width: cellWidth, cell_height: cellHeight },
    crs,
  };
}

/** From centres in the units of the coordinates to the corner in those of the CRS. */
function cornersOf({ x, y, unitFactor, crs }: PlacedGrid) {
  return {
    left: (x.first - x.step / 2) * unitFactor,
    top: (y.first + y.step * (y.size - 0.5)) * unitFactor,
    cellWidth: x.step * unitFactor,
    cellHeight: y.step * unitFactor,
    crs,
  };
}

/** Smallest types that hold all values of those that rasters lack. */
const rasterTypes: Readonly<Record<Packing['type'], RasterType>> = {
  Byte: 'Byte',
  Int8: 'Int16',
  UInt16: 'UInt16',
  Int16: 'Int16',
  UInt32: 'UInt32',
  Int32: 'Int32',
  Int64: 'Float64',
  Float32: 'Float32',
  Float64: 'Float64',
  other: 'Float64',
};

function planRaster(
  file: ArrayFile,
  variable: GridVariable,
  placed: PlacedGrid,
  { positions }: SourceChoice,
): PlannedRaster {
  const { array, packing, others, rowDimension, columnDimension } = variable;
  const origin = array.dimensions.map(() => 0);
  const span = array.dimensions.map(() => 1);
  for (const axis of others) {
    const position = positions[axis.name] ?? (axis.size === 1 ? 0 : -1);
    if (!Number.isInteger(position) || position < 0 || position >= axis.size)
      throw sourceProblems.noPosition(axis.name);
    origin[axis.dimension] = position;
  }
  const type = rasterTypes[packing.type];
  const noData = noDataOf(packing, type);
  const fileColumns = array.dimensions[columnDimension]?.size ?? 0;
  const { x, y, rows, columns } = placed;
  span[columnDimension] = fileColumns;
  const isColumnFirst = columnDimension < rowDimension;
  const clean = createCleaner(packing, noData);
  return {
    width: columns,
    height: rows,
    ...cornersOf(placed),
    type,
    noData,
    scale: packing.scale,
    offset: packing.offset,
    unit: variable.units,
    title: variable.title ?? variable.name,
    async readRows(first, count) {
      // Ascending latitudes are read from the end.
      const from = y.isFlipped ? first : rows - first - count;
      const read = await file.read(array, origin.with(rowDimension, from), span.with(rowDimension, count));
      const values = new Float64Array(count * columns);
      for (let row = 0; row < count; row += 1) {
        const fileRow = y.isFlipped ? row : count - 1 - row;
        for (let column = 0; column < columns; column += 1) {
          const ascending = (x.startColumn + column) % columns;
          const fileColumn = x.isFlipped ? fileColumns - 1 - ascending : ascending;
          const at = isColumnFirst ? fileColumn * count + fileRow : fileRow * fileColumns + fileColumn;
          values[row * columns + column] = clean(read[at] ?? NaN);
        }
      }
      return values;
    },
  };
}

/** Returns the value that means none in the raster: a number for integers, NaN for others. */
function noDataOf({ missing, least, most }: Packing, type: RasterType): number | undefined {
  if (type === 'Float32' || type === 'Float64') return NaN;
  const [first] = missing;
  if (first !== undefined) return first;
  if (least === -Infinity && most === Infinity) return undefined;
  // Any value outside of the valid range is free.
  return least === -Infinity ? most + 1 : least - 1;
}

/** Returns a function from a stored value to that of the raster. */
function createCleaner({ missing, least, most, unsignedBits }: Packing, noData: number | undefined) {
  const none = new Set(missing);
  return (stored: number): number => {
    const value = unsignedBits !== undefined && stored < 0 ? stored + 2 ** unsignedBits : stored;
    return none.has(value) || value < least || value > most ? (noData ?? value) : value;
  };
}
