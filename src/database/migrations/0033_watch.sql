-- How often a dataset group is delivered. Its state follows from its freshest ready dataset and from today; it is stored nowhere.
create table dataset_group_cadences (
  group_id uuid primary key references dataset_groups on delete cascade,
  every text not null,
  grace text not null,
  changed_at timestamptz(3) not null default now()
);

-- The watch over the inputs of the Landscape Program: at most one row, which stays when the watch is switched off (decision 56).
create table landscape_watch (
  id boolean primary key default true check (id),
  is_on boolean not null,
  hold text not null,
  hold_seconds integer not null check (hold_seconds >= 0),
  language text not null check (language in ('en', 'ru', 'kk')), -- of the names and notes of drafts
  -- The inputs that the watch has seen last, since when, and how they differ from those of the run that it compares with: [{group, from, to}].
  seen_key text,
  seen_at timestamptz(3),
  changed json,
  -- The inputs that it has decided about, and how.
  settled_key text,
  outcome text check (outcome in ('draft', 'made_before', 'same', 'cannot_begin')),
  outcome_run_id uuid references landscape_runs on delete restrict,
  outcome_failure text, -- why no run could begin, as JSON
  settled_at timestamptz(3),
  constraint settled_has_outcome check ((outcome is null) = (settled_key is null))
);

-- The drafts that it has made: never two for the same inputs, whatever becomes of them.
create table landscape_watch_drafts (
  key text primary key,
  run_id uuid not null unique references landscape_runs on delete restrict,
  changed json not null,
  made_at timestamptz(3) not null default now(),
  compared_with uuid references landscape_runs on delete restrict -- the adopted run for which the comparison was enqueued
);
