import type { Problem } from '../../../common/errors.ts';
import { checkColumnNames, maxTableColumns } from '../../engine.ts';
import { KiB } from '../../../common/units.ts';
import { walkFile } from './geojson-file.ts';
import { type JsonFault, JsonLimit, NotUtf8 } from '../../../json/json-fault.ts';
import type { JsonReader } from '../../../json/json-reader.ts';
import { featureFaults, featureProblems, geojsonProblems } from '../../../messages/geojson.ts';

const geometryTypes = /^(?:(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)$/;

/** One feature; texts are as they stand in the file, absent when the member is missing or null. */
export interface RawFeature {
  readonly properties: Buffer | undefined;
  readonly geometry: Buffer | undefined;
}

/** Facts from a first reading of the whole file. */
export interface DocumentSurvey {
  readonly type: string;
  readonly featureCount: number;
  /** The text of the old `crs` member. */
  readonly crs: Buffer | undefined;
  /** Names of the properties of all features, in the order of their first appearance. */
  readonly columns: readonly string[];
}

const maxColumnLetters = 64 * KiB;

/** The names of columns in the order of their first appearance, and how many characters they have together. */
class ColumnNames {
  readonly names = new Set<string>();
  #characters = 0;

  /** @throws {Problem} when it is one too many, or too long. */
  add(name: string): void {
    if (this.names.has(name)) return;
    if (name.length > maxColumnLetters) throw geojsonProblems.longColumnName(maxColumnLetters);
    this.names.add(name);
    this.#characters += name.length;
    if (this.names.size > maxTableColumns) throw geojsonProblems.tooManyColumns(maxTableColumns);
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
  if (survey === undefined) throw geojsonProblems.empty();
  return survey;
}

function* walkDocument(
  reader: JsonReader,
  options: { readonly gatherColumns: boolean },
): Generator<DocumentSurvey> {
  const first = reader.peek();
  if (first === -1) throw geojsonProblems.empty();
  /** The `type` of the features in the list, and of the object itself, which may be one. */
  const [listed, own] = [new ColumnNames(), new ColumnNames()];
  const gather = (columns: ColumnNames) => (options.gatherColumns ? columns : undefined);
  if (first !== openBrace) {
    reader.skip();
    reader.finish();
    throw geojsonProblems.noObject();
  }
  let type: string | undefined;
  let crs: Buffer | undefined;
  let featureLists = 0;
  let featureCount = 0;
  let wrongFeature: Problem | undefined;
  const ownShape = new FeatureShape();
  for (const key of reader.members()) {
    if (key === 'features' && reader.peek() === openBracket) {
      featureLists += 1;
      for (const _ of reader.elements()) {
        featureCount += 1;
        const fault = checkFeature(reader, gather(listed));
        if (fault !== undefined) wrongFeature ??= geojsonProblems.wrongFeature(fault, featureCount);
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
      if (featureLists === 0) throw geojsonProblems.noFeatures();
      if (featureLists > 1) throw geojsonProblems.twoLists();
      if (wrongFeature !== undefined) throw wrongFeature;
      break;
    case 'Feature':
      if (ownShape.fault !== undefined) throw geojsonProblems.wrongFeature(ownShape.fault, undefined);
      featureCount = 1;
      columns = own;
      break;
    default:
      if (type === undefined) throw geojsonProblems.noType();
      if (!geometryTypes.test(type)) throw geojsonProblems.unknownType(type);
      featureCount = 1;
      columns = new ColumnNames();
  }
  yield { type, featureCount, crs, columns: [...columns.names] };
}

/** Checks the members of one feature as they come. */
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
    if (byte !== openBrace && byte !== lowerN) this.fault ??= featureFaults.wrongMember(key);
    reader.skip();
  }
}

function checkFeature(reader: JsonReader, columns: ColumnNames | undefined): string | undefined {
  if (reader.peek() !== openBrace) {
    reader.skip();
    return featureFaults.noObject;
  }
  const shape = new FeatureShape();
  let type: string | undefined;
  for (const key of reader.members()) {
    if (key === 'properties' || key === 'geometry') shape.check(reader, key, columns);
    else if (key === 'type') type = readText(reader);
    else reader.skip();
  }
  return type === 'Feature' ? shape.fault : featureFaults.wrongType;
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
        for (const _ of reader.elements()) yield captureFeature(reader);
      }
    } else if (survey.type === 'Feature') {
      yield captureFeature(reader);
    } else {
      yield { properties: undefined, geometry: reader.capture() };
    }
  });
}

/**
 * The features of a GeoJSONSeq text as GDAL writes it: one in each line. What GDAL cannot have made by itself is told as
 * a fault of the feature, the first of which has the number `first`.
 * @throws {Problem}
 */
export function readFeatureSequence(path: string, first: number): Generator<RawFeature, void, void> {
  function* walk(reader: JsonReader): Generator<RawFeature, void, void> {
    while (reader.peek() !== -1) yield captureFeature(reader);
  }
  return walkFile(path, walk, (fault, { line }) => problemOfFeature(fault, first + line - 1));
}

function problemOfFeature(fault: JsonFault, feature: number): Problem {
  if (fault instanceof NotUtf8) return featureProblems.notUtf8(feature);
  return fault instanceof JsonLimit
    ? featureProblems.limit(feature, fault.message)
    : featureProblems.unreadable(feature);
}

/** Takes the texts of a feature out of the object that follows; null counts as missing, the last of a repeated member holds. */
function captureFeature(reader: JsonReader): RawFeature {
  const texts: { properties?: Buffer | undefined; geometry?: Buffer | undefined } = {};
  for (const key of reader.members()) {
    if (key !== 'properties' && key !== 'geometry') {
      reader.skip();
      continue;
    }
    texts[key] = undefined;
    if (reader.peek() === openBrace) texts[key] = reader.capture();
    else reader.skip();
  }
  return { properties: texts.properties, geometry: texts.geometry };
}

function readText(reader: JsonReader): string | undefined {
  const value: unknown = JSON.parse(reader.capture().toString());
  return typeof value === 'string' ? value : undefined;
}
