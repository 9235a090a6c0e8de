import type { Column, ColumnType } from '../../geo/flatgeobuf/layout.ts';
import {
  type Filter,
  type Literal,
  type PropertyType,
  type Queryables,
  readNumber,
} from '../../standards/cql2/filter.ts';
import { MiB } from '../../lib/units.ts';
import type { Feature } from '../../geo/flatgeobuf/feature.ts';
import { geometryJson } from '../../geo/flatgeobuf/geometry.ts';
import type { FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { largeFeatureBytes, readFeatures } from '../../geo/flatgeobuf/read-features.ts';
import {
  type Asked,
  type Counted,
  createPageTexts,
  type FeaturePage,
  type FeatureSource,
  isWanted,
  type Shown,
} from './source.ts';

/** In files with more columns, each feature has only the columns with a value. */
const maxEmptyColumns = 256;
/** Limits of the data that a count reads in addition to the page. */
const countBounds = { features: 10_000, bytes: 8 * MiB };
const number = /^(?:0|[1-9]\d{0,9})$/;

const propertyTypes: Partial<Record<ColumnType, PropertyType>> = {
  Bool: 'boolean',
  Int: 'integer',
  Long: 'integer',
  Double: 'number',
  String: 'string',
};

/**
 * Opens the features of a FlatGeobuf; the id is the number of the feature in the file.
 * @throws {ObjectMissing}
 * @throws {WrongFlatGeobuf}
 */
export async function openVectorSource(files: FeatureFiles, key: string): Promise<FeatureSource> {
  const file = await files.open(key);
  const numberOf = new Map(file.columns.map(({ name }, index) => [name, index]));
  const names = file.columns.map(({ name }) => name);
  const keys = names.map((name) => JSON.stringify(name));

  const matchesOf = (filter: Filter | undefined) =>
    filter && ((feature: Feature) => isWanted(filter, (name) => valueOf(feature, numberOf.get(name))));

  async function read(
    from: number,
    { boxes, filter, offset = 0, limit, ...shown }: Pick<Asked, 'limit'> & Shown & Partial<Asked>,
  ): Promise<FeaturePage> {
    const page = createPageTexts();
    const { properties } = shown;
    const shownKeys =
      properties && keys.map((key, at) => (properties.has(names[at] ?? '') ? key : undefined));
    const isWhole = boxes === undefined && filter === undefined;
    let left = isWhole ? 0 : offset;
    const withoutGeometry: number[] = [];
    const next = await readFeatures(files, file, {
      boxes,
      from: isWhole ? from + offset : from,
      limit: limit + left,
      matches: matchesOf(filter),
      take: (feature, index, bytes) => {
        if (left > 0) {
          left -= 1;
          return true;
        }
        const isLarge = shown.hasGeometry && bytes > largeFeatureBytes;
        if (isLarge) withoutGeometry.push(index);
        const hasGeometry = shown.hasGeometry && !isLarge;
        return page.add(featureText(feature, { index, keys: shownKeys ?? keys, ...shown, hasGeometry }));
      },
    });
    return {
      features: page.texts,
      next: next === undefined ? undefined : String(next),
      left,
      withoutGeometry,
    };
  }

  async function count({ boxes, filter }: Counted): Promise<number | undefined> {
    if (boxes === undefined && filter === undefined) return file.features;
    let counted = 0;
    const next = await readFeatures(files, file, {
      boxes,
      from: 0,
      limit: Infinity,
      bounds: countBounds,
      matches: matchesOf(filter),
      take: () => {
        counted += 1;
        return true;
      },
    });
    return next === undefined ? counted : undefined;
  }

  return {
    queryables: queryablesOf(file.columns),
    properties: names,
    count,
    isToken: (token) => number.test(token) && Number(token) < file.features,
    page: async (asked) => await read(Number(asked.token ?? 0), asked),
    async feature(id, shown) {
      if (!number.test(id) || Number(id) >= file.features) return undefined;
      return (await read(Number(id), { limit: 1, ...shown })).features[0];
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
  const value: unknown = readNumber(json) ?? JSON.parse(json);
  if (typeof value === 'bigint') return value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function featureText(
  { geometry, values }: Feature,
  {
    index,
    keys,
    hasGeometry,
    positionText,
  }: {
    readonly index: number;
    /** The name of each column as JSON; undefined for a column that is not requested. */
    readonly keys: readonly (string | undefined)[];
  } & Shown,
): string {
  const shape = geometry === undefined || !hasGeometry ? 'null' : geometryJson(geometry, positionText);
  const columns = keys.length > maxEmptyColumns ? values.keys() : keys.keys();
  const members = [...columns].flatMap((column) => {
    const key = keys[column];
    return key === undefined ? [] : [`${key}:${values.get(column) ?? 'null'}`];
  });
  return `{"type":"Feature","id":${index},"geometry":${shape},"properties":{${members.join(',')}}}`;
}
