-- Templates of forms, which are kept with a dataset group (decision 99).
create table form_templates (
  id uuid primary key,
  group_id uuid not null references dataset_groups,
  filename text not null,
  format text not null check (format in ('xlsx', 'ods')),
  object_key text not null unique,
  size_bytes bigint not null,
  created_at timestamptz not null default now()
);
create index form_templates_by_group on form_templates (group_id, created_at, id);
