import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { PythonTools } from '../tools/python-tools.ts';

/** Reads the rows of a Parquet file by column name, and the names of the columns with their types. */
export async function readParquet(bytes: Buffer) {
  const file = new Uint8Array(bytes).buffer;
  const { schema, row_groups: groups, key_value_metadata: facts = [] } = parquetMetadata(file);
  const rows: Readonly<Record<string, unknown>>[] = await parquetReadObjects({ file, utf8: false });
  const columns = schema
    .slice(1)
    .map(({ name, type, converted_type: converted }) => [name, converted ?? type]);
  return { rows, columns, groups: groups.length, facts };
}

/** Python packages that read Parquet and GeoParquet. */
export const pythonReaders: PythonTools = {
  name: 'parquet-readers',
  packages: ['pyarrow==26.0.1', 'geopandas==1.2.0', 'aiohttp==3.14.5', 'fsspec==2026.9.0'],
};
