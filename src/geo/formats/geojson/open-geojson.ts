import { membersOf } from '../../../json/verbatim-json.ts';
import { geojsonProblems, geojsonWarnings } from '../../../messages/vector/english.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { readFeatures, surveyDocument, type DocumentSurvey } from './document.ts';
import {
  readGeometry,
  type Parts,
  type Positions,
  type SourceCrs,
  type VectorFile,
} from '../features/geometry.ts';
import { JsonReader } from '../../../json/json-reader.ts';
import { maxTableColumns } from '../../engine.ts';
import { bytesFrom } from './geojson-file.ts';

/** GeoJSON has one layer without a name. */
const layerName = 'GeoJSON';

interface Opening {
  readonly gatherColumns: boolean;
  readonly findings: Pick<FindingsCollector, 'warn'>;
}

/**
 * Opens a GeoJSON file without GDAL: properties are verbatim, and the ids of features are added unless a property has that name.
 * @throws {Problem} if it is not GeoJSON.
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
const esriName = /^(?:ESRI:|urn:ogc:def:crs:ESRI:[^:]{0,16}:)(\d{1,6})$/i;
const crs84Name =
  /^(?:OGC:|urn:ogc:def:crs:OGC:[^:]{0,16}:|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[^/]{0,16}\/)?CRS84$/i;
const maxEpsgCode = 999_999;

/**
 * Parses the obsolete `crs` member: names of codes of EPSG and Esri, and CRS84, some of which look like URLs (none is fetched), and
 * bare numbers. Links and all other names are unsupported; only the number is passed on.
 */
export function readCrsMember(text: Buffer | undefined): SourceCrs {
  const member: unknown = text === undefined ? null : JSON.parse(text.toString());
  if (member === null) return { kind: 'wgs84', isNamed: false };
  const { type, properties } = membersOf(member);
  const { name, code: number } = membersOf(properties);
  if (type === 'name' && typeof name === 'string' && crs84Name.test(name))
    return { kind: 'wgs84', isNamed: true };
  const ownCode = type === 'name' ? Number(esriName.exec(String(name))?.[1]) : Number.NaN;
  if (ownCode > 0) return { kind: 'esri', code: ownCode };
  const code =
    type === 'EPSG' ? Number(number) : type === 'name' ? Number(epsgName.exec(String(name))?.[1]) : 0;
  if (!(Number.isInteger(code) && code > 0 && code <= maxEpsgCode)) return { kind: 'unknown-member' };
  return code === 4326 ? { kind: 'wgs84', isNamed: true } : { kind: 'epsg', code };
}

const maxLatitude = 90;
const maxLongitude = 180;

/** Observes positions, and reports whether all of them can be latitude first. */
export function createAxisOrder() {
  let mayBeLatitudeFirst = true;
  const observe = (positions: Positions) => {
    for (let i = 0; mayBeLatitudeFirst && i + 1 < positions.length; i += 2) {
      const [first = NaN, second = NaN] = [positions[i], positions[i + 1]];
      mayBeLatitudeFirst = Math.abs(first) <= maxLatitude && Math.abs(second) <= maxLongitude;
    }
  };
  return {
    observe({ points, lines, polygons }: Parts): void {
      observe(points);
      lines.forEach(observe);
      for (const rings of polygons) rings.forEach(observe);
    },
    mayBeLatitudeFirst: () => mayBeLatitudeFirst,
  };
}

/** Name of the column of ids, as in GDAL. */
const idColumn = 'id';

const blanks = new Set(Buffer.from(' \t\n\r'));
const closeBrace = 0x7d;
const membersOfIds: ReadonlySet<string> = new Set(['properties', 'id']);

/**
 * Decides where the ids of features go: into a column, unless some feature has a property of that name. Then they are
 * omitted, which loses nothing if each equals the property.
 */
function placeIds(path: string, survey: DocumentSurvey): 'none' | 'column' | 'left-out' | 'repeated' {
  if (survey.idCount === 0) return 'none';
  let [hasProperty, isLost] = [false, false];
  for (const { properties, id } of readFeatures(path, survey, membersOfIds)) {
    const property = properties && idProperty(properties);
    hasProperty ||= property !== undefined;
    isLost ||= id !== undefined && (property === undefined || plain(property) !== plain(id));
    if (hasProperty && isLost) return 'left-out';
  }
  return hasProperty ? 'repeated' : 'column';
}

/** Prepends the column of ids, as GDAL does. @throws {Problem} if that is one too many. */
function columnsWithId(columns: readonly string[]): readonly string[] {
  if (columns.length === maxTableColumns) throw geojsonProblems.tooManyColumns(maxTableColumns);
  return [idColumn, ...columns];
}

/** Adds the id of a feature, if any, to the text of its properties, which have no such name. */
function withId(properties: Buffer | undefined, id: Buffer | undefined): Buffer | undefined {
  if (id === undefined) return properties;
  const rest = properties?.subarray(1) ?? Buffer.from('}');
  const isEmpty = rest.find((byte) => !blanks.has(byte)) === closeBrace;
  return Buffer.concat([Buffer.from(`{"${idColumn}":`), id, Buffer.from(isEmpty ? '' : ','), rest]);
}

/** Returns the text of the property of that name; undefined for none. */
function idProperty(properties: Buffer): Buffer | undefined {
  // Most have none, which a search finds out faster; the name may be written with escapes.
  if (!properties.includes('"id"') && !properties.includes('\\u')) return undefined;
  const reader = new JsonReader(bytesFrom(properties), properties.length);
  let found: Buffer | undefined;
  for (const key of reader.members()) {
    if (key === idColumn) found = reader.capture();
    else reader.skip();
  }
  return found;
}

/** Returns an id as text: 5 and "5" are the same. */
function plain(json: Buffer): string {
  const text = json.toString();
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
