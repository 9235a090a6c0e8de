-- Of an object that is to be deleted: a put of it has ended without an answer, and its bytes may still come. `infinity` until they were
-- removed once, then the time of the second removal; null when nothing can come.
alter table objects add column late_until timestamptz;
