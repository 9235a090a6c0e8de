-- The rows of a table between its upload and the end of its first mapping. Null afterwards, and where a table was read before there were any.
alter table datasets add column rows_storage_key text references objects on delete restrict;
create unique index datasets_by_rows on datasets (rows_storage_key);
-- No query asks for an observation by its id, and a check of the set for each of millions of rows took a third of a mapping. A set and
-- its observations are written in one transaction; the sweeper deletes both in one statement.
alter table observations drop constraint observations_pkey;
alter table observations drop constraint observations_set_id_fkey;
