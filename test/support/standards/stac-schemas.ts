import { z } from 'zod';

/**
 * Requirements of STAC 1.1 and of the extensions that items use, typed from their specifications, because their JSON schemas are only
 * online. Strict where the service chooses the names: a misspelt name of an extension fails.
 */
const Time = z.iso.datetime({ offset: true });
const Link = z
  .looseObject({
    rel: z.string().min(1),
    href: z.url(),
    type: z.string().optional(),
    title: z.string().optional(),
  })
  .refine(
    ({ rel, ...link }) => rel !== 'wmts' || z.array(z.string()).min(1).safeParse(link['wmts:layer']).success,
    {
      error: 'a link to WMTS names layers',
    },
  )
  .refine(({ rel, href }) => rel !== 'xyz' || ['{x}', '{y}', '{z}'].every((part) => href.includes(part)), {
    error: 'a link to tiles is a template',
  });

const Class = z.strictObject({
  value: z.int(),
  name: z.string().regex(/^[0-9A-Za-z_-]+$/),
  title: z.string().optional(),
  description: z.string(),
  color_hint: z
    .string()
    .regex(/^[0-9A-F]{6}$/)
    .optional(),
});
const dataTypes =
  'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 cint16 cint32 cfloat32 cfloat64 other';
const Band = z.strictObject({
  name: z.string(),
  data_type: z.enum(dataTypes.split(' ')),
  nodata: z.union([z.number(), z.enum(['nan', 'inf', '-inf'])]).optional(),
  unit: z.string().optional(),
  statistics: z
    .strictObject({
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      mean: z.number().optional(),
      count: z.int().min(0),
      valid_percent: z.number().min(0).max(100),
    })
    .optional(),
  'raster:scale': z.number().optional(),
  'raster:offset': z.number().optional(),
  'raster:spatial_resolution': z.number().positive().optional(),
  'classification:classes': z.array(Class).min(1).optional(),
});
const Asset = z.strictObject({
  href: z.url(),
  type: z.string().regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/),
  title: z.string(),
  roles: z.array(z.string()).min(1),
  bands: z.array(Band).min(1).optional(),
  'proj:code': z
    .string()
    .regex(/^[A-Z]+:\d+$/)
    .nullable()
    .optional(),
  'proj:epsg': z.int().nullable().optional(),
  'proj:wkt2': z.string().optional(),
  'proj:shape': z.array(z.int().min(0)).length(2).optional(),
  'proj:transform': z.array(z.number()).length(6).optional(),
  'proj:bbox': z.array(z.number()).length(4).optional(),
  'file:size': z.int().min(0).optional(),
  // A multihash: SHA-256 of 32 bytes.
  'file:checksum': z
    .string()
    .regex(/^1220[\da-f]{64}$/)
    .optional(),
});
const Properties = z
  .strictObject({
    title: z.string(),
    description: z.string().optional(),
    datetime: Time.nullable(),
    start_datetime: Time.optional(),
    end_datetime: Time.optional(),
    created: Time,
    updated: Time,
    'steppe:file_type': z.enum(['raster', 'vector', 'vector_with_kato']),
    'steppe:unit': z.string().optional(),
    'processing:software': z.record(z.string(), z.string()).optional(),
    'landscape:run_id': z.guid().optional(),
    'landscape:node': z.string().optional(),
    'landscape:fingerprint': z.string().optional(),
  })
  .refine(
    (properties) => properties.datetime !== null || (properties.start_datetime && properties.end_datetime),
    {
      error: 'without datetime there is a period',
    },
  );
const Position = z.array(z.number()).length(2);
const Geometry = z.union([
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(Position).length(5)).length(1) }),
  z.strictObject({
    type: z.literal('MultiPolygon'),
    coordinates: z.array(z.array(z.array(Position).length(5)).length(1)).length(2),
  }),
]);
const prefixes = {
  projection: 'proj',
  raster: 'raster',
  file: 'file',
  processing: 'processing',
  classification: 'classification',
};

export const StacItem = z
  .strictObject({
    type: z.literal('Feature'),
    stac_version: z.literal('1.1.0'),
    stac_extensions: z.array(
      z.string().regex(/^https:\/\/stac-extensions\.github\.io\/[a-z-]+\/v\d+\.\d+\.\d+\/schema\.json$/),
    ),
    id: z.guid(),
    collection: z.string().min(1),
    geometry: Geometry.nullable(),
    bbox: z.array(z.number()).length(4).optional(),
    properties: Properties,
    assets: z.record(z.string(), Asset),
    links: z.array(Link),
  })
  .refine(({ geometry, bbox }) => (geometry === null) === (bbox === undefined), {
    error: 'a geometry has a bbox',
  })
  .refine(
    ({ stac_extensions: named, ...item }) =>
      Object.entries(prefixes).every(
        ([name, prefix]) =>
          JSON.stringify(item).includes(`"${prefix}:`) === named.some((url) => url.includes(`/${name}/`)),
      ),
    { error: 'the extensions that are used are named, and no others' },
  )
  .refine(
    ({ links }) =>
      ['self', 'root', 'parent', 'collection'].every(
        (rel) => links.filter((link) => link.rel === rel).length === 1,
      ),
    { error: 'it leads to itself, root, parent and collection' },
  );
