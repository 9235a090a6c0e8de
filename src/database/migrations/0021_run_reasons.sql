-- Why a run does what it does, recorded in the transaction that plans it: what is deleted later does not change it.
-- Null in runs that an earlier release has planned, whose graph has version 1.
alter table landscape_runs
  add column graph_version integer, -- that of its fingerprints; null until it is planned
  add column planned_inputs jsonb, -- [{group, dataset, because, waiting}], also of a run that could not begin
  add column failure text; -- what its error is made of, as JSON with code and facts, so that it can be said in other languages
alter table landscape_run_nodes
  add column plan jsonb, -- {action, reason, inputs, params, compared_with}
  add column failure text;

-- The last computation of a node, with which a plan compares.
create index landscape_run_nodes_newest on landscape_run_nodes (node_code, finished_at desc)
  where status in ('skipped', 'succeeded');
