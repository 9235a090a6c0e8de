-- What a result has so far, for a job that is long and whose parts are visible while it works (decision 104).
alter table results add column progress text;
