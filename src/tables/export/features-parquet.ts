import type { Feature } from '../../geo/flatgeobuf/feature.ts';
import type { FeatureFile, FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { readFeatures } from '../../geo/flatgeobuf/read-features.ts';
import { boxAround, geometryName, geometryWkb, heightRange } from '../../geo/flatgeobuf/wkb.ts';
import type { ColumnType } from '../../geo/flatgeobuf/layout.ts';
import {
  maxParquetColumns,
  type ParquetCell,
  type ParquetType,
  writeParquet,
} from '../../lib/formats/parquet.ts';
import { tableOutProblems } from '../../messages/tables/english.ts';
import { createGeoColumns } from './geo-columns.ts';
import { nameBeside } from './table-rows.ts';

/** Features per batch; fewer if they are large. */
const featuresAtOnce = 1000;

const types = {
  Bool: 'boolean',
  Int: 'whole',
  Long: 'whole',
  Double: 'number',
  String: 'text',
  Json: 'text',
} as const satisfies Record<ColumnType, ParquetType>;

/** @throws {Problem} `invalid` if a Parquet file cannot have that many columns. */
export function refuseWideFeatures({ columns }: FeatureFile): void {
  const most = maxParquetColumns - 2;
  if (columns.length > most) throw tableOutProblems.tooManyAttributes(columns.length, most);
}

/**
 * Writes the features of a FlatGeobuf as GeoParquet in their order, in batches. Values have the types of its columns; a
 * column of mixed types holds the JSON text of each value.
 */
export async function* featuresParquet(
  files: FeatureFiles,
  file: FeatureFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const names: string[] = [];
  // A file may contain a name twice.
  for (const { name } of file.columns) names.push(nameBeside(name, names));
  const columns = file.columns.map(({ type }, at) => ({ name: names[at] ?? '', type: types[type] }));
  const geo = createGeoColumns(names);
  const rowOf = ({ geometry, values }: Feature): readonly ParquetCell[] => {
    const box = geometry && boxAround(geometry);
    const placed = geometry &&
      box && {
        wkb: geometryWkb(geometry),
        type: geometryName(geometry),
        box,
        heights: heightRange(geometry),
      };
    return [...file.columns.map(({ type }, at) => cellOf(type, values.get(at))), ...geo.cellsOf(placed)];
  };
  async function* rows() {
    for (let from: number | undefined = file.features > 0 ? 0 : undefined; from !== undefined;) {
      signal.throwIfAborted();
      const some: (readonly ParquetCell[])[] = [];
      const take = (feature: Feature) => some.push(rowOf(feature)) > 0;
      const { largeFeature: tooLarge } = tableOutProblems;
      from = await readFeatures(files, file, { from, limit: featuresAtOnce, tooLarge, take });
      yield some;
    }
  }
  yield* writeParquet({ columns: [...columns, ...geo.columns], rows: rows(), facts: geo.facts });
}

function cellOf(type: ColumnType, json: string | undefined): ParquetCell {
  if (json === undefined) return null;
  switch (type) {
    case 'Bool':
      return json === 'true';
    case 'Int':
    case 'Long':
      return BigInt(json);
    case 'Double':
      return Number(json);
    case 'String':
      return String(JSON.parse(json));
    default:
      return json;
  }
}
