-- What a key may do of what its roles allow: the names of operations of the API that are not plain
-- reads, as the OpenAPI document has them; empty for all of them.
alter table api_key add column operations text[] not null default '{}';
