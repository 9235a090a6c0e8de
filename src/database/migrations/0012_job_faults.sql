-- Attempts that failed in a way that nothing explains; they are bounded, those of an outage are not.
alter table jobs add column unexpected_errors integer not null default 0;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
