-- Tells every process at once which style has changed: `datasets <id>` or `dataset_groups <id>`.
create function announce_style_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('style_changes', tg_table_name || ' ' || new.id);
  return null;
end $$;
create trigger datasets_announce_style after update of sld_storage_key, dg_id on datasets for each row
  when (old.sld_storage_key is distinct from new.sld_storage_key or old.dg_id is distinct from new.dg_id)
  execute function announce_style_change();
create trigger dataset_groups_announce_style after update of sld_storage_key on dataset_groups for each row
  when (old.sld_storage_key is distinct from new.sld_storage_key)
  execute function announce_style_change();
