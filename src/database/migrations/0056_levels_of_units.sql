-- Units of any level (decision 93). The level of a unit is that of the classifier; a border may be given for units of any level.
alter table districts
  drop constraint districts_level_check,
  add constraint districts_level_check check (level in ('republic', 'region', 'district', 'okrug', 'settlement'));
alter table former_districts
  drop constraint former_districts_level_check,
  add constraint former_districts_level_check check (level in ('republic', 'region', 'district', 'okrug', 'settlement'));
-- What is counted or cut by units follows all levels that have borders.
alter table zonal_tables
  drop constraint zonal_tables_by_level_check,
  add constraint zonal_tables_by_level_check
    check (by_level in ('republic', 'region', 'district', 'okrug', 'settlement', 'all'));
alter table landscape_polygons
  drop constraint landscape_polygons_cut_by_check,
  add constraint landscape_polygons_cut_by_check
    check (cut_by in ('republic', 'region', 'district', 'okrug', 'settlement', 'all'));
