import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { vectorProblems, vectorWarnings } from '../../../messages/vector/english.ts';
import { geopackageProblems, geopackageWarnings } from '../../../messages/packages/english.ts';
import type { VectorSource } from '../../findings.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import type { VectorFile } from '../../formats/features/geometry.ts';
import { openGeoJson } from '../../formats/geojson/open-geojson.ts';
import { type ArchiveMember, openArchive } from '../../formats/zip/archive.ts';
import type { FileRequest } from '../../protocol.ts';
import { findLayer, type LogKind, namesLeftOut, unpackShapefile } from '../../formats/zip/members.ts';

export type VectorTask = Omit<FileRequest, 'task'>;

interface Opening {
  readonly findings: FindingsCollector;
  /** True if the names of all columns are needed; for GeoJSON that takes time. */
  readonly gatherColumns: boolean;
}

/**
 * Opens an uploaded vector file of any format, detected by its first bytes, not by its name, and describes it in the findings.
 * @throws {Problem} if it cannot be used.
 */
export async function openVectorFile(task: VectorTask, opening: Opening): Promise<VectorFile> {
  const file = await openByContent(task, opening);
  opening.findings.setSource({ ...file.source, crs: null, extent: null });
  return file;
}

/** Completes the description of the layer after all its features have been read. */
export function describeFeatures(
  { source }: VectorFile,
  findings: FindingsCollector,
  facts: Partial<VectorSource['layers'][number]> & { readonly features: number },
  place: Pick<VectorSource, 'crs' | 'shift' | 'extent'> = { crs: null, extent: null },
): void {
  const layers = source.layers.map((layer) =>
    source.layer === null || layer.name === source.layer ? { ...layer, ...facts } : layer,
  );
  findings.setSource({ ...source, layers, ...place });
  if (facts.features === 0) findings.warn('empty_layer', vectorWarnings.empty());
}

async function openByContent(task: VectorTask, opening: Opening): Promise<VectorFile> {
  const { findings } = opening;
  switch (await contentOf(task.inputPath)) {
    case 'zip':
      return await openInArchive(task, opening);
    case 'sqlite': {
      const { openGeoPackage } = await withGdal(
        task.scratch,
        findings,
        () => import('../../formats/geopackage/open-geopackage.ts'),
      );
      return await findings.time('open', () => openGeoPackage(task.inputPath, task.scratch, findings));
    }
    case 'flatgeobuf': {
      const { openFlatGeobuf } = await withGdal(
        task.scratch,
        findings,
        () => import('../../formats/flatgeobuf/open-flatgeobuf.ts'),
      );
      return await findings.time('open', () => openFlatGeobuf(task.inputPath));
    }
    default: {
      const extension = extname(task.inputPath).toLowerCase();
      const format = { '.fgb': 'FlatGeobuf', '.gpkg': 'GeoPackage', '.zip': 'zip archive' }[extension];
      if (format !== undefined) throw vectorProblems.otherFormat(format);
      return await findings.time('open', () => openGeoJson(task.inputPath, opening));
    }
  }
}

/** Extracts the one layer of an archive, under fixed names. */
async function openInArchive(task: VectorTask, opening: Opening): Promise<VectorFile> {
  const { findings } = opening;
  using archive = await findings.time('unpack', () => openArchive(task.inputPath));
  const contents = findLayer(archive.members);
  const leftOut = namesLeftOut(archive.members, contents);
  if (leftOut !== undefined) findings.warn('files_left_out', vectorWarnings.filesLeftOut(leftOut));
  if (contents.kind !== 'shapefile') {
    const inputPath = join(task.scratch, `input.${contents.kind}`);
    await findings.time('unpack', () => contents.member.unpackTo(inputPath));
    if ((await contentOf(inputPath)) === 'zip') throw vectorProblems.archiveInArchive(contents.name);
    if (contents.kind === 'gpkg')
      await findings.time('unpack', () => applyLogs(contents.logs, inputPath, findings));
    return await openByContent({ inputPath, scratch: task.scratch }, opening);
  }
  if (!contents.files.has('dbf')) findings.warn('columns_left_out', vectorWarnings.noTable(contents.name));
  await findings.time('unpack', () => unpackShapefile(contents.files, task.scratch));
  const { openShapefile } = await withGdal(
    task.scratch,
    findings,
    () => import('../../formats/shapefile/open-shapefile.ts'),
  );
  return await findings.time('open', () => openShapefile(task.scratch, contents.name, findings));
}

/** Applies SQLite's log files in the archive to an unpacked GeoPackage. @throws {Problem} if it is incomplete. */
async function applyLogs(
  logs: ReadonlyMap<LogKind, ArchiveMember>,
  inputPath: string,
  findings: FindingsCollector,
): Promise<void> {
  const { applyLog, isJournalNeeded } = await import('../../formats/geopackage/sqlite-file.ts');
  const [journal, log] = [logs.get('journal'), logs.get('wal')];
  if (journal !== undefined) {
    await journal.unpackTo(`${inputPath}.journal`);
    if (isJournalNeeded(`${inputPath}.journal`)) throw geopackageProblems.halfWritten(journal.name);
  }
  if (log === undefined || log.bytes === 0) return;
  await log.unpackTo(`${inputPath}.log`);
  if (!(await applyLog(inputPath, `${inputPath}.log`)))
    findings.warn('files_left_out', geopackageWarnings.logNotUsed(log.name));
}

/**
 * Loads a module that needs GDAL, after the check that only allowed drivers are registered. GDAL's warnings about the
 * file go into the report in any case.
 */
async function withGdal<T>(scratch: string, findings: FindingsCollector, load: () => Promise<T>): Promise<T> {
  (await import('../../gdal/load-gdal.ts')).refuseForeignDrivers('vector');
  const { createWarningTally, openLogFile } = await import('../../gdal/log-file.ts');
  const [log, tally] = [openLogFile(scratch), createWarningTally()];
  findings.warnLater(() => {
    log.take().forEach(tally.add);
    return tally.result();
  });
  return await load();
}

async function contentOf(path: string): Promise<'zip' | 'sqlite' | 'flatgeobuf' | 'text'> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  const head = buffer.toString('latin1', 0, bytesRead);
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')) return 'zip';
  if (head.startsWith('SQLite format 3\0')) return 'sqlite';
  return head.startsWith('fgb') ? 'flatgeobuf' : 'text';
}
