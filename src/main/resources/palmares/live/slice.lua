#!lua flags=allow-oom
-- Takes some entries of a doomed key away, and the key with the last of them.
-- KEYS: doomed key  ARGV: how many at the most, cursor of a hash ('0' for the first time)
-- Answers {how many, cursor}, or nothing if the key is gone.
local type = redis.call('TYPE', KEYS[1]).ok
local most = tonumber(ARGV[1])
if type == 'none' then
  return {}
elseif type == 'zset' then
  return {tostring(redis.call('ZREMRANGEBYRANK', KEYS[1], 0, most - 1)), '0'}
elseif type == 'stream' and redis.call('XLEN', KEYS[1]) > most then
  local left = redis.call('XLEN', KEYS[1]) - most
  return {tostring(redis.call('XTRIM', KEYS[1], 'MAXLEN', left)), '0'}
elseif type == 'hash' then
  local page = redis.call('HSCAN', KEYS[1], ARGV[2], 'COUNT', most)
  local fields = {}
  for i = 1, math.min(#page[2], 2 * most), 2 do
    table.insert(fields, page[2][i])
  end
  if #fields > 0 then
    redis.call('HDEL', KEYS[1], unpack(fields))
  end
  return {tostring(#fields), page[1]}
end
-- The end of a stream, or what has no entries.
return {tostring(redis.call('UNLINK', KEYS[1])), '0'}
