-- Equal columns in the tables of results that jobs make on request (decision 88): why one could not be made, whether its input is to blame, since when,
-- and when it was last used.
alter table input_moves
  add column is_final boolean not null default false,
  add column used_at timestamptz not null default now();
alter table landscape_layers
  add column failure text,
  add column is_final boolean not null default false,
  add column changed_at timestamptz not null default now(),
  add column used_at timestamptz not null default now();
alter table landscape_polygons add column used_at timestamptz not null default now();
alter table sheet_atlases
  add column failure text,
  add column is_final boolean not null default false;

-- A failure that the file is to blame for is not tried again.
alter table raster_statistics add column is_final boolean not null default false;
alter table vector_features add column is_final boolean not null default false;

-- Views that could not be made are tried again as well.
drop index datasets_without_view;
create index datasets_without_view on datasets (created_at desc, id)
  where file_type = 'raster' and status = 'ready' and (view_state is null or view_state = 'failed');
