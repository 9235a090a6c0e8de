import assert from 'node:assert/strict';

/** All of what a run, and each of its nodes, consists of. */
export const runFields =
  'id status params overrides from_stage error created_at started_at finished_at nodes'.split(' ');
export const nodeFields =
  'id run_id node_code stage status fingerprint inputs outputs error started_at finished_at'.split(' ');

/** All of what a dataset consists of in a list. */
export const summaryFields = [
  ...'id category_id dg_id start_date end_date name description unit'.split(' '),
  ...'file_type size_bytes status created_at updated_at'.split(' '),
];
/** All of what a dataset consists of, but for the bbox of a raster. */
export const datasetFields = [
  ...summaryFields,
  ...'filename storage_key cog_storage_key sld_storage_key sld_filename sld_content_type'.split(' '),
  ...'content_type meta automated attribute_columns kato_column year_columns parse_error'.split(' '),
];

/** The object has exactly these fields. */
export function assertKeys(object: object, fields: readonly string[], because?: string): void {
  assert.deepEqual(Object.keys(object).toSorted(), fields.toSorted(), because);
}
