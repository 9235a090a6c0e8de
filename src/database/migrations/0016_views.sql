-- What a raster is drawn with: where places of a map lie in it, and a COG to draw from where its own cannot be drawn from.
-- view_state is null until somebody has looked (any other file type, not ready, ready before this migration), 'pending' while a job
-- make-view has still to make it, 'made' when it can be drawn, 'none' when it never can, and 'failed' when the job did.
alter table datasets
  add column view_mesh_storage_key text references objects on delete restrict,
  add column view_cog_storage_key text references objects on delete restrict,
  add column view_state text check (view_state in ('pending', 'made', 'none', 'failed')),
  add constraint datasets_view_has_mesh check (view_state <> 'made' or view_mesh_storage_key is not null);
create unique index datasets_by_view_mesh on datasets (view_mesh_storage_key);
create unique index datasets_by_view_cog on datasets (view_cog_storage_key);
-- Rasters that workers have still to give a view; empty soon.
create index datasets_without_view on datasets (created_at desc, id)
  where file_type = 'raster' and status = 'ready' and view_state is null;
