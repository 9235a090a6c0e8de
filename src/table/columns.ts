import { z } from 'zod';
import { checkColumnNames } from '../geo/engine.ts';
import { tableProblems } from '../messages/datasets/english.ts';
import { type Cell, plainText } from './cells.ts';
import type { AttributeColumn } from './mapping-schema.ts';
import {
  commaFormats,
  commaProof,
  type CommaProof,
  decideSeparator,
  pointProof,
} from '../../common/table/number-text.ts';

const maxSamples = 5;
/** Keeps an answer with thousands of columns readable; each column has at least one sample. */
const maxSamplesInAll = 50_000;
/** Longer samples are cut with an ellipsis. */
const maxSampleCharacters = 200;

const Format = z.enum(commaFormats);
/** Columns with commas in numbers, or points in texts of numbers, and the meaning of these. */
export const ColumnFormats = z.array(
  z.object({ column: z.string(), commas: Format.optional(), points: Format.optional() }),
);
export type ColumnFormats = z.infer<typeof ColumnFormats>;

export interface DetectedColumns {
  readonly columns: AttributeColumn[];
  readonly formats: ColumnFormats;
}

/**
 * Collects up to five distinct values of each column, and detects the meaning of commas.
 * @throws {Problem} without usable columns.
 */
export async function detectColumns(
  names: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): Promise<DetectedColumns> {
  if (names.length === 0) throw tableProblems.noColumns();
  checkColumnNames(names.reduce((sum, { length }) => sum + length, 0));
  const samplesEach = Math.max(1, Math.min(maxSamples, Math.floor(maxSamplesInAll / names.length)));
  const seen = names.map((name) => ({
    name,
    samples: new Set<string>(),
    commas: new Set<CommaProof>(),
    points: new Set<CommaProof>(),
  }));
  for await (const row of rows) {
    for (const [index, column] of seen.entries()) {
      const text = plainText(row[index]);
      if (text === undefined) continue;
      if (column.samples.size < samplesEach) column.samples.add(abridge(text));
      const comma = commaProof(text);
      if (comma !== undefined) column.commas.add(comma);
      // The point in a JSON number is a decimal point.
      const point = row[index]?.startsWith('"') === true ? pointProof(text) : undefined;
      if (point !== undefined) column.points.add(point);
    }
  }
  return {
    columns: seen.map(({ name, samples }) => ({ name, samples: [...samples] })),
    formats: seen.flatMap(({ name, commas, points }) => {
      const found = { commas: decideSeparator(commas), points: decideSeparator(points) };
      // Decimal points are the default.
      const said = found.points === 'decimal' ? {} : { points: found.points };
      const format = Object.entries({ commas: found.commas, ...said }).filter(([, is]) => is !== undefined);
      return format.length === 0 ? [] : [{ column: name, ...Object.fromEntries(format) }];
    }),
  };
}

function abridge(text: string): string {
  if (text.length <= maxSampleCharacters) return text;
  const characters = Array.from(text.slice(0, 2 * maxSampleCharacters)).slice(0, maxSampleCharacters);
  return `${characters.join('')}…`;
}
