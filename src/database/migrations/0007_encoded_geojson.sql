-- The encoded forms of a GeoJSON, each an object of its own. Null where it was written before there were any, and is sent as it is.
alter table datasets
  add column geojson_gzip_storage_key text references objects on delete restrict,
  add column geojson_br_storage_key text references objects on delete restrict;
create unique index datasets_by_geojson_gzip on datasets (geojson_gzip_storage_key);
create unique index datasets_by_geojson_br on datasets (geojson_br_storage_key);
