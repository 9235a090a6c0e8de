-- How much of a zoning changes when its inputs are moved, by what that depends on: rasters, pins, parameters, the percentage and the
-- sample. 'pending' has a job move-inputs; 'failed' had one. Any run with these inputs does for the job.
create table input_moves (
  id uuid primary key,
  key text not null unique,
  run_id uuid not null references landscape_runs (id) on delete cascade,
  delta_percent integer not null,
  state text not null check (state in ('pending', 'made', 'failed')),
  figures text,
  -- The sentence that says why.
  failure text,
  changed_at timestamptz not null default now(),
  constraint made_has_figures check ((state = 'made') = (figures is not null))
);
