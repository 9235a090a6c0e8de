import type { Column, ColumnType } from '../geo/flatgeobuf/layout.ts';
import type { Literal, PropertyType, Queryables } from '../standards/cql2/filter.ts';
import type { Feature } from './flatgeobuf/feature.ts';
import { geometryJson, type PositionText } from './flatgeobuf/geometry.ts';
import type { FeatureFiles } from './flatgeobuf/open-file.ts';
import { readFeatures } from './flatgeobuf/read-features.ts';
import { type Asked, createPageTexts, type FeatureSource, isWanted } from './source.ts';

/** Files with more columns say of each feature only those that it has. */
const maxEmptyColumns = 256;
const number = /^(?:0|[1-9]\d{0,9})$/;

const propertyTypes: Partial<Record<ColumnType, PropertyType>> = {
  Bool: 'boolean',
  Int: 'number',
  Long: 'number',
  Double: 'number',
  String: 'string',
};

/** Opens the features of a FlatGeobuf; each has its number in the file as its id. @throws {ObjectMissing} @throws {WrongFlatGeobuf} */
export async function openVectorSource(files: FeatureFiles, key: string): Promise<FeatureSource> {
  const file = await files.open(key);
  const numberOf = new Map(file.columns.map(({ name }, index) => [name, index]));
  const keys = file.columns.map(({ name }) => JSON.stringify(name));

  async function read(
    from: number,
    { boxes, filter, limit, positionText }: Pick<Asked, 'limit' | 'positionText'> & Partial<Asked>,
  ) {
    const page = createPageTexts();
    const next = await readFeatures(files, file, {
      boxes,
      from,
      limit,
      matches: filter && ((feature) => isWanted(filter, (name) => valueOf(feature, numberOf.get(name)))),
      take: (feature, index) => page.add(featureText(feature, { index, keys, positionText })),
    });
    return { features: page.texts, next: next === undefined ? undefined : String(next) };
  }

  return {
    queryables: queryablesOf(file.columns),
    count: file.features,
    isToken: (token) => number.test(token) && Number(token) < file.features,
    page: async (asked) => await read(Number(asked.token ?? 0), asked),
    async feature(id, positionText) {
      if (!number.test(id) || Number(id) >= file.features) return undefined;
      return (await read(Number(id), { limit: 1, positionText })).features[0];
    },
  };
}

function queryablesOf(columns: readonly Column[]): Queryables {
  return Object.fromEntries(
    columns.flatMap(({ name, type }) => {
      const property = propertyTypes[type];
      return property === undefined ? [] : [[name, property]];
    }),
  );
}

function valueOf({ values }: Feature, column: number | undefined): Literal | null | undefined {
  const json = column === undefined ? undefined : values.get(column);
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function featureText(
  { geometry, values }: Feature,
  {
    index,
    keys,
    positionText,
  }: { readonly index: number; readonly keys: readonly string[]; readonly positionText: PositionText },
): string {
  const shape = geometry === undefined ? 'null' : geometryJson(geometry, positionText);
  const members =
    keys.length > maxEmptyColumns
      ? [...values].map(([column, json]) => `${keys[column]}:${json}`)
      : keys.map((key, column) => `${key}:${values.get(column) ?? 'null'}`);
  return `{"type":"Feature","id":${index},"geometry":${shape},"properties":{${members.join(',')}}}`;
}
