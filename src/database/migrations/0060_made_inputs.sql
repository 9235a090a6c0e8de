-- Input rasters that were made of other datasets (decision 100). 'pending' has a job make-input, 'failed' had one. A row goes with the dataset
-- that was made; its sources may go without it, and remain named.
create table made_inputs (
  id uuid primary key,
  key text not null unique, -- digest of the version of the method, the slot, the recipe and the objects of its sources
  slot text not null, -- code of its dataset group
  recipe text not null, -- JSON, as it was asked for
  recipe_version integer not null,
  sources text not null, -- JSON: dataset, role, name and object of each
  state text not null check (state in ('pending', 'made', 'failed')),
  dataset_id uuid unique references datasets on delete cascade,
  figures text,
  failure text,
  is_final boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint made_input_has_dataset check ((state = 'made') = (dataset_id is not null)),
  constraint made_input_has_figures check ((state = 'made') = (figures is not null))
);
create index made_inputs_by_slot on made_inputs (slot, created_at desc);
