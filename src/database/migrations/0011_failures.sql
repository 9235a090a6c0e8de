-- What parse_error is made of, as JSON with code and facts, so that it can be said in other languages. Null where there is no parse_error,
-- and beside one that was written before.
alter table datasets add column failure text;
