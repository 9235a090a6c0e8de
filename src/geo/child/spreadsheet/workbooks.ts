import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MiB } from '../../../lib/units.ts';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import { fillOds, readOds } from '../../formats/spreadsheet/ods.ts';
import { openPackage, type WorkbookPackage, writePackage } from '../../formats/spreadsheet/package.ts';
import { fillXlsx, readXlsx } from '../../formats/spreadsheet/xlsx.ts';
import type { WorkbookRequest } from '../../protocol.ts';
import { type CellValue, type WorkbookContent, workbookLimits } from '../../spreadsheet.ts';

/** Reads the cells of a workbook. @throws {Problem} for one that is damaged, too large, unusual or not safe. */
export async function readWorkbook({ inputPath, format }: WorkbookRequest): Promise<WorkbookContent> {
  const parts = await openWorkbook(inputPath);
  return format === 'xlsx' ? readXlsx(parts) : readOds(parts);
}

/** Writes a workbook with values in some of its cells. @throws {Problem} as `readWorkbook` does. */
export async function fillWorkbook({
  inputPath,
  format,
  valuesPath,
  scratch,
}: WorkbookRequest & { readonly valuesPath: string }): Promise<{ readonly path: string }> {
  // The parent has written the values.
  const values: readonly CellValue[] = JSON.parse(await readFile(valuesPath, 'utf8'));
  const parts = await openWorkbook(inputPath);
  const changed = format === 'xlsx' ? fillXlsx(parts, values) : fillOds(parts, values);
  const path = join(scratch, `filled.${format}`);
  await writeFile(path, writePackage(parts, changed));
  return { path };
}

async function openWorkbook(path: string): Promise<WorkbookPackage> {
  if ((await stat(path)).size > workbookLimits.packedBytes)
    throw spreadsheetProblems.tooLarge(workbookLimits.packedBytes / MiB);
  return await openPackage(path);
}
