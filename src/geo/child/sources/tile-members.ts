import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listed, readablePath } from '../../../lib/readable.ts';
import { KiB } from '../../../lib/units.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import type { ArchiveMember } from '../../formats/zip/archive.ts';
import { isJunk } from '../../formats/zip/members.ts';
import { sourceFormatOf, sourceLimits } from '../../source.ts';
import { openAsciiGrid } from './ascii-grid.ts';
import { openGeoTiff, openImagine } from './band-source.ts';
import { referenceOfPrj } from './reference.ts';
import type { Source } from './source.ts';
import { openHeightGrid } from './height-grid.ts';

/** A tile in an archive, with the file beside it that names its CRS. */
export interface TileMember {
  /** Its path in the archive, which is displayed, but never used as a path. */
  readonly name: string;
  readonly member: ArchiveMember;
  readonly prj: ArchiveMember | undefined;
}

const tileName = /\.(?:tiff?|img|asc|hgt)$/i;
const maxPrjBytes = 64 * KiB;
const headBytes = 4 * KiB;

/** Finds the tiles of an archive, at any depth, in the order of their names. @throws {Problem} for none, and too many */
export function findTiles(members: readonly ArchiveMember[]): readonly TileMember[] {
  const all = members.filter(({ name }) => !isJunk(name));
  const tiles = all.filter(({ name }) => tileName.test(name));
  if (tiles.length === 0)
    throw sourceProblems.noTiles(listed(all.map(({ name }) => readablePath(name))) || '—');
  if (tiles.length > sourceLimits.tiles) throw sourceProblems.tooManyTiles(tiles.length, sourceLimits.tiles);
  const stem = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase();
  const references = new Map(
    all
      .filter(({ name, bytes }) => /\.prj$/i.test(name) && bytes <= maxPrjBytes)
      .map((member) => [stem(member.name), member]),
  );
  return tiles
    .map((member) => ({ name: member.name, member, prj: references.get(stem(member.name)) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

/** A tile that is unpacked; closing it deletes its file. */
export interface OpenTile {
  readonly source: Source;
  /** The CRS of the file beside it, in WKT. */
  readonly crs: string | undefined;
  close(): Promise<void>;
}

/** Unpacks a tile into a folder and opens it by its first bytes. @throws {Problem} if it is damaged, or of another format */
export async function openTile({ name, member, prj }: TileMember, folder: string): Promise<OpenTile> {
  const path = join(folder, 'tile');
  const remove = async (): Promise<void> => await rm(path, { force: true });
  try {
    const crs = prj === undefined ? undefined : await readPrj(prj, path);
    await member.unpackTo(path);
    const source = await openByContent(path, name);
    return {
      source,
      crs,
      async close() {
        await source.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function readPrj(prj: ArchiveMember, path: string): Promise<string | undefined> {
  await prj.unpackTo(path);
  await using file = await open(path);
  return referenceOfPrj((await file.readFile()).toString('latin1'))?.toWKT();
}

async function openByContent(path: string, name: string): Promise<Source> {
  const head = await headOf(path);
  if (/^(?:II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4))) return await openGeoTiff(path);
  switch (sourceFormatOf(head)) {
    case 'imagine':
      return await openImagine(path);
    case 'ascii-grid':
      return await openAsciiGrid(path);
    default:
      if (/\.hgt$/i.test(name)) return await openHeightGrid(path, name);
      throw sourceProblems.notATile();
  }
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}
