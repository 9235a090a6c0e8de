-- The documents that signatures over inventories are over, for good: report, areas and record are others a day later, and a signature keeps its object.
-- In landscape_run_signatures the column `manifest` has what was signed: a manifest, or an inventory of documents that names one.
create table landscape_signed_documents (
  run_id uuid not null references landscape_runs on delete restrict,
  sha256 bytea not null check (octet_length(sha256) = 32),
  content bytea not null,
  primary key (run_id, sha256)
);

create function refuse_change_of_signed_documents() returns trigger language plpgsql as $$
begin
  raise exception 'rows of landscape_signed_documents stay as they are: signatures are over them';
end $$;
create trigger landscape_signed_documents_stay before update or delete on landscape_signed_documents
  for each row execute function refuse_change_of_signed_documents();
