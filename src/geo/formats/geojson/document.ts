import type { Problem } from '../../../lib/errors.ts';
import { checkColumnNames, maxTableColumns } from '../../engine.ts';
import { KiB } from '../../../lib/units.ts';
import { walkFile } from './geojson-file.ts';
import type { JsonReader } from '../../../json/json-reader.ts';
import { featureFaults, geojsonProblems } from '../../../messages/vector.ts';
import { otherJson } from '../../../messages/contents.ts';
import { OtherMembers } from './other-json.ts';
import type { Message } from '../../../lib/message.ts';

const geometryTypes = /^(?:(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)$/;

/** One feature; texts are as they stand in the file, absent when the member is missing or null. */
export interface RawFeature {
  readonly properties: Buffer | undefined;
  readonly geometry: Buffer | undefined;
  /** The member `id` of the feature, if it is text or a number. */
  readonly id: Buffer | undefined;
}

/** Facts from a first reading of the whole file. */
export interface DocumentSurvey {
  readonly type: string;
  readonly featureCount: number;
  /** The text of the old `crs` member. */
  readonly crs: Buffer | undefined;
  /** Names of the properties of all features, in the order of their first appearance. */
  readonly columns: readonly string[];
  /** How many features have an id of their own. */
  readonly idCount: number;
  /** How many have an `id` that is neither a text nor a number. */
  readonly wrongIdCount: number;
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
const startsId = new Set(Buffer.from('"-0123456789'));

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
  const [listedIds, ownIds] = [new IdCounts(), new IdCounts()];
  if (first !== openBrace) {
    reader.skip();
    reader.finish();
    throw first === openBracket ? otherJson.list() : geojsonProblems.noObject();
  }
  const others = new OtherMembers();
  let type: string | undefined;
  let crs: Buffer | undefined;
  let featureLists = 0;
  let featureCount = 0;
  let wrongFeature: Problem | undefined;
  const ownShape = new FeatureShape();
  for (const key of reader.members()) {
    if (key === 'features' && reader.peek() === openBracket) {
      featureLists += 1;
      others.name(key);
      for (const _ of reader.elements()) {
        featureCount += 1;
        const fault = checkFeature(reader, gather(listed), listedIds, others);
        if (fault !== undefined) wrongFeature ??= geojsonProblems.wrongFeature(fault, featureCount);
      }
    } else if (key === 'type') {
      type = readText(reader);
    } else if (key === 'crs') {
      crs = reader.capture();
    } else if (key === 'id') {
      ownIds.count(reader);
    } else if (key === 'properties' || key === 'geometry') {
      ownShape.check(reader, key, gather(own));
    } else {
      others.pass(reader, key);
    }
  }
  if (reader.peek() === openBrace) throw otherJson.sequence();
  reader.finish();

  let [columns, ids] = [listed, listedIds];
  switch (type) {
    case 'FeatureCollection':
      if (featureLists === 0) throw geojsonProblems.noFeatures();
      if (featureLists > 1) throw geojsonProblems.twoLists();
      if (wrongFeature !== undefined) throw wrongFeature;
      break;
    case 'Feature':
      if (ownShape.fault !== undefined) throw geojsonProblems.wrongFeature(ownShape.fault, undefined);
      featureCount = 1;
      [columns, ids] = [own, ownIds];
      break;
    default:
      if (type === undefined) throw others.problem(type) ?? geojsonProblems.noType();
      if (!geometryTypes.test(type)) throw others.problem(type) ?? geojsonProblems.unknownType(type);
      featureCount = 1;
      [columns, ids] = [new ColumnNames(), new IdCounts()];
  }
  yield { type, featureCount, crs, columns: [...columns.names], idCount: ids.ids, wrongIdCount: ids.wrong };
}

/** Counts the members `id` of features. */
class IdCounts {
  ids = 0;
  wrong = 0;

  count(reader: JsonReader): void {
    const byte = reader.peek();
    if (startsId.has(byte)) this.ids += 1;
    else if (byte !== lowerN) this.wrong += 1;
    reader.skip();
  }
}

/** Checks the members of one feature as they come. */
class FeatureShape {
  fault: Message | undefined;

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

function checkFeature(
  reader: JsonReader,
  columns: ColumnNames | undefined,
  ids: IdCounts,
  others: OtherMembers,
): Message | undefined {
  if (reader.peek() !== openBrace) {
    reader.skip();
    return featureFaults.noObject;
  }
  const shape = new FeatureShape();
  let type: string | undefined;
  for (const key of reader.members()) {
    if (key === 'properties' || key === 'geometry') shape.check(reader, key, columns);
    else if (key === 'type') type = readText(reader);
    else if (key === 'id') ids.count(reader);
    else {
      if (key === 'attributes') others.hasAttributes = true;
      reader.skip();
    }
  }
  return type === 'Feature' ? shape.fault : featureFaults.wrongType;
}

/**
 * The features of a file that `surveyDocument` found sound, one at a time. A bare geometry is a feature without properties.
 * @param wanted the members to take; all others are absent.
 */
export function readFeatures(
  path: string,
  survey: Pick<DocumentSurvey, 'type'>,
  wanted: Wanted = everyMember,
): Generator<RawFeature, void, void> {
  return walkFile(path, function* (reader) {
    if (survey.type === 'FeatureCollection') {
      for (const key of reader.members()) {
        if (key !== 'features' || reader.peek() !== openBracket) {
          reader.skip();
          continue;
        }
        for (const _ of reader.elements()) yield captureFeature(reader, wanted);
      }
    } else if (survey.type === 'Feature') {
      yield captureFeature(reader, wanted);
    } else {
      yield { properties: undefined, geometry: reader.capture(), id: undefined };
    }
  });
}

type Wanted = ReadonlySet<string>;
const everyMember: Wanted = new Set(['properties', 'geometry', 'id']);

/** Takes the texts of a feature out of the object that follows; null counts as missing, the last of a repeated member holds. */
function captureFeature(reader: JsonReader, wanted: Wanted): RawFeature {
  const texts: Partial<Record<string, Buffer>> = {};
  for (const key of reader.members()) {
    if (!wanted.has(key)) {
      reader.skip();
      continue;
    }
    const byte = reader.peek();
    const isTaken = key === 'id' ? startsId.has(byte) : byte === openBrace;
    if (isTaken) texts[key] = reader.capture();
    else {
      delete texts[key];
      reader.skip();
    }
  }
  return { properties: texts['properties'], geometry: texts['geometry'], id: texts['id'] };
}

function readText(reader: JsonReader): string | undefined {
  const value: unknown = JSON.parse(reader.capture().toString());
  return typeof value === 'string' ? value : undefined;
}
