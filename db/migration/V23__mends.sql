-- What is looked up at each freeze and each exclusion: the latest times.
create index revision_frozen on revision (frozen_at);
create index exclusion_made on exclusion (made_at);
create index exclusion_lifted on exclusion (lifted_at);
