import { toDatasetAreas } from '../../areas/area-answers.ts';
import { areasOf, digestOf } from '../../areas/area-counts.ts';
import type { PendingResult } from '../../jobs/results.ts';
import { readUnits } from '../../areas/by-unit.ts';
import { areasTable } from '../../areas/areas-files.ts';
import { unitCsv } from '../../areas/unit-files.ts';
import { classWords, wordsIn } from '../../areas/class-words.ts';
import type { Database } from '../../database/tables/tables.ts';
import { findFile } from '../../datasets/files.ts';
import { readReport } from '../../datasets/report.ts';
import type { Cache } from '../../../common/cache.ts';
import { Problem } from '../../lib/errors.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { fileProblems } from '../../messages/request/english.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { PaperMaps } from '../../maps/paper/paper-maps.ts';
import { balanceOf } from '../balance/balance.ts';
import { runCaseOf } from '../balance/case-query.ts';
import type { ReportDependencies } from '../report/facts.ts';
import { reportOf } from '../report/report.ts';
import { zoning } from '../graph/zoning-inputs.ts';
import { listRecordChanges, readRecord } from '../runs/record.ts';
import type { ReadManifest } from './read-manifest.ts';

export interface DossierDependencies extends ReportDependencies {
  readonly objectStore: ObjectStore;
  readonly paperMaps: PaperMaps;
  /** Recently written reports, by key. */
  readonly reports: Cache<Buffer>;
  /** Draws a picture of the report, for example when the client has budget for it. */
  draw<T>(picture: () => Promise<T>): Promise<T>;
}

/** A member of a dossier that is created in memory. */
export interface Document {
  readonly name: string;
  readonly content: Buffer;
}

/** A member that is missing from a dossier, and the reason. */
export interface LeftOut {
  readonly member: string;
  readonly because: string;
}

export interface Documents {
  readonly isPending: false;
  readonly documents: readonly Document[];
  readonly leftOut: readonly LeftOut[];
}

const levels = ['district', 'region'] as const;
const maxChanges = 1000;

/**
 * Creates the documents of a dossier, or has their figures counted first.
 * @throws {Problem} `not_found` when a style is deleted meanwhile
 */
export async function documentsOf(
  dependencies: DossierDependencies,
  read: ReadManifest,
  language: Language,
): Promise<Documents | PendingResult> {
  const parts: (readonly Document[])[] = [];
  const leftOut: LeftOut[] = [];
  for (const [member, make] of [
    ['report.html', reportDocument],
    ['areas/', areaDocuments],
    ['balance/', balanceDocuments],
  ] as const) {
    const made = await orLeftOut(async () => await make(dependencies, read, language));
    if (typeof made === 'string') leftOut.push({ member, because: made });
    else if ('isPending' in made) return made;
    else parts.push(made);
  }
  parts.push([await recordDocument(dependencies.db, read.manifest.run.id)]);
  parts.push(await uploadDocuments(dependencies.db, read));
  parts.push(await styleDocuments(dependencies, read));
  return { isPending: false, documents: parts.flat(), leftOut };
}

/** Returns the reason for a missing document: zonings that do not lie on the earth, or were pinned, have no areas or balance. */
async function orLeftOut<T>(make: () => Promise<T>): Promise<T | string> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Problem && ['conflict', 'invalid', 'not_found'].includes(error.code))
      return error.message;
    throw error;
  }
}

/** Creates the report without the address of the service, so that it does not depend on the name that a client uses. */
async function reportDocument(
  dependencies: DossierDependencies,
  { manifest }: ReadManifest,
  language: Language,
): Promise<readonly Document[] | PendingResult> {
  const report = await reportOf(dependencies, { runId: manifest.run.id, language });
  if (report.isPending) return report;
  const { signal } = new AbortController(); // several requests may wait for the same report
  const write = async () => await report.write(signal, dependencies.draw);
  return [{ name: 'report.html', content: await dependencies.reports.get(report.key, write) }];
}

async function areaDocuments(
  { db, messageQueue, recentDatasets, legends }: DossierDependencies,
  { manifest }: ReadManifest,
  language: Language,
): Promise<readonly Document[] | PendingResult> {
  const id = manifest.nodes.find(({ code }) => code === zoning.code)?.output.dataset_id ?? '';
  const dataset = await recentDatasets.read(id);
  const cog = findFile(dataset.files, 'cog') ?? '';
  const words = wordsIn(await classWords({ legends }, id, language));
  const counted = await areasOf({ db, messageQueue }, { cogs: [cog] });
  if (counted.isPending) return counted;
  const [figures, names] = [await counted.read(), await readUnits(db)];
  const documents: Document[] = [];
  for (const by of levels) {
    const areas = toDatasetAreas(figures, {
      datasetId: id,
      by,
      names,
      districtsVersion: counted.districtsVersion,
      digest: await digestOf(db, cog),
      wordsOf: words,
    });
    documents.push(json(`areas/${by}.json`, areas), {
      name: `areas/${by}.csv`,
      content: unitCsv(areasTable(areas, language)),
    });
  }
  return documents;
}

async function balanceDocuments(
  { zonedRuns }: DossierDependencies,
  { manifest }: ReadManifest,
  language: Language,
): Promise<readonly Document[] | PendingResult> {
  const documents: Document[] = [];
  for (const by of levels) {
    const land = await zonedRuns.land(manifest.run.id, by);
    if (land.isPending) return land;
    const runCase = runCaseOf(land.run.params);
    const judged = { runId: land.run.id, runCase, zoning: runCase, language };
    documents.push(json(`balance/${by}.json`, balanceOf(await land.read(), judged)));
  }
  return documents;
}

async function recordDocument(db: Database, runId: string): Promise<Document> {
  const { rows: history } = await listRecordChanges(db, runId, { limit: maxChanges, offset: 0 });
  return json('record.json', { record: await readRecord(db, runId), history });
}

async function uploadDocuments(db: Database, { manifest }: ReadManifest): Promise<readonly Document[]> {
  const documents: Document[] = [];
  for (const { group, dataset_id: id, file } of manifest.inputs) {
    const report = file === null ? undefined : await readReport(db, id);
    if (report !== undefined) documents.push(json(`uploads/${group}.json`, report));
  }
  return documents;
}

/** Returns the current styles: of outputs by code, of inputs by group. */
async function styleDocuments(
  { recentDatasets, objectStore }: DossierDependencies,
  { manifest, files }: ReadManifest,
): Promise<readonly Document[]> {
  const documents: Document[] = [];
  const styled = [
    ...manifest.inputs.map(({ group, dataset_id: id }) => [group, id] as const),
    ...manifest.nodes.map(({ code, output }) => [code, output.dataset_id] as const),
  ];
  for (const [name, id] of styled) {
    if ((files.get(id)?.filename ?? null) === null) continue;
    const { sld_key: key } = await recentDatasets.read(id);
    if (key !== null)
      documents.push({ name: `styles/${name}.sld`, content: await readObject(objectStore, key) });
  }
  return documents;
}

async function readObject(store: ObjectStore, key: string): Promise<Buffer> {
  using opened = await store.open(key);
  if (opened === undefined) throw fileProblems.gone();
  const bytes = Buffer.alloc(opened.sizeBytes);
  if (bytes.length > 0) await opened.fill(bytes, 0);
  return bytes;
}

function json(name: string, content: object): Document {
  return { name, content: Buffer.from(`${JSON.stringify(content, null, 2)}\n`) };
}
