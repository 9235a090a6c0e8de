import type { FindingsCollector } from '../../gather-findings.ts';
import { shapefileWarnings } from '../../../messages/vector/english.ts';
import type { Charset } from '../../../../common/charset/charset.ts';
import { createEvidence } from './charset/choose.ts';
import { withoutCutCharacter } from './charset/cut-character.ts';
import { createCellReader, cellKindOf, type DbfRow, type ReadCell, nullMarksOf } from './dbf-cells.ts';
import {
  maxNameBytes,
  type DbfField,
  type DbfHeader,
  readDbfHeader,
  openToRead,
  withFile,
  type OpenFile,
} from './records.ts';
import { SaxesParser } from 'saxes';

/** Mark of a deleted row. */
const deleted = 0x2a;

/** Results of a first pass over a table. */
type DbfSurvey = Exclude<ReturnType<typeof surveyDbf>, string | undefined>;

/**
 * Reads a table completely and returns which columns are readable, with statistics for its encoding. `dBase 7` for a
 * table of that version, undefined if the file is not a dBase table.
 */
export function surveyDbf(path: string) {
  return withFile(path, (file) => {
    const header = readDbfHeader(file);
    if (header === undefined || header === 'dBase 7') return header;
    const marks = nullMarksOf(header.fields);
    const columns = header.fields.filter((field) => !marks.isHidden(field));
    const evidence = createEvidence();
    for (const { name } of columns) evidence.add(name, { begin: 0, end: name.length, room: maxNameBytes });
    const unreadable = new Set<DbfField>();
    const kinds = columns.map((field) => ({ field, kind: cellKindOf(field) }));
    const texts = kinds.flatMap(({ field, kind }) =>
      kind.isText ? [{ field, endOf: marks.endOf(field) }] : [],
    );
    const doubtful = kinds.flatMap(({ field, kind: { canRead } }) => (canRead ? [{ field, canRead }] : []));
    for (const row of rowsOf(file, header)) {
      if (row[0] === deleted) continue;
      for (const { field, endOf } of texts) {
        const { offset, length } = field;
        evidence.add(row, { begin: offset, end: endOf?.(row) ?? offset + length, room: offset + length });
      }
      for (const { field, canRead } of doubtful) {
        const isWrong =
          !unreadable.has(field) && !canRead(row.subarray(field.offset, field.offset + field.length));
        if (isWrong) unreadable.add(field);
      }
    }
    return { path, header, marks, columns, unreadable, evidence: evidence.finish() };
  });
}

/** Settings for reading the columns of a table. */
interface TableReading {
  readonly charset: Charset;
  /** One name per column of the survey. */
  readonly names: readonly string[];
  readonly findings: FindingsCollector;
}

/** Yields the rows of a table in order, each as the JSON text of an object; undefined for a deleted row. */
export function* readDbfRows(
  { path, header, marks, columns, unreadable }: DbfSurvey,
  { charset, names, findings }: TableReading,
): Generator<Buffer | undefined, void, void> {
  const datesWrong = new Map<string, number>();
  const cells: { readonly key: string; readonly read: ReadCell }[] = [];
  for (const [index, field] of columns.entries()) {
    if (unreadable.has(field)) continue;
    const name = names[index] ?? '';
    const noDate = () => datesWrong.set(name, (datesWrong.get(name) ?? 0) + 1);
    const read = createCellReader(field, { charset, noDate, marks });
    const key = `${cells.length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    cells.push({ key, read });
  }
  using file = openToRead(path);
  for (const bytes of rowsOf(file, header)) {
    if (bytes[0] === deleted) {
      yield undefined;
      continue;
    }
    const row: DbfRow = { bytes, letters: bytes.toString('latin1') };
    let text = cells.length === 0 ? '{' : '';
    for (const { key, read } of cells) text += key + read(row);
    yield Buffer.from(`${text}}`);
  }
  for (const [name, count] of datesWrong)
    findings.warn('dates_impossible', shapefileWarnings.datesImpossible(name, count));
}

function* rowsOf(
  file: OpenFile,
  { dataOffset, recordBytes, rowsThere }: DbfHeader,
): Generator<Buffer, void, void> {
  for (let row = 0; row < rowsThere; row += 1) yield file.at(dataOffset + row * recordBytes, recordBytes);
}

/**
 * Decodes the names of a table's fields to unique names: repairs names that were cut inside a letter, and replaces them by the full name in
 * the metadata if exactly one has this beginning. `truncated` are the names that were changed, including those that were numbered.
 */
export function readableNames(raw: readonly Uint8Array[], charset: Charset, fullNames: readonly string[]) {
  const truncated: string[] = [];
  const known = new Set(raw.map((bytes) => charset.decode(bytes)));
  const candidates = [...new Set(fullNames)].filter((name) => !known.has(name));
  const taken = new Set<string>();
  const names = raw.map((bytes, index) => {
    const whole = withoutCutCharacter(bytes, charset);
    const short = charset.decode(whole);
    // Only a name that fills its field can be truncated.
    const longer =
      bytes.length < maxNameBytes || short === ''
        ? []
        : candidates.filter((name) => name.length > short.length && name.startsWith(short));
    const [full] = longer;
    const only = longer.length === 1 && full !== undefined && !taken.has(full) ? full : undefined;
    const name = free(only ?? (short === '' ? `field_${index + 1}` : short), taken);
    if (name !== short || whole.length < bytes.length) truncated.push(name);
    taken.add(name);
    return name;
  });
  return { names, truncated };
}

/** Numbers a name that another field has already. */
function free(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}_${number}`;
  return unique;
}

/** Elements with field names in the metadata of ESRI and FGDC. */
const fieldNameElements: readonly string[] = ['attrlabl', 'attrlabel'];
/** Longer texts are not names. */
const maxNameLetters = 255;

/** Reads the full field names from a `.shp.xml`; none if it is invalid XML or has a DOCTYPE. */
export function readFieldNames(xml: string): readonly string[] {
  const names: string[] = [];
  let text: string | undefined;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    text = fieldNameElements.includes(name.toLowerCase()) ? '' : undefined;
  });
  parser.on('text', (piece) => {
    if (text !== undefined) text += piece;
  });
  parser.on('closetag', () => {
    const name = text?.trim() ?? '';
    if (name !== '' && name.length <= maxNameLetters) names.push(name);
    text = undefined;
  });
  try {
    parser.write(xml).close();
  } catch {
    return [];
  }
  return names;
}
