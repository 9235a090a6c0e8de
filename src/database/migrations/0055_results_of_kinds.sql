-- The table of atlases becomes the table of all kinds of results that have at most one dataset and one object (decision 91).
alter table sheet_atlases rename to results;
alter table results rename column wanted to input;
alter table results
  add column kind text not null default 'atlas',
  add column content text, -- JSON
  alter column dataset_id drop not null,
  drop constraint made_has_object,
  add constraint made_has_content check ((state = 'made') = (content is not null or object_key is not null));
alter table results alter column kind drop default;
alter index sheet_atlases_by_dataset rename to results_by_dataset;
create index results_by_kind on results (kind, used_at);

-- As processes of the release before read and write it.
create view sheet_atlases as
  select id, key, dataset_id, input as wanted, state, object_key, changed_at, used_at, failure, is_final, kind
  from results where kind = 'atlas';
alter view sheet_atlases alter column kind set default 'atlas';
