-- Zones of runs as polygons: one row, and one dataset, for each raster and way of making them (decision 55). 'pending' has a job make-polygons,
-- 'failed' had one. A row goes with its raster, and with the dataset that was made.
create table landscape_polygons (
  id uuid primary key,
  key text not null unique, -- digest of the method, the rasters, the units and the parameters
  raster_id uuid not null references datasets on delete cascade,
  run_id uuid not null references landscape_runs on delete restrict, -- for which it was asked first
  node text not null,
  min_area_ha double precision, -- null leaves all zones
  cut_by text check (cut_by in ('district', 'region', 'all')), -- null leaves zones whole
  districts_version bigint,
  state text not null check (state in ('pending', 'made', 'failed')),
  dataset_id uuid unique references datasets on delete cascade,
  figures text,
  -- The sentence that says why, and whether the raster or the parameters are to blame: then another try would end alike.
  failure text,
  is_final boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint made_has_dataset check ((state = 'made') = (dataset_id is not null)),
  constraint made_has_figures check ((state = 'made') = (figures is not null)),
  constraint cut_has_version check ((cut_by is null) = (districts_version is null))
);
create index landscape_polygons_by_raster on landscape_polygons (raster_id);
