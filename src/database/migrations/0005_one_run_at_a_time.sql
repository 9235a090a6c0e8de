-- Landscape runs are executed one after the other, by whichever worker. Two workers that claim at once, and do not yet see
-- what the other does, are parted here.
create unique index jobs_one_run on jobs (kind) where kind = 'run-landscape' and state = 'running';
