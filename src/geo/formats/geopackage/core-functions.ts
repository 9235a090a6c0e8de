/** The functions of SQLite's core that GDAL's SQLite has too, of which none reaches beyond the values it is given. */
const coreFunctions: ReadonlySet<string> = new Set(
  `-> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling changes char coalesce cos cosh count cume_dist
   current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format glob
   group_concat hex ifnull iif instr json json_array json_array_length json_each json_extract json_group_array
   json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_tree json_type
   json_valid julianday lag last_insert_rowid last_value lead length like likelihood likely ln log log10 log2 lower ltrim
   match max min mod nth_value ntile nullif percent_rank pi pow power printf quote radians random randomblob rank
   replace round row_number rtrim sign sin sinh soundex sqlite_source_id sqlite_version sqrt strftime substr substring sum
   tan tanh time total total_changes trim trunc typeof unicode unixepoch unlikely upper zeroblob`.split(
    /\s+/,
  ),
);

/** Whether a function may stand in the SQL of a view: one of SQLite's core, or one of geometry, which begin with ST_. */
export function isAllowedFunction(name: string): boolean {
  const lower = name.toLowerCase();
  return coreFunctions.has(lower) || isGeometryFunction(lower);
}

/** Whether it is left to GDAL to know it. */
export function isGeometryFunction(name: string): boolean {
  return /^st_\w+$/i.test(name);
}
