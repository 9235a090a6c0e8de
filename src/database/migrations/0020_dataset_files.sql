-- The objects of a dataset, one row each, in place of a column for each kind and encoding (decision 35).
create table dataset_files (
  dataset_id uuid not null references datasets on delete cascade,
  kind text not null,
  encoding text not null default 'identity',
  object_key text not null references objects on delete restrict,
  made_from bigint, -- the version of the districts that it was made from; null where districts are not in it
  primary key (dataset_id, kind, encoding)
);
-- One owner per object, and a quick answer when the ledger asks for it. A computed raster is its own COG, so that an object may have two kinds.
create unique index dataset_files_by_object on dataset_files (object_key, kind);

-- Everything from here to the end of the second trigger keeps the columns true for processes of the release before, and goes with them.
alter table datasets alter column storage_key drop not null, drop constraint datasets_view_has_mesh;

create function files_in_columns(d datasets) returns setof dataset_files language sql stable as $$
  select d.id, kind, encoding, object_key, made_from from (values
    ('original', 'identity', d.storage_key, null),
    ('cog', 'identity', d.cog_storage_key, null),
    ('geojson', 'identity', d.geojson_storage_key, d.districts_version),
    ('geojson', 'gzip', d.geojson_gzip_storage_key, d.districts_version),
    ('geojson', 'br', d.geojson_br_storage_key, d.districts_version),
    ('series', 'identity', d.series_storage_key, d.series_districts_version),
    ('series', 'gzip', d.series_gzip_storage_key, d.series_districts_version),
    ('series', 'br', d.series_br_storage_key, d.series_districts_version),
    ('rows', 'identity', d.rows_storage_key, null),
    ('view_mesh', 'identity', d.view_mesh_storage_key, null),
    ('view_cog', 'identity', d.view_cog_storage_key, null),
    ('sld', 'identity', d.sld_storage_key, null)
  ) as named (kind, encoding, object_key, made_from) where object_key is not null
$$;

create function copy_columns_to_files() returns trigger language plpgsql as $$
begin
  delete from dataset_files where dataset_id = new.id;
  insert into dataset_files select * from files_in_columns(new);
  return null;
end $$;
create trigger datasets_to_files after insert or update of storage_key, cog_storage_key, geojson_storage_key, geojson_gzip_storage_key,
    geojson_br_storage_key, series_storage_key, series_gzip_storage_key, series_br_storage_key, rows_storage_key, view_mesh_storage_key,
    view_cog_storage_key, sld_storage_key, districts_version, series_districts_version on datasets
  for each row when (new.storage_key is not null and pg_trigger_depth() = 0) execute function copy_columns_to_files();

insert into dataset_files select files.* from datasets d, files_in_columns(d) files;

create function copy_files_to_columns() returns trigger language plpgsql as $$
begin
  update datasets d set (storage_key, cog_storage_key, geojson_storage_key, geojson_gzip_storage_key, geojson_br_storage_key, districts_version,
      series_storage_key, series_gzip_storage_key, series_br_storage_key, series_districts_version, rows_storage_key, view_mesh_storage_key,
      view_cog_storage_key, sld_storage_key) = (
    select max(object_key) filter (where kind = 'original'),
      max(object_key) filter (where kind = 'cog'),
      max(object_key) filter (where kind = 'geojson' and encoding = 'identity'),
      max(object_key) filter (where kind = 'geojson' and encoding = 'gzip'),
      max(object_key) filter (where kind = 'geojson' and encoding = 'br'),
      max(made_from) filter (where kind = 'geojson'),
      max(object_key) filter (where kind = 'series' and encoding = 'identity'),
      max(object_key) filter (where kind = 'series' and encoding = 'gzip'),
      max(object_key) filter (where kind = 'series' and encoding = 'br'),
      max(made_from) filter (where kind = 'series'),
      max(object_key) filter (where kind = 'rows'),
      max(object_key) filter (where kind = 'view_mesh'),
      max(object_key) filter (where kind = 'view_cog'),
      max(object_key) filter (where kind = 'sld')
    from dataset_files where dataset_id = d.id)
  where d.id in (select dataset_id from changed);
  return null;
end $$;
create trigger dataset_files_added after insert on dataset_files referencing new table as changed
  for each statement when (pg_trigger_depth() = 0) execute function copy_files_to_columns();
create trigger dataset_files_removed after delete on dataset_files referencing old table as changed
  for each statement when (pg_trigger_depth() = 0) execute function copy_files_to_columns();

-- The news of styles come from the files from now on, and from the datasets when they change their group.
create function announce_own_style() returns trigger language plpgsql as $$
begin
  perform pg_notify('style_changes', 'datasets ' || new.dataset_id);
  return null;
end $$;
create trigger dataset_files_announce_style after insert on dataset_files for each row
  when (new.kind = 'sld') execute function announce_own_style();
drop trigger datasets_announce_style on datasets;
create trigger datasets_announce_style after update of dg_id on datasets for each row
  when (old.dg_id is distinct from new.dg_id) execute function announce_style_change();
