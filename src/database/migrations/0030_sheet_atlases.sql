-- Atlases of zonings, each made once for its content (decision 52). 'pending' has a job make-atlas; 'failed' had one.
create table sheet_atlases (
  id uuid primary key,
  key text not null unique, -- digest of all that is on its pages
  dataset_id uuid not null references datasets on delete restrict, -- the zoning, with which it goes
  wanted text not null, -- what was asked for, as JSON
  state text not null check (state in ('pending', 'made', 'failed')),
  object_key text unique references objects on delete restrict,
  changed_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint made_has_object check ((state = 'made') = (object_key is not null))
);
create index sheet_atlases_by_dataset on sheet_atlases (dataset_id);
