-- What can be drawn of a style, as JSON: made when the style is stored, else when somebody first asks for it. A row goes with the
-- bytes of its style, which is why it cascades where rows that own an object restrict: it must never hold one back.
create table compiled_styles (
  sld_storage_key text primary key references objects on delete cascade,
  compiled text not null
);
