-- A pass of a run that is spread over workers by a workflow engine (decision 63). A row stands while its run is under way, and goes in the transaction
-- that ends the run: what comes later than that is refused by the foreign key of the parts.
create table landscape_passes (
  run_id uuid primary key references landscape_runs on delete cascade,
  stamp text not null, -- of the workers whose results have equal bits
  queue text not null, -- of the workflow engine, where the blocks of the pass wait
  blocks integer not null check (blocks > 0),
  spec json not null,
  away_since timestamptz -- since when the engine has not answered the worker that holds the run
);

-- The result of one block: only the first one is kept. A part without files belongs to a pass that computes no node.
create table landscape_parts (
  run_id uuid not null references landscape_passes on delete cascade,
  place integer not null check (place >= 0),
  part_key text unique references objects on delete restrict,
  counts json not null,
  files json not null,
  gaps json,
  primary key (run_id, place)
);
