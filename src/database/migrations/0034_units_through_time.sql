-- From when until when a unit has been so (decision 61). Null where no change is known; `valid_to` is the first day on which it is no more.
alter table districts
  add column valid_from date,
  add column valid_to date,
  add constraint is_valid_for_some_days check (valid_to > valid_from);

-- Units as they were before they became others, some with the code of a unit of today. Few have borders.
create table former_districts (
  kato_code text collate "C" not null,
  valid_to date not null,
  valid_from date,
  level text not null check (level in ('region', 'district')),
  name text not null,
  name_kk text,
  name_en text,
  geometry text, -- as in districts
  primary key (kato_code, valid_to),
  constraint was_valid_for_some_days check (valid_to > valid_from)
);

-- What became of them: on `date` the unit `from_code` became, or gave land to, `to_code`, which is null where it is not known.
create table district_changes (
  position integer primary key, -- in the order in which they are told
  from_code text collate "C" not null,
  to_code text collate "C",
  to_name text,
  kind text not null check (kind in ('recode', 'rename', 'split', 'merge', 'border')),
  date date not null,
  share_area double precision check (share_area between 0 and 1),
  act json not null,
  constraint leads_to_a_unit check ((to_code is null) = (to_name is not null))
);

-- Hectares by unit and maps depend on the units of today alone. What depends on their history as well goes by the sum of both versions.
drop trigger districts_move_version_on on districts;
create trigger districts_move_version_on
  after insert or update of kato_code, level, name, name_kk, name_en, geometry or delete or truncate on districts
  for each statement execute function move_districts_version_on();

alter table districts_version add column history bigint not null default 0;
create function move_districts_history_on() returns trigger language plpgsql as $$
begin
  update districts_version set history = history + 1;
  return null;
end $$;
create trigger districts_move_history_on after update of valid_from, valid_to on districts
  for each statement execute function move_districts_history_on();
create trigger former_districts_move_history_on after insert or update or delete or truncate on former_districts
  for each statement execute function move_districts_history_on();
create trigger district_changes_move_history_on after insert or update or delete or truncate on district_changes
  for each statement execute function move_districts_history_on();
