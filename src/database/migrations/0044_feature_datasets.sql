-- The datasets that have single features, in the order in which they are listed: few among many rasters.
create index datasets_with_features on datasets (created_at desc, id desc)
  where status = 'ready' and file_type in ('vector', 'vector_with_kato');
