import {
  type AttributeTable,
  type Bbox,
  checkColumnNames,
  EngineDied,
  maxTableCells,
  maxTableColumns,
} from '../geo/engine.ts';
import { Findings } from '../geo/findings.ts';
import { readable } from '../common/readable.ts';
import { KiB } from '../common/units.ts';

const maxWarnings = 100;
const maxLayers = 1000;
const maxTypes = 100;
const maxTimings = 100;
const maxMessageCharacters = 2 * KiB;
const maxCrsCharacters = 64 * KiB;
const maxOtherCharacters = 255;

/**
 * A table as an engine can have read it, though a hostile file may have taken the engine over.
 * @throws {EngineDied} when no engine that is in its senses would say so.
 * @throws {Problem} when the names of its columns are too long to be shown.
 */
export function believableTable<T extends AttributeTable>(table: T): T {
  const { columns, rowCount } = table;
  if (!Number.isSafeInteger(rowCount) || rowCount < 0) throw new EngineDied(`a table has ${rowCount} rows`);
  if (columns.length > maxTableColumns) throw new EngineDied(`a table has ${columns.length} columns`);
  if (columns.length * rowCount > maxTableCells) {
    throw new EngineDied(`a table has ${columns.length} columns and ${rowCount} rows`);
  }
  checkColumnNames(columns.reduce((sum, { length }) => sum + length, 0));
  return { ...table, columns: storableNames(columns) };
}

/** What no text of the database can hold becomes U+FFFD, as it does in cells; a name that is there already is numbered. */
function storableNames(names: readonly string[]): readonly string[] {
  const storable = names.map((each) => each.replaceAll('\u0000', '\ufffd').toWellFormed());
  const taken = new Set(storable.filter((each, index) => each === names[index]));
  return storable.map((each, index) => {
    if (each === names[index]) return each;
    let unique = each;
    for (let number = 2; taken.has(unique); number += 1) unique = `${each}_${number}`;
    taken.add(unique);
    return unique;
  });
}

/** @throws {EngineDied} when it is none: clients rely on four numbers in their order. */
export function believableBbox(bbox: Bbox): Bbox {
  const isOrdered = bbox[1] <= bbox[3] && (bbox[0] <= bbox[2] || (bbox[0] <= 180 && bbox[2] >= -180));
  if (bbox.length === 4 && bbox.every((number) => Number.isFinite(number)) && isOrdered) return bbox;
  throw new EngineDied('a raster has no bounds that could be any');
}

/**
 * What an engine has seen, in what a report may hold: its texts and lists cut to what somebody may read.
 * @throws {EngineDied} when it is no findings at all.
 */
export function believableFindings(findings: Findings): Findings {
  const read = Findings.safeParse(findings);
  if (!read.success) throw new EngineDied('the findings are none', { cause: read.error.message });
  const { source, raster, timings, warnings } = read.data;
  return {
    source: source && {
      ...source,
      driver: name(source.driver),
      layer: nameOrNull(source.layer),
      layers: source.layers.slice(0, maxLayers).map((layer) => ({
        ...layer,
        name: name(layer.name),
        geometry_types: layer.geometry_types.slice(0, maxTypes).map(name),
      })),
      crs: source.crs && readable(source.crs, maxCrsCharacters),
      encoding: nameOrNull(source.encoding),
      encoding_from: nameOrNull(source.encoding_from),
    },
    raster: raster && {
      ...raster,
      data_type: name(raster.data_type),
      nodata: typeof raster.nodata === 'string' ? name(raster.nodata) : raster.nodata,
      crs: raster.crs && readable(raster.crs, maxCrsCharacters),
      cog: raster.cog && {
        ...raster.cog,
        compression: nameOrNull(raster.cog.compression),
        overview_resampling: nameOrNull(raster.cog.overview_resampling),
      },
    },
    timings: Object.fromEntries(
      Object.entries(timings)
        .slice(0, maxTimings)
        .map(([step, seconds]) => [name(step), seconds]),
    ),
    warnings: warnings
      .slice(0, maxWarnings)
      .map(({ code, message }) => ({ code, message: readable(message, maxMessageCharacters) })),
  };
}

function name(text: string): string {
  return readable(text, maxOtherCharacters);
}

function nameOrNull(text: string | null): string | null {
  return text === null ? null : name(text);
}
