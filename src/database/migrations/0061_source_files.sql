-- Files from which rasters are made (decision 101): NetCDF, GRIB, HDF, Erdas Imagine and ASCII grids.
create table source_files (
  id uuid primary key,
  filename text not null,
  format text not null,
  object_key text not null unique,
  size_bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index source_files_by_time on source_files (created_at desc, id);
create index source_files_by_use on source_files (used_at);
alter table uploads add column source_file_id uuid;
