import { flat } from '../standards/boxes.ts';
import { assetsOf, isDrawable } from './assets.ts';
import type { ClassFacts, ItemRow } from './item-rows.ts';
import type { ItemJson } from './schemas.ts';
import { bandsOf, projectionOf, readRasterReport } from './raster-properties.ts';
import { extensionUrls, stacVersion } from './versions.ts';

interface ItemFacts {
  readonly classes: readonly ClassFacts[];
  /** Warns of invented values; null without any. */
  readonly warning: string | null;
}

/** Describes a dataset as a STAC item. @param base the address of the service, without a trailing slash */
export function itemOf(row: ItemRow, base: string, { classes, warning }: ItemFacts): ItemJson {
  const report = row.fileType === 'raster' ? readRasterReport(row) : undefined;
  const bands = report === undefined ? undefined : bandsOf(report, row, classes);
  const pixels = report && { ...projectionOf(report), ...(bands === undefined ? {} : { bands }) };
  const assets = assetsOf(row, `${base}/datasets/${row.id}`, pixels);
  const place = placeOf(row.extent);
  const properties = {
    title: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    ...timesOf(row),
    created: row.createdAt.toISOString(),
    updated: row.updatedAt.toISOString(),
    'steppe:file_type': row.fileType,
    ...(row.unit === null ? {} : { 'steppe:unit': row.unit }),
    ...softwareOf(row),
    ...(warning === null ? {} : { 'processing:lineage': warning }),
    ...(row.runId === null
      ? {}
      : {
          'landscape:run_id': row.runId,
          'landscape:node': row.node,
          'landscape:fingerprint': row.fingerprint,
        }),
  };
  const links = linksOf(row, base);
  const members = { properties, assets, links };
  return {
    type: 'Feature',
    stac_version: stacVersion,
    stac_extensions: extensionsIn(JSON.stringify(members)),
    id: row.id,
    collection: row.collection,
    ...place,
    ...members,
  };
}

/** Returns the extensions that an item uses. */
function extensionsIn(text: string): string[] {
  return extensionUrls.filter(({ sign }) => sign.test(text)).map(({ url }) => url);
}

/** Returns the box as a geometry, with two polygons across 180°; null for data that do not lie on the earth. */
function placeOf(extent: readonly number[] | null): Pick<ItemJson, 'geometry' | 'bbox'> {
  if (extent === null) return { geometry: null };
  const [west, south, east, north] = flat(extent);
  const ring = (from: number, to: number) => [
    [from, south],
    [to, south],
    [to, north],
    [from, north],
    [from, south],
  ];
  const geometry =
    west <= east
      ? { type: 'Polygon' as const, coordinates: [ring(west, east)] }
      : { type: 'MultiPolygon' as const, coordinates: [[ring(west, 180)], [ring(-180, east)]] };
  return { geometry, bbox: [west, south, east, north] };
}

/**
 * Returns the times of an item. Days are whole days in UTC. `datetime` is the time by which searches sort and filter; it is never null
 * beside a period, although STAC allows this, because many clients fail then.
 */
function timesOf({ startDate, endDate, createdAt }: ItemRow) {
  const start = startDate ?? endDate;
  if (start === null) return { datetime: createdAt.toISOString() };
  return {
    datetime: `${start}T00:00:00Z`,
    start_datetime: `${start}T00:00:00Z`,
    end_datetime: `${endDate ?? start}T23:59:59.999Z`,
  };
}

/** Returns names and versions of programs; those that made a dataset take precedence over the one that read it. */
function softwareOf({ engine, madeWith }: ItemRow) {
  const { steppe, gdal, proj } = madeWith ?? {};
  const named = { GDAL: gdal ?? engine, PROJ: proj, Steppe: steppe };
  const software = Object.entries(named).flatMap(([name, said]) => {
    const [version] = typeof said === 'string' ? said.split(' ').slice(-1) : [];
    return version === undefined ? [] : [[name, version] as const];
  });
  return software.length === 0 ? {} : { 'processing:software': Object.fromEntries(software) };
}

function linksOf(row: ItemRow, base: string): ItemJson['links'] {
  const { id, collection, name: title } = row;
  const parent = `${base}/stac/collections/${encodeURIComponent(collection)}`;
  const json = 'application/json';
  return [
    { rel: 'self', href: `${parent}/items/${id}`, type: 'application/geo+json', title },
    { rel: 'root', href: `${base}/stac`, type: json },
    { rel: 'parent', href: parent, type: json },
    { rel: 'collection', href: parent, type: json },
    { rel: 'via', href: `${base}/datasets/${id}`, type: json, title: 'The dataset' },
    ...(isDrawable(row) ? mapLinks(row, `${base}/datasets/${id}`) : []),
    // One raster may fill several slots.
    ...[...new Map(row.inputs.map((input) => [input.id, input])).values()].map((input) => ({
      rel: 'derived_from',
      href: `${base}/stac/collections/${encodeURIComponent(input.collection)}/items/${input.id}`,
      type: 'application/geo+json',
      title: input.title,
    })),
  ];
}

function mapLinks({ id, fileType }: ItemRow, address: string): ItemJson['links'] {
  const isRaster = fileType === 'raster';
  const type = isRaster ? 'image/png' : 'application/vnd.mapbox-vector-tile';
  return [
    {
      rel: 'xyz',
      href: `${address}/tiles/{z}/{x}/{y}.${isRaster ? 'png' : 'mvt'}`,
      type,
      title: 'Tiles of a map',
    },
    { rel: 'tilejson', href: `${address}/tilejson.json`, type: 'application/json', title: 'TileJSON' },
    ...(isRaster
      ? [
          {
            rel: 'wmts',
            href: `${address}/wmts`,
            type: 'application/xml',
            title: 'Web Map Tile Service',
            'wmts:layer': [id],
          },
        ]
      : []),
  ];
}
