-- What people say of a run: name, note, state and basis, each revision for good. The greatest revision of a run is what is said now; a run without any
-- has an empty draft.
create table landscape_run_records (
  run_id uuid not null references landscape_runs on delete restrict,
  revision integer not null check (revision > 0),
  name text,
  note text,
  state text not null check (state in ('draft', 'proposed', 'adopted', 'withdrawn')),
  basis text,
  changed_by text, -- name of the token, or what the issuer calls its owner; null without authentication
  credentials text, -- names them in the access log: names of tokens need not be unique
  changed_at timestamptz(3) not null default clock_timestamp(),
  primary key (run_id, revision)
);

create function refuse_change_of_records() returns trigger language plpgsql as $$
begin
  raise exception 'rows of landscape_run_records stay as they are: a change of a record is another revision';
end $$;
create trigger landscape_run_records_stay before update or delete on landscape_run_records
  for each row execute function refuse_change_of_records();

-- The datasets of each run that is adopted now: what its nodes have read, made and reused. The foreign key keeps them, whatever wants to delete them.
create table adopted_datasets (
  dataset_id uuid not null references datasets on delete restrict,
  run_id uuid not null references landscape_runs on delete restrict,
  primary key (dataset_id, run_id)
);
create index adopted_datasets_by_run on adopted_datasets (run_id);

-- Which node has made a dataset.
create index landscape_run_nodes_by_output on landscape_run_nodes (output_id) where status = 'succeeded';
