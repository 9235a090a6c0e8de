import { randomUUID } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addMadeDataset } from '../../datasets/made/made-dataset.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { GeoEngine } from '../../geo/engine.ts';
import type { Attempt, JobHandler } from '../../jobs/handler.ts';
import { publishResult, resultHandler } from '../../jobs/results.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { inputPhrases, inputProblems } from '../../messages/inputs/english.ts';
import { bringObject, ObjectMissing } from '../../object-store/object-store.ts';
import type { MadeInput, InputRecipe } from '../compute/input-work.ts';
import type { LandscapeEngine } from '../compute/landscape-engine.ts';
import type { RunDependencies } from '../execution/compute-pass.ts';
import { ensureLandscapeCategory } from '../groups/group-rows.ts';
import { findSlotGroup } from '../groups/slots.ts';
import { withConversion } from './conversions.ts';
import { leafOf, madeInputs, sourcesOfRow } from './made-inputs.ts';
import { InputRecipeBody } from './recipe-schema.ts';
import { type InputSource, periodOf } from './sources.ts';

interface Dependencies extends Pick<RunDependencies, 'db' | 'objectStore'> {
  readonly messageQueue: MessageQueue;
  readonly engines: {
    readonly geo: Pick<GeoEngine, 'guardsInput'>;
    readonly landscape: Pick<LandscapeEngine, 'makeInput'>;
  };
}

/** Creates the handler that makes input rasters. */
export const createInputHandler = (dependencies: Dependencies): JobHandler =>
  resultHandler(madeInputs, async (attempt) => await makeInput(dependencies, attempt));

/** Makes a raster and its dataset in one transaction. May be interrupted anywhere and run again. */
async function makeInput(dependencies: Dependencies, attempt: Attempt): Promise<void> {
  const { db, messageQueue } = dependencies;
  const row = await readPending(db, attempt.refId);
  if (row === undefined) return; // deleted, or already made
  const recipe = InputRecipeBody.parse(JSON.parse(row.recipe));
  const sources = sourcesOfRow(row);
  const { path, figures } = await compute(dependencies, attempt, { slot: row.slot, recipe, sources });
  const { size: sizeBytes } = await stat(path);
  const key = await attempt.store('originals', '.tif', { path });
  const period = periodOf(recipe, sources);
  let jobId: string | undefined;
  await attempt.publish(async (trx) => {
    const locked = await trx
      .selectFrom('made_inputs')
      .select('id')
      .where('id', '=', attempt.refId)
      .where('state', '=', 'pending')
      .forUpdate()
      .executeTakeFirst();
    if (locked === undefined) return;
    const id = randomUUID();
    const leaf = leafOf(row.slot);
    const added = await addMadeDataset(trx, {
      id,
      fields: {
        fileType: 'raster',
        name: recipe.name ?? nameOf(leaf.title, recipe, sources),
        categoryId: await ensureLandscapeCategory(trx),
        groupId: await findSlotGroup(db, row.slot),
        unit: leaf.unit,
        startDate: period.start_date,
        endDate: period.end_date,
        meta: { made_by: { recipe, recipe_version: row.recipe_version, sources } },
      },
      file: { key, filename: `${row.slot}.tif`, sizeBytes },
    });
    ({ jobId } = added);
    await publishResult(trx, 'made_inputs', attempt.refId, {
      dataset_id: id,
      figures: JSON.stringify(figures),
    });
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
}

async function readPending(db: Database, id: string) {
  return await db
    .selectFrom('made_inputs')
    .select(['slot', 'recipe', 'recipe_version', 'sources'])
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
}

interface Wanted {
  readonly slot: string;
  readonly recipe: InputRecipeBody;
  readonly sources: readonly InputSource[];
}

async function compute(
  { objectStore, engines }: Dependencies,
  { scratch, signal }: Attempt,
  { slot, recipe, sources }: Wanted,
): Promise<MadeInput> {
  const inFolder = (name: string) => join(scratch, name);
  for (const name of ['sources', 'engine', 'made']) await mkdir(inFolder(name));
  const files = [];
  let rasters = 0;
  for (const [index, { role, storage_key: key }] of sources.entries()) {
    const path = join(inFolder('sources'), `${index}.${role === 'features' ? 'fgb' : 'tif'}`);
    await bringObject(objectStore, key, { path, isGuarded: engines.geo.guardsInput, signal }).catch(
      (error: unknown) => {
        throw error instanceof ObjectMissing ? inputProblems.gone().because(error) : error;
      },
    );
    files.push({ role, key: role === 'raster' ? String(rasters++) : role, path });
  }
  const leaf = leafOf(slot);
  return await engines.landscape.makeInput({
    work: {
      recipe: engineRecipe(recipe, sources),
      sources: files,
      classes: leaf.type === 'uint8' ? [...leaf.classes] : null,
      folder: inFolder('made'),
    },
    scratch: inFolder('engine'),
    signal,
  });
}

/** Converts a recipe to that of the engine, whose rasters are in order. */
function engineRecipe(recipe: InputRecipeBody, sources: readonly InputSource[]): InputRecipe {
  switch (recipe.method) {
    case 'rasterize': {
      const { method, attribute, rule, table, unmapped, min_coverage: minCoverage } = recipe;
      return { method, attribute, rule, table, unmapped, minCoverage };
    }
    case 'distance': {
      const { method, measure, limit_m: limitMetres, beyond, where } = recipe;
      return { method, measure, limitMetres, beyond, where };
    }
    case 'mosaic':
      return { method: recipe.method, rule: recipe.rule === 'newest' ? 'first' : recipe.rule };
    default: {
      const rasters = sources.filter(({ role }) => role === 'raster');
      const weights = rasters.map(({ days }) => (recipe.weights === 'days' ? (days ?? 1) : 1));
      return {
        method: recipe.method,
        combine: recipe.combine,
        weights,
        above: recipe.above,
        ...withConversion(recipe, recipe.conversion),
      };
    }
  }
}

function nameOf(title: string, { method }: InputRecipeBody, sources: readonly InputSource[]): string {
  const read = sources.filter(({ role }) => role !== 'grid');
  const name =
    method === 'mosaic' || method === 'arithmetic'
      ? inputPhrases[method](title, read.length)
      : inputPhrases[method](title, read[0]?.name ?? '');
  return name.english.slice(0, 255);
}
