import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import type { GeoEngine, SourceTask } from '../geo/engine.ts';
import { InspectResult } from '../geo/protocol.ts';
import type { SourceDescription, SourceVariable } from '../geo/source.ts';
import type { Attempt } from '../jobs/handler.ts';
import { makerOf, resultOf, wantResult } from '../jobs/result-kinds.ts';
import { jsonText, type PendingResult } from '../jobs/results.ts';
import { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { sourceFileProblems } from '../messages/sources/english.ts';
import { bringObject, type ObjectStore } from '../object-store/object-store.ts';
import type { SourceDescriptionAnswer } from './schema.ts';
import { type SourceFileRow, toSourceFile } from './source-files.ts';

/** Part of the key: a higher number makes all files be read again. */
const readingVersion = 1;

const descriptions = resultOf({
  name: 'source-description',
  input: z.object({ sourceId: z.string() }),
  content: z.object({ content: jsonText(InspectResult) }),
  kept: sql`interval '90 days'`,
  waiting: { most: 100, refuse: sourceFileProblems.tooManyWaiting },
  notNow: sourceFileProblems.readFailed,
});

export interface ReadDescription {
  readonly isPending: false;
  readonly description: SourceDescription;
}

/** Returns the description of a file, or enqueues the job that reads it. @throws {Problem} `invalid` for a file that cannot be read */
export async function descriptionOf(
  dependencies: { readonly db: Database; readonly messageQueue: MessageQueue },
  { id }: SourceFileRow,
): Promise<ReadDescription | PendingResult> {
  const key = `source-description ${readingVersion} ${id}`;
  const found = await wantResult(dependencies, descriptions, { key, input: { sourceId: id } });
  return found.isPending ? found : { isPending: false, description: found.content.content };
}

interface MakerDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
}

export const createDescriptionMaker = (parts: MakerDependencies) =>
  makerOf(descriptions, async (attempt, { input: { sourceId } }) => {
    const row = await parts.db
      .selectFrom('source_files')
      .selectAll()
      .where('id', '=', sourceId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const description = await parts.engine.inspectSource(await bringSource(parts, attempt, row));
    return { content: JSON.stringify(description) };
  });

/** Brings a file to this machine, for one task of the engine. */
export async function bringSource(
  { objectStore, engine }: MakerDependencies,
  attempt: Attempt,
  row: SourceFileRow,
): Promise<SourceTask> {
  const inputPath = join(attempt.scratch, 'input');
  const scratch = join(attempt.scratch, 'engine');
  await mkdir(scratch);
  const { signal } = attempt;
  await bringObject(objectStore, row.object_key, { path: inputPath, isGuarded: engine.guardsInput, signal });
  return { inputPath, scratch, signal, format: toSourceFile(row).format };
}

/** Writes a description with `null` for what is absent, and its sentences in a language. */
export function toDescriptionAnswer(
  { variables, axes, left_out, tiles }: SourceDescription,
  language: Language,
): SourceDescriptionAnswer {
  const reasonOf = (refusal: SourceVariable['refusal']): string | null =>
    refusal === undefined ? null : translate(new Message(refusal.message, refusal.sentence), language);
  return {
    variables: variables.map(({ refusal, ...variable }) => ({
      name: variable.name,
      title: variable.title ?? null,
      unit: variable.unit ?? null,
      type: variable.type,
      width: variable.width,
      height: variable.height,
      scale: variable.scale ?? 1,
      offset: variable.offset ?? 0,
      grid: variable.grid ?? null,
      crs: variable.crs ?? null,
      axes: [...variable.axes],
      refusal: reasonOf(refusal),
    })),
    axes: axes.map((axis) => ({
      name: axis.name,
      title: axis.title ?? null,
      unit: axis.unit ?? null,
      size: axis.size,
      calendar: axis.calendar ?? null,
      values: [...axis.values],
      periods: axis.periods?.map(([start, end]) => ({ start_date: start, end_date: end })) ?? null,
    })),
    left_out,
    tiles:
      tiles?.map(({ grid, crs, set, refusal, ...tile }) => ({
        ...tile,
        grid: grid ?? null,
        crs: crs ?? null,
        set: set ?? null,
        refusal: reasonOf(refusal),
      })) ?? null,
  };
}
