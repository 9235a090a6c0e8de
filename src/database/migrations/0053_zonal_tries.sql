-- The value of `wanted` that the last attempt at a table set out from: what has changed since then is tried again, even where that attempt fails.
alter table zonal_tables add column tried bigint not null default 0;
