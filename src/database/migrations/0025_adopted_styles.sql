-- Digest of the style in which a dataset was drawn when its run was adopted; null without a style.
alter table adopted_datasets add column style_sha256 bytea;
