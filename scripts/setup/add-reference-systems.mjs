// Copies the database of reference systems that the GDAL binding opens, and adds newer ones. Runs on the Node of the service.
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { additions, digestOf, folder } from './reference-systems.mjs';

/** Columns that an older layout of the database may lack, and without which a row is right as well. */
const optionalColumns = new Set(['anchor_epoch', 'step_direction']);

/** Returns the path of the database that PROJ opens. */
function openedDatabase() {
  const gdal = createRequire(import.meta.url)('gdal-async');
  gdal.SpatialReference.fromEPSG(4326);
  const open = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(join('/proc/self/fd', name))];
    } catch {
      // The descriptor of the folder itself.
      return [];
    }
  });
  const path = open.find((each) => each.endsWith('/proj.db'));
  if (path === undefined) throw new Error('PROJ has no database open');
  return path;
}

/** Adds rows whose keys are not there. Returns how many there are, and how many this database has no columns or other rows for. */
function addRows(database, lines) {
  const counts = { added: 0, there: 0, left: 0, incomplete: [] };
  let [insert, kept, isOfSteps] = [undefined, [], false];
  for (const line of lines) {
    const row = JSON.parse(line);
    if (!Array.isArray(row)) {
      const { table, columns } = row;
      isOfSteps = table === 'concatenated_operation_step';
      const known = new Set(
        database
          .prepare(`pragma table_info("${table}")`)
          .all()
          .map(({ name }) => name),
      );
      kept = columns.map((name, at) => ({ at, name, isKnown: known.has(name) }));
      const into = kept.filter(({ isKnown }) => isKnown);
      // Some tables have no key: a newer database would have areas and names twice.
      const [names, values] = [into.map(({ name }) => `"${name}"`), into.map((_, index) => `?${index + 1}`)];
      const isThere = names.map((name, index) => `${name} is ${values[index]}`).join(' and ');
      insert = database.prepare(
        `insert or ignore into "${table}" (${names.join(', ')}) select ${values.join(', ')} where not exists (select 1 from "${table}" where ${isThere})`,
      );
      continue;
    }
    const misses = kept.some(
      ({ at, name, isKnown }) => !isKnown && !optionalColumns.has(name) && row[at] !== null,
    );
    const values = kept.flatMap(({ at, isKnown }) => (isKnown ? [row[at]] : []));
    const outcome = misses ? 'left' : tryTo(insert, values);
    counts[outcome] += 1;
    if (isOfSteps && outcome === 'left') counts.incomplete.push(row.slice(0, 2));
  }
  return counts;
}

/** Without one of its steps, an operation leads to another place: it is removed with the others. */
function removeIncomplete(database, operations) {
  for (const operation of operations) {
    for (const [table, owner] of [
      ['concatenated_operation_step', 'operation_'],
      ['usage', 'object_'],
      ['concatenated_operation', ''],
    ]) {
      const isOfTable = table === 'usage' ? "object_table_name = 'concatenated_operation' and " : '';
      database
        .prepare(`delete from "${table}" where ${isOfTable}${owner}auth_name = ? and ${owner}code = ?`)
        .run(...operation);
    }
  }
}

function tryTo(insert, values) {
  try {
    return insert.run(...values).changes > 0 ? 'added' : 'there';
  } catch (error) {
    // SQLITE_CONSTRAINT: it refers to a row that was left, or PROJ's own checks refuse it.
    if (error.errcode % 256 === 19) return 'left';
    throw error;
  }
}

// The shell of an administrator may name the database of another PROJ.
delete process.env.PROJ_DATA;
delete process.env.PROJ_LIB;
const path = openedDatabase();
const { size, mtimeMs } = statSync(path);
const content = readFileSync(additions, 'utf8');
const [about, ...lines] = content.trimEnd().split('\n');
mkdirSync(folder, { recursive: true });
const partial = join(folder, 'proj.db.partial');
copyFileSync(path, partial);
const database = new DatabaseSync(partial);
// The trigger refuses methods that are newer than this PROJ; a system with one keeps its name, and often PROJ knows the method by its name.
database.exec('pragma journal_mode = off; drop trigger if exists conversion_method_insert_trigger; begin');
const rows = addRows(database, lines);
removeIncomplete(database, rows.incomplete);
database.exec('commit');
const [{ integrity_check: fault }] = database.prepare('pragma integrity_check').all();
if (fault !== 'ok') throw new Error(`the database of reference systems is damaged: ${fault}`);
database.close();
renameSync(partial, join(folder, 'proj.db'));
const { incomplete, ...counts } = rows;
const record = {
  base: { path, size, mtimeMs },
  additions: digestOf(content),
  ...JSON.parse(about),
  rows: { ...counts, incomplete: incomplete.length },
};
writeFileSync(join(folder, 'made-of.json.partial'), JSON.stringify(record, null, 2));
renameSync(join(folder, 'made-of.json.partial'), join(folder, 'made-of.json'));
