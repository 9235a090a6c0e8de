-- The series of a table by KATO in each form in which it is sent, and the version of the districts that it was made from. All are null
-- until somebody asks for the series, and again after each mapping.
alter table datasets
  add column series_storage_key text references objects on delete restrict,
  add column series_gzip_storage_key text references objects on delete restrict,
  add column series_br_storage_key text references objects on delete restrict,
  add column series_districts_version bigint;
create unique index datasets_by_series on datasets (series_storage_key);
create unique index datasets_by_series_gzip on datasets (series_gzip_storage_key);
create unique index datasets_by_series_br on datasets (series_br_storage_key);
