/** All of what a run, and each of its nodes, consists of. */
export const runFields =
  'id status params overrides from_stage error created_at started_at finished_at nodes'.split(' ');
export const nodeFields =
  'id run_id node_code stage status fingerprint inputs outputs error started_at finished_at'.split(' ');
