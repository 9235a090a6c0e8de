import { Problem } from '../../../common/errors.ts';
import { quoted } from '../../../common/readable.ts';
import { checkColumnNames, maxTableColumns } from '../../engine.ts';
import { KiB } from '../../../common/units.ts';
import { walkFile } from './geojson-file.ts';
import { type JsonFault, JsonLimit, NotUtf8 } from '../../../json/json-fault.ts';
import type { JsonReader } from '../../../json/json-reader.ts';

const geometryTypes: readonly string[] = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
];

/** One feature; texts are as they stand in the file, absent when the member is missing or null. */
export interface RawFeature {
  readonly properties: Buffer | undefined;
  readonly geometry: Buffer | undefined;
}

/** What a first reading of the whole file tells. */
export interface DocumentSurvey {
  readonly type: string;
  readonly featureCount: number;
  /** The text of the old `crs` member. */
  readonly crs: Buffer | undefined;
  /** Names of the properties of all features, in the order of their first appearance. */
  readonly columns: readonly string[];
}

/** Of one name. */
const maxColumnLetters = 64 * KiB;

/** The names of columns in the order of their first appearance, and how many characters they have together. */
class ColumnNames {
  readonly names = new Set<string>();
  #characters = 0;

  /** @throws {Problem} when it is one too many, or too long. */
  add(name: string): void {
    if (this.names.has(name)) return;
    if (name.length > maxColumnLetters) throw tooLongName();
    this.names.add(name);
    this.#characters += name.length;
    if (this.names.size > maxTableColumns) throw tooManyColumns();
    checkColumnNames(this.#characters);
  }
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const lowerN = 0x6e;

/**
 * Reads a GeoJSON file from end to end and checks that it is valid JSON and made of features, whatever the order of its
 * members. Property names are gathered only for a table.
 * @throws {Problem} that says what is wrong and where.
 */
export function surveyDocument(path: string, options: { readonly gatherColumns: boolean }): DocumentSurvey {
  const [survey] = walkFile(path, (reader) => walkDocument(reader, options));
  if (survey === undefined) throw notGeoJson('it is empty');
  return survey;
}

function* walkDocument(
  reader: JsonReader,
  options: { readonly gatherColumns: boolean },
): Generator<DocumentSurvey> {
  const first = reader.peek();
  if (first === -1) throw notGeoJson('it is empty');
  /** Of the features in the list, and of the object itself, which may be one. */
  const [listed, own] = [new ColumnNames(), new ColumnNames()];
  const gather = (columns: ColumnNames) => (options.gatherColumns ? columns : undefined);
  if (first !== openBrace) {
    reader.skip();
    reader.finish();
    throw notGeoJson('it does not begin with an object');
  }
  let type: string | undefined;
  let crs: Buffer | undefined;
  let featureLists = 0;
  let featureCount = 0;
  let featureFault: string | undefined;
  const ownShape = new FeatureShape();
  for (const key of reader.members()) {
    if (key === 'features' && reader.peek() === openBracket) {
      featureLists += 1;
      for (const _ of reader.elements()) {
        featureCount += 1;
        const fault = checkFeature(reader, gather(listed));
        if (fault !== undefined) featureFault ??= `feature ${featureCount} ${fault}`;
      }
    } else if (key === 'type') {
      type = readText(reader);
    } else if (key === 'crs') {
      crs = reader.capture();
    } else if (key === 'properties' || key === 'geometry') {
      ownShape.check(reader, key, gather(own));
    } else {
      reader.skip();
    }
  }
  reader.finish();

  let columns = listed;
  switch (type) {
    case 'FeatureCollection':
      if (featureLists === 0) throw notGeoJson('its "features" are missing or no list');
      if (featureLists > 1) throw notGeoJson('it has two lists of "features"');
      if (featureFault !== undefined) throw notGeoJson(featureFault);
      break;
    case 'Feature':
      if (ownShape.fault !== undefined) throw notGeoJson(`its feature ${ownShape.fault}`);
      featureCount = 1;
      columns = own;
      break;
    default:
      if (type === undefined) throw notGeoJson('it has no "type"');
      if (!geometryTypes.includes(type)) throw notGeoJson(`its "type" is ${quoted(type)}`);
      featureCount = 1;
      columns = new ColumnNames();
  }
  yield { type, featureCount, crs, columns: [...columns.names] };
}

/** What is wrong with the members of one feature, looked at as they come. */
class FeatureShape {
  fault: string | undefined;

  check(reader: JsonReader, key: 'properties' | 'geometry', columns: ColumnNames | undefined): void {
    const byte = reader.peek();
    if (byte === openBrace && key === 'properties' && columns !== undefined) {
      for (const column of reader.members()) {
        reader.skip();
        columns.add(column);
      }
      return;
    }
    if (byte !== openBrace && byte !== lowerN)
      this.fault ??= `has "${key}" that is neither an object nor null`;
    reader.skip();
  }
}

function checkFeature(reader: JsonReader, columns: ColumnNames | undefined): string | undefined {
  if (reader.peek() !== openBrace) {
    reader.skip();
    return 'is no object';
  }
  const shape = new FeatureShape();
  let type: string | undefined;
  for (const key of reader.members()) {
    if (key === 'properties' || key === 'geometry') shape.check(reader, key, columns);
    else if (key === 'type') type = readText(reader);
    else reader.skip();
  }
  return type === 'Feature' ? shape.fault : 'has no "type": "Feature"';
}

/** The features of a file that `surveyDocument` found sound, one at a time. A bare geometry is a feature without properties. */
export function readFeatures(path: string, survey: DocumentSurvey): Generator<RawFeature, void, void> {
  return walkFile(path, function* (reader) {
    if (survey.type === 'FeatureCollection') {
      for (const key of reader.members()) {
        if (key !== 'features' || reader.peek() !== openBracket) {
          reader.skip();
          continue;
        }
        for (const _ of reader.elements()) {
          const members = captureMembers(reader, ['properties', 'geometry']);
          yield { properties: members.get('properties'), geometry: members.get('geometry') };
        }
      }
    } else if (survey.type === 'Feature') {
      const members = captureMembers(reader, ['properties', 'geometry']);
      yield { properties: members.get('properties'), geometry: members.get('geometry') };
    } else {
      yield { properties: undefined, geometry: reader.capture() };
    }
  });
}

/**
 * The features of a GeoJSONSeq text as GDAL writes it: one in each line. What GDAL can not have made by itself is told as
 * a fault of the feature, the first of which has the number `first`.
 * @throws {Problem}
 */
export function readFeatureSequence(path: string, first: number): Generator<RawFeature, void, void> {
  function* walk(reader: JsonReader): Generator<RawFeature, void, void> {
    while (reader.peek() !== -1) {
      const members = captureMembers(reader, ['properties', 'geometry']);
      yield { properties: members.get('properties'), geometry: members.get('geometry') };
    }
  }
  return walkFile(path, walk, (fault, { line }) => faultOfFeature(fault, first + line - 1));
}

function faultOfFeature(fault: JsonFault, number: number): string {
  if (fault instanceof NotUtf8) {
    return `Feature ${number} has text, or a column with a name, that is not in UTF-8. Export the layer again with UTF-8 as its encoding and upload it again.`;
  }
  return fault instanceof JsonLimit
    ? `Feature ${number} is more than can be read: ${fault.message}. Simplify it and upload the file again.`
    : `The file is damaged: feature ${number} can not be read. Export it again from its source and upload it again.`;
}

/** The text of the named members of the object that follows; a null counts as missing, the last of a repeated name holds. */
function captureMembers(reader: JsonReader, names: readonly string[]): ReadonlyMap<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (const key of reader.members()) {
    if (!names.includes(key)) reader.skip();
    else if (reader.peek() === openBrace) members.set(key, reader.capture());
    else {
      members.delete(key);
      reader.skip();
    }
  }
  return members;
}

function readText(reader: JsonReader): string | undefined {
  const value: unknown = JSON.parse(reader.capture().toString());
  return typeof value === 'string' ? value : undefined;
}

function tooManyColumns(): Problem {
  return new Problem(
    'invalid',
    `The features have more than ${maxTableColumns.toLocaleString('en')} different properties; remove some and upload again.`,
  );
}

function tooLongName(): Problem {
  return new Problem(
    'invalid',
    `The features have a property whose name is longer than ${maxColumnLetters} letters; give it a shorter one and upload again.`,
  );
}

function notGeoJson(why: string): Problem {
  return new Problem('invalid', `The file is not GeoJSON: ${why}. Export it again as GeoJSON (RFC 7946).`);
}
