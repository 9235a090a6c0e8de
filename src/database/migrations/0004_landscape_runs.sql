-- Runs of the Landscape Program. One row per run, and one per node of the graph; both are kept for good.
create table landscape_runs (
  id uuid primary key,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  params json not null, -- complete, with defaults
  overrides json not null, -- dataset id by group code
  from_stage integer check (from_stage between 0 and 3),
  error text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check ((status = 'queued') = (started_at is null)),
  check ((status in ('succeeded', 'failed')) = (finished_at is not null))
);
create index landscape_runs_newest on landscape_runs (created_at desc, id);

-- A run is planned when it starts: then every node gets its fingerprint, its inputs and the id of its output, which is
-- the dataset that it reuses or the one that it will make. Ids of datasets are kept when the datasets are deleted.
create table landscape_run_nodes (
  id uuid primary key,
  run_id uuid not null references landscape_runs on delete cascade,
  node_code text collate "C" not null,
  stage integer not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'skipped', 'succeeded', 'failed')),
  fingerprint text not null default '',
  inputs json, -- [{group, dataset_id}]
  output_id uuid,
  start_date date, -- of the output: the earliest and the latest date of the inputs
  end_date date,
  error text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint landscape_run_nodes_once unique (run_id, node_code)
);
create index landscape_run_nodes_reusable on landscape_run_nodes (fingerprint, finished_at desc)
  where status in ('skipped', 'succeeded');
