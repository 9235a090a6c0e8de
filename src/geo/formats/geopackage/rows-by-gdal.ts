import gdal from 'gdal-async';
import { lastError, quietly } from '../../gdal/last-error.ts';
import { quotedName } from './open-read-only.ts';
import type { Row, StoredCell } from './read-rows.ts';

/**
 * Reads the rows of a view that calls functions which only GDAL has. Every cell goes through GDAL as a text that names its
 * storage class, so that GDAL has no type to put it into.
 */
export function* rowsByGdal(
  path: string,
  view: string,
  columns: readonly string[],
): Generator<Row, void, void> {
  const dataset = gdal.open(path, 'r', ['GPKG']);
  try {
    const cells = columns.map((name, index) => {
      const column = quotedName(name);
      return `case typeof(${column}) when 'text' then 't' || hex(${column}) when 'blob' then 'b' || hex(${column})
        when 'integer' then 'i' || ${column} when 'real' then 'r' || printf('%!.17g', ${column}) else 'n' end as c${index}`;
    });
    const sql = `select ${cells.join()} from ${quotedName(view)}`;
    const layer = quietly(() => dataset.executeSQL(sql));
    if (layer === undefined) throw new Error(lastError() ?? 'GDAL cannot read the view');
    for (let feature = layer.features.first(); feature !== null; feature = layer.features.next()) {
      const texts = feature.fields.toArray();
      feature.destroy();
      yield texts.map(cellOf);
    }
  } finally {
    dataset.close();
  }
}

function cellOf(text: unknown): StoredCell {
  const [kind, value] = [String(text).charAt(0), String(text).slice(1)];
  switch (kind) {
    case 't':
      return Buffer.from(value, 'hex').toString();
    case 'b':
      return Buffer.from(value, 'hex');
    case 'i':
      return BigInt(value);
    case 'r':
      return Number(value.replace('Inf', 'Infinity'));
    default:
      return null;
  }
}
