import type { Problem } from '../../../lib/errors.ts';
import { checkColumnNames, maxTableColumns } from '../../engine.ts';
import { KiB } from '../../../lib/units.ts';
import { walkFile } from './geojson-file.ts';
import type { JsonReader } from '../../../json/json-reader.ts';
import { featureFaults, geojsonProblems } from '../../../messages/vector/english.ts';
import { otherJson } from '../../../messages/contents/english.ts';
import { OtherMembers } from './other-json.ts';
import type { Message } from '../../../lib/message.ts';

const geometryTypes = /^(?:(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)$/;

/** One feature with its texts verbatim; absent if a member is missing or null. */
export interface RawFeature {
  readonly properties: Buffer | undefined;
  readonly geometry: Buffer | undefined;
  /** Member `id` of the feature, if it is a text or a number. */
  readonly id: Buffer | undefined;
}

/** Facts from a first pass over the whole file. */
export interface DocumentSurvey {
  readonly type: string;
  readonly featureCount: number;
  /** Text of the obsolete `crs` member. */
  readonly crs: Buffer | undefined;
  /** Names of the properties of all features, in order of first occurrence. */
  readonly columns: readonly string[];
  readonly idCount: number;
  /** Number of features whose `id` is neither a text nor a number. */
  readonly wrongIdCount: number;
}

const maxColumnLetters = 64 * KiB;

/** Column names in order of first occurrence, and their total length. */
class ColumnNames {
  readonly names = new Set<string>();
  #characters = 0;

  /** @throws {Problem} for too many names, or too long ones. */
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
 * Reads a GeoJSON file completely and checks that it is valid JSON and consists of features, in any order of members.
 * Collects property names for a table only.
 * @throws {Problem} with the fault and its place.
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
  /** `type` of the listed features, and of the object itself, which may be a feature. */
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

/** Checks the members of one feature in order. */
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
 * Yields the features of a file that `surveyDocument` has accepted. A bare geometry is a feature without properties.
 * @param wanted the members to read; all others are absent.
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

/** Captures the texts of a feature from the next object; null counts as missing, the last of repeated members wins. */
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
