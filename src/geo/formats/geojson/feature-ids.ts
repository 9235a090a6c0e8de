import { JsonReader } from '../../../json/json-reader.ts';
import { geojsonProblems } from '../../../messages/geojson.ts';
import { maxTableColumns } from '../../engine.ts';
import { type DocumentSurvey, readFeatures } from './document.ts';
import { bytesFrom } from './geojson-file.ts';

/** The name of the column of ids, as GDAL has it. */
const idColumn = 'id';

const blanks = new Set(Buffer.from(' \t\n\r'));
const closeBrace = 0x7d;
const membersOfIds: ReadonlySet<string> = new Set(['properties', 'id']);

/**
 * Decides what becomes of the ids of features: a column, unless some feature has a property of that name. Then they are left
 * out, which loses nothing where each equals the property.
 */
export function placeIds(path: string, survey: DocumentSurvey): 'none' | 'column' | 'left-out' | 'repeated' {
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

/** Puts the column of ids before all others, where GDAL has it. @throws {Problem} when it is one too many. */
export function columnsWithId(columns: readonly string[]): readonly string[] {
  if (columns.length === maxTableColumns) throw geojsonProblems.tooManyColumns(maxTableColumns);
  return [idColumn, ...columns];
}

/** Adds the id of a feature, if it has one, to the text of its properties; no property has that name. */
export function withId(properties: Buffer | undefined, id: Buffer | undefined): Buffer | undefined {
  if (id === undefined) return properties;
  const rest = properties?.subarray(1) ?? Buffer.from('}');
  const isEmpty = rest.find((byte) => !blanks.has(byte)) === closeBrace;
  return Buffer.concat([Buffer.from(`{"${idColumn}":`), id, Buffer.from(isEmpty ? '' : ','), rest]);
}

/** The text of the property of that name; undefined when there is none. */
function idProperty(properties: Buffer): Buffer | undefined {
  // Most have none, which a search tells sooner; the name may be written with escapes.
  if (!properties.includes('"id"') && !properties.includes('\\u')) return undefined;
  const reader = new JsonReader(bytesFrom(properties), properties.length);
  let found: Buffer | undefined;
  for (const key of reader.members()) {
    if (key === idColumn) found = reader.capture();
    else reader.skip();
  }
  return found;
}

/** An id as text: 5 and "5" are the same. */
function plain(json: Buffer): string {
  const text = json.toString();
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
