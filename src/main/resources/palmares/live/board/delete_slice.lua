#!lua flags=allow-oom
-- Deletes some entries of a key pending deletion, and the key with the last of them.
-- KEYS: key  ARGV: maximum number of entries, cursor of a hash ('0' for the first slice)
-- Returns {cursor}, or nothing once the key is gone.
local type = redis.call('TYPE', KEYS[1]).ok
local most, cursor = tonumber(ARGV[1]), '0'
if type == 'zset' then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, most - 1)
elseif type == 'stream' and redis.call('XLEN', KEYS[1]) > most then
  redis.call('XTRIM', KEYS[1], 'MAXLEN', redis.call('XLEN', KEYS[1]) - most)
elseif type == 'hash' then
  -- A page may hold more entries than COUNT; another call deletes the rest.
  local page = redis.call('HSCAN', KEYS[1], ARGV[2], 'COUNT', most)
  local fields = {}
  for i = 1, math.min(#page[2], 2 * most), 2 do
    table.insert(fields, page[2][i])
  end
  if #fields > 0 then
    redis.call('HDEL', KEYS[1], unpack(fields))
  end
  cursor = page[1]
else
  -- The last entries of a stream, or a type without entries.
  redis.call('UNLINK', KEYS[1])
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {}
end
return {cursor}
