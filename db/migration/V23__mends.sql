-- What is looked up at each freeze and each exclusion: the latest times.
create index revision_frozen on revision (frozen_at);
create index exclusion_made on exclusion (made_at);
create index exclusion_lifted on exclusion (lifted_at);

-- A revision that is only supposed may hide whom no exclusion does; it is never posted, and
-- verification takes such a row for one too many.
alter table frozen_exclusion alter column exclusion_id drop not null;
