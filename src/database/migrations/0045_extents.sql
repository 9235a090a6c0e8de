-- Where and when datasets are, so that catalogues can be searched by box and time (decision 72). `extent` is west, south, east, north in degrees,
-- with west > east across 180 degrees; null of what does not lie on the earth, and until extent_known.
alter table datasets
  add column extent double precision[] check (cardinality(extent) = 4),
  add column extent_known boolean not null default false,
  add column place box generated always as (case when extent[1] <= extent[3]
    then box(point(extent[1], extent[2]), point(extent[3], extent[4]))
    else box(point(-180, extent[2]), point(180, extent[4])) end) stored,
  -- From the first day to the end of the last one; of a dataset without dates when it was made. A row that ends before it starts is refused
  -- by a check, which comes after this.
  add column period tsrange not null generated always as (tsrange(
    coalesce(least(start_date, end_date)::timestamp, created_at at time zone 'UTC'),
    coalesce(coalesce(end_date, start_date)::timestamp + interval '1 day - 1 millisecond', created_at at time zone 'UTC'), '[]')) stored;

create index datasets_by_place on datasets using gist (place, period) where status = 'ready';
create index datasets_by_period on datasets using gist (period) where status = 'ready';
-- Datasets whose extent has still to be measured; empty soon.
create index datasets_without_extent on datasets (created_at desc, id) where status = 'ready' and not extent_known;
-- Datasets without a group are listed by their category.
create index datasets_ungrouped on datasets (category_id) where dg_id is null and status = 'ready';
