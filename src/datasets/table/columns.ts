import { z } from 'zod';
import { checkColumnNames } from '../../geo/engine.ts';
import { tableProblems } from '../../messages/datasets.ts';
import { type Cell, plainText } from './cells.ts';
import type { AttributeColumn } from './mapping-schema.ts';
import {
  commaFormats,
  commaProof,
  type CommaProof,
  decideCommas,
} from '../../../common/table/number-text.ts';

const maxSamples = 5;
/** Keeps an answer with thousands of columns readable; each column has at least one. */
const maxSamplesInAll = 50_000;
/** A longer sample is shown up to here, with an ellipsis. */
const maxSampleCharacters = 200;

/** The columns that have commas in numbers, and how these read. */
export const ColumnFormats = z.array(z.object({ column: z.string(), commas: z.enum(commaFormats) }));
export type ColumnFormats = z.infer<typeof ColumnFormats>;

export interface DetectedColumns {
  readonly columns: AttributeColumn[];
  readonly formats: ColumnFormats;
}

/** Gathers up to five distinct values of each column, and what its commas mean. @throws {Problem} without usable columns. */
export async function detectColumns(
  names: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): Promise<DetectedColumns> {
  if (names.length === 0) throw tableProblems.noColumns();
  checkColumnNames(names.reduce((sum, { length }) => sum + length, 0));
  const samplesEach = Math.max(1, Math.min(maxSamples, Math.floor(maxSamplesInAll / names.length)));
  const seen = names.map((name) => ({ name, samples: new Set<string>(), proofs: new Set<CommaProof>() }));
  for await (const row of rows) {
    for (const [index, column] of seen.entries()) {
      const text = plainText(row[index]);
      if (text === undefined) continue;
      if (column.samples.size < samplesEach) column.samples.add(abridge(text));
      const proof = commaProof(text);
      if (proof !== undefined) column.proofs.add(proof);
    }
  }
  return {
    columns: seen.map(({ name, samples }) => ({ name, samples: [...samples] })),
    formats: seen.flatMap(({ name, proofs }) => {
      const commas = decideCommas(proofs);
      return commas === undefined ? [] : [{ column: name, commas }];
    }),
  };
}

function abridge(text: string): string {
  if (text.length <= maxSampleCharacters) return text;
  const characters = Array.from(text.slice(0, 2 * maxSampleCharacters)).slice(0, maxSampleCharacters);
  return `${characters.join('')}…`;
}
