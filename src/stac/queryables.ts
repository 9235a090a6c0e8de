import { type RawBuilder, sql } from 'kysely';
import type { Queryables } from '../standards/cql2/filter.ts';

/**
 * The collection of a dataset `d` with its group `g` and its category `c`: the code of the group, which contains no dot, otherwise
 * `category.` and the code of the category.
 */
export const collectionSql = sql<string>`coalesce(g.code, 'category.' || c.code)`;
export const categoryPrefix = 'category.';

/** Joins group and category to a dataset `d`. */
export const joinsSql = sql`left join dataset_groups g on g.id = d.dg_id join categories c on c.id = d.category_id`;

const makerSql = (column: 'run_id' | 'node_code') =>
  sql`(select ${sql.ref(column)}::text from landscape_run_nodes n where n.output_id = d.id and n.status = 'succeeded' limit 1)`;

/** The properties that filters may name, and their SQL expressions. Times have no time zone in the database: they are in UTC. */
const known = {
  id: { type: 'string', expression: sql`d.id::text`, title: 'Id of the dataset' },
  collection: { type: 'string', expression: collectionSql, title: 'Code of the collection' },
  title: { type: 'string', expression: sql`d.name`, title: 'What people call the dataset' },
  geometry: { type: 'geometry', expression: sql`d.place`, title: 'Box of the dataset' },
  datetime: {
    type: 'time',
    expression: sql`lower(d.period)`,
    title: 'Beginning of the period, or creation of the dataset',
  },
  start_datetime: { type: 'time', expression: sql`lower(d.period)`, title: 'Begin of the period' },
  end_datetime: { type: 'time', expression: sql`upper(d.period)`, title: 'End of the period' },
  created: {
    type: 'time',
    expression: sql`(d.created_at at time zone 'UTC')`,
    title: 'When the dataset was made',
  },
  updated: {
    type: 'time',
    expression: sql`(d.updated_at at time zone 'UTC')`,
    title: 'When the dataset last changed',
  },
  'steppe:file_type': {
    type: 'string',
    expression: sql`d.file_type`,
    title: 'raster, vector or vector_with_kato',
  },
  'steppe:unit': { type: 'string', expression: sql`d.unit`, title: 'Unit of the values' },
  'proj:code': {
    type: 'string',
    expression: sql`(select case when r.raster ->> 'crs' like 'EPSG:%' then r.raster ->> 'crs' end
      from import_reports r where r.dataset_id = d.id)`,
    title: 'Reference system of a raster',
  },
  'landscape:run_id': { type: 'string', expression: makerSql('run_id'), title: 'Run that made the dataset' },
  'landscape:node': {
    type: 'string',
    expression: makerSql('node_code'),
    title: 'Node that made the dataset',
  },
} as const;

export const queryables: Queryables = Object.fromEntries(
  Object.entries(known).map(([name, { type }]) => [name, type]),
);

/** Returns the SQL expression of a queryable. */
export function expressionOf(name: string): RawBuilder<unknown> {
  const found = Object.entries(known).find(([each]) => each === name)?.[1];
  if (found === undefined) throw new Error(`${name} is not a queryable`);
  return found.expression;
}

const jsonTypes = {
  string: { type: 'string' },
  time: { type: 'string', format: 'date-time' },
  geometry: { format: 'geometry-any', $ref: 'https://geojson.org/schema/Geometry.json' },
} as const;

/** @param id the address of the JSON Schema. */
export function queryablesSchema(id: string) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    type: 'object',
    title: 'Queryables',
    properties: Object.fromEntries(
      Object.entries(known).map(([name, { type, title }]) => [name, { title, ...jsonTypes[type] }]),
    ),
    // Other properties are allowed and match nothing: clients send the same filter to many catalogues.
    additionalProperties: true,
  };
}
