-- Which state of the districts a GeoJSON by KATO was made from. One row, moved on by every statement that changes the
-- districts, in its own transaction and whoever runs it: what was made from an older version is out of date.
create table districts_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into districts_version (version) values (1);

create function move_districts_version_on() returns trigger language plpgsql as $$
begin
  update districts_version set version = version + 1;
  return null;
end $$;
create trigger districts_move_version_on after insert or update or delete or truncate on districts
  for each statement execute function move_districts_version_on();

-- Null where it is not known: as good as out of date.
alter table datasets add column districts_version bigint;
