-- Processes of a release that writes columns know fewer kinds of files than there are: what they change takes only those away that have a column.
create or replace function copy_columns_to_files() returns trigger language plpgsql as $$
begin
  delete from dataset_files where dataset_id = new.id
    and kind in ('original', 'cog', 'geojson', 'series', 'rows', 'view_mesh', 'view_cog', 'sld');
  insert into dataset_files select * from files_in_columns(new);
  return null;
end $$;
