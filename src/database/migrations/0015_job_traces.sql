-- The span that enqueued a job, as a traceparent of W3C; what writes jobs without it leaves null.
alter table jobs add column trace text;
