-- The remark on a value, or on its absence (decision 98): its status and text, as the column of remarks of the mapping has it.
alter table observations add column remark text;
