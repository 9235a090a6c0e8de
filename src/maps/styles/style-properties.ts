import { Problem } from '../../lib/errors.ts';
import type { RuleWithoutProperty } from './style-report.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { propertiesOf, spellingsOf } from '../../../common/maps/style/filter-expression.ts';
import { unitColumnsOf, unitProperties } from '../../../common/maps/units/unit-properties.ts';
import type { StyledDataset } from '../service/maps.ts';
import type { VectorMaps } from '../service/vector-maps.ts';

/**
 * Finds the rules of a dataset's style that use a property which none of its features has. Empty if this is unknown:
 * for rasters, for datasets that are not ready, and for those too large to draw.
 */
export async function rulesWithoutProperty(
  dataset: StyledDataset,
  vectorMaps: Pick<VectorMaps, 'ofDataset' | 'factsOf'>,
): Promise<readonly RuleWithoutProperty[]> {
  const { style, file_type: type, status } = dataset;
  const looked = (style?.style.rules ?? []).flatMap(({ number, title: name, filter }) => {
    const properties = filter === undefined || filter === 'else' ? [] : propertiesOf(filter);
    return properties.length === 0 ? [] : [{ number, name, properties }];
  });
  if (looked.length === 0 || type === 'raster' || status !== 'ready') return [];
  const known =
    type === 'vector_with_kato' ? namesOfTable(dataset) : await namesOfVector(dataset, vectorMaps);
  if (known === undefined) return [];
  return looked.flatMap(({ properties, ...rule }) => {
    const missing = properties.filter((name) => !spellingsOf(name).some((each) => known.has(each)));
    return missing.length === 0 ? [] : [{ ...rule, properties: missing }];
  });
}

function namesOfTable({ kato_column: kato, year_columns: mapped }: StyledDataset): ReadonlySet<string> {
  const years = parseYearColumns(mapped);
  const data = Object.fromEntries(years.map(({ start_date: date }) => [date, null]));
  const columns = unitColumnsOf(kato, years);
  return new Set(Object.keys(unitProperties({ kato, name: '', data }, { columns, shown: '' })));
}

async function namesOfVector(
  dataset: StyledDataset,
  vectorMaps: Pick<VectorMaps, 'ofDataset' | 'factsOf'>,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { fields } = await vectorMaps.factsOf(await vectorMaps.ofDataset(dataset));
    return new Set(Object.keys(fields));
  } catch (error) {
    // Another answer reports why it cannot be drawn.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
