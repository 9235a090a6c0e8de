-- The size and digest of an object, written when all of it is stored; null for what was stored before, and while it is written.
alter table objects add column size_bytes bigint, add column sha256 bytea;
