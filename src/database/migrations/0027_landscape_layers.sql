-- Internal rasters that are made of what runs have resolved, never datasets: one for each layer and set of inputs, shared by all runs that have them
-- (decision 46). 'pending' has a job make-layer, 'failed' had one.
create table landscape_layers (
  id uuid primary key,
  key text not null unique, -- digest of the version of the graph, the layer, the grid and the inputs
  layer text not null,
  run_id uuid not null references landscape_runs on delete restrict, -- for which it was asked first; its job reads the inputs there
  state text not null check (state in ('pending', 'made', 'failed')),
  cog_key text unique references objects on delete restrict,
  mesh_key text unique references objects on delete restrict, -- null for a grid that cannot be drawn
  created_at timestamptz not null default now(),
  constraint made_has_cog check ((state = 'made') = (cog_key is not null)),
  constraint mesh_has_cog check (mesh_key is null or cog_key is not null)
);

-- The rasters that a layer is made of: it goes with the first of them that is deleted, so that what keeps these keeps it.
create table landscape_layer_inputs (
  layer_id uuid not null references landscape_layers on delete cascade,
  dataset_id uuid not null references datasets on delete cascade,
  primary key (layer_id, dataset_id)
);
create index landscape_layer_inputs_by_dataset on landscape_layer_inputs (dataset_id);
