import { membersOf } from '../../../json/members-of.ts';
import { geojsonWarnings } from '../../../messages/geojson.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import { readFeatures, surveyDocument } from './document.ts';
import { columnsWithId, placeIds, withId } from './feature-ids.ts';
import { readGeometry } from '../features/geometry.ts';
import type { SourceCrs, VectorFile } from '../features/vector-file.ts';

/** GeoJSON has one layer, which has no name. */
const layerName = 'GeoJSON';

interface Opening {
  readonly gatherColumns: boolean;
  readonly findings: Pick<FindingsCollector, 'warn'>;
}

/**
 * Opens a GeoJSON file. GDAL has no part in it: properties are those of the text, with the ids of the features where no
 * property is called so.
 * @throws {Problem} when it is no GeoJSON.
 */
export function openGeoJson(path: string, opening: Opening): VectorFile {
  const survey = surveyDocument(path, opening);
  const ids = placeIds(path, survey);
  if (ids === 'left-out') opening.findings.warn('ids_left_out', geojsonWarnings.idsLeftOut(survey.idCount));
  if (survey.wrongIdCount > 0)
    opening.findings.warn('ids_left_out', geojsonWarnings.wrongIds(survey.wrongIdCount));
  return {
    source: {
      driver: 'GeoJSON',
      layer: null,
      layers: [{ name: layerName, features: survey.featureCount, geometry_types: [] }],
      encoding: 'UTF-8',
      encoding_from: 'format',
    },
    crs: readCrsMember(survey.crs),
    columns: ids === 'column' ? columnsWithId(survey.columns) : survey.columns,
    *features({ geometry: withGeometry }) {
      let number = 0;
      for (const { properties, geometry, id } of readFeatures(path, survey)) {
        number += 1;
        const shape = withGeometry && geometry !== undefined;
        yield {
          properties: ids === 'column' ? withId(properties, id) : properties,
          geometry: shape ? readGeometry(geometry, `feature ${number}`) : undefined,
        };
      }
    },
  };
}

const epsgName =
  /^(?:EPSG:|urn:ogc:def:crs:EPSG:[^:]{0,16}:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]{0,16}\/)(\d{1,6})$/i;
const crs84Name =
  /^(?:OGC:|urn:ogc:def:crs:OGC:[^:]{0,16}:|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[^/]{0,16}\/)?CRS84$/i;
const maxEpsgCode = 999_999;

/**
 * Reads the `crs` member of the old GeoJSON: names of EPSG numbers and CRS84, of which some look like addresses and none
 * is fetched, and bare numbers. Links and every other name are unknown; nothing of the member goes any further than the
 * number.
 */
export function readCrsMember(text: Buffer | undefined): SourceCrs {
  const member: unknown = text === undefined ? null : JSON.parse(text.toString());
  if (member === null) return { kind: 'wgs84', isNamed: false };
  const { type, properties } = membersOf(member);
  const { name, code: number } = membersOf(properties);
  if (type === 'name' && typeof name === 'string' && crs84Name.test(name))
    return { kind: 'wgs84', isNamed: true };
  const code =
    type === 'EPSG' ? Number(number) : type === 'name' ? Number(epsgName.exec(String(name))?.[1]) : 0;
  if (!(Number.isInteger(code) && code > 0 && code <= maxEpsgCode)) return { kind: 'unknown-member' };
  return code === 4326 ? { kind: 'wgs84', isNamed: true } : { kind: 'epsg', code };
}
