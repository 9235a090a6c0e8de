import { readable } from '../../lib/readable.ts';
import { engineWarnings } from '../../messages/engine.ts';
import { type Warning, warningOf } from '../findings.ts';

/** Different texts that a report repeats; all others are counted together. */
const maxTexts = 20;
const maxTextCharacters = 300;

/**
 * Warnings about what a report says by itself: invalid polygons (`geometry_repaired`, `geometry_lost`), places without an
 * image, and what our own ways of opening a file provoke.
 */
const covered: readonly RegExp[] = [
  /^(?:Self-intersection|Ring Self-intersection|Hole lies outside shell|Nested (?:holes|shells)|Holes are nested|Interior is disconnected|Duplicate Rings|Too few points in geometry component|Invalid Coordinate|Ring is not closed|Topology validity error|IllegalArgumentException|TopologyException|Points of LinearRing)/i,
  /SHAPE_RESTORE_SHX/,
  // The version of 2024, which QGIS writes: its columns and geometry are those of before.
  /^This version of GeoPackage user_version=0x000028A0 \(10400, v1\.4\.0\)/,
  // Columns of a GeoPackage are read as SQLite stores them, whatever type they declare; further geometry is `columns_left_out`.
  /^Field format '.*' not supported/s,
  /^geometry column '.*' of type '.*' ignored/s,
  /^geometry column type in '.*' is not consistent with type in gpkg_geometry_columns/s,
  /^(?:Reprojection failed|PROJ: )/,
];

/** Counts GDAL's own warnings of a file, which has names of ours; each of its texts once. */
export function createWarningTally() {
  const counts = new Map<string, number>();
  let others = 0;
  return {
    /** @param entry of GDAL's log, such as `Warning 1: …`. */
    add(entry: string): void {
      const text = /^Warning \d+: (.*)$/.exec(entry)?.[1];
      if (text === undefined || covered.some((pattern) => pattern.test(text))) return;
      const cleaned = clean(text);
      const count = counts.get(cleaned);
      if (count === undefined && counts.size === maxTexts) others += 1;
      else counts.set(cleaned, (count ?? 0) + 1);
    },
    result(): readonly Warning[] {
      const told = Array.from(counts, ([text, times]) => engineWarnings.gdal(text, times));
      if (others > 0) told.push(engineWarnings.more(others));
      return told.map((message) => warningOf('other_warnings', message));
    },
  };
}

/** Removes what is about this machine and not about the file: paths, addresses of the network and of the memory. */
function clean(text: string): string {
  const cleaned = text
    .replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>()]+/gi, '…')
    .replace(/\b0x[0-9a-f]{9,}\b/gi, '…')
    .replace(/(['"])(?:[a-z]:)?[\\/][^'"]*\1/gi, '$1the file$1')
    .replace(/(?<![\w.])(?:[a-z]:)?[\\/][^\s'"`<>,;:()]*[\\/][^\s'"`<>,;:()]*/gi, 'the file')
    .replace(
      /(?<![\w/])(?:input|without-log|completed|listed|rows)\.(?:tiff?|gpkg|shp|shx|dbf|prj|cpg)\b/gi,
      'the file',
    )
    .replace(/^the file: /, '')
    .trim();
  return readable(cleaned, maxTextCharacters);
}
