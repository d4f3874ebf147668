-- Seals an adopted board: renames all keys of its program that exist, or none. Idempotent; keys
-- that the program writes afterwards are not touched.
-- KEYS: mark, key, sealed, key, sealed, ...  ARGV: the type that each key must have; period
-- Returns {entries of the first key}, nothing if none of the keys exists, {'wrong', key, type}, or
--   {'taken', sealed}.
local mark = KEYS[1]
local period = ARGV[#ARGV]
local sealed = redis.call('HMGET', mark, 'entries', 'period')
if sealed[1] then
  return sealed[2] == period and {sealed[1]} or {'taken', mark}
end
local there = {}
for i = 2, #KEYS, 2 do
  local type = redis.call('TYPE', KEYS[i]).ok
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then
    return {'taken', KEYS[i + 1]}
  elseif type ~= 'none' and type ~= ARGV[i / 2] then
    return {'wrong', KEYS[i], type}
  elseif type ~= 'none' then
    table.insert(there, i)
  end
end
if #there == 0 then
  return {}
end

-- The mark is written first, because it alone needs memory, which Redis may refuse.
local entries = redis.call(ARGV[1] == 'zset' and 'ZCARD' or 'HLEN', KEYS[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = {'entries', entries, 'period', period}
for _, i in ipairs(there) do
  local left = redis.call('PTTL', KEYS[i])
  if left >= 0 then
    table.insert(fields, KEYS[i])
    table.insert(fields, string.format('%.0f', now + left))
  end
end
redis.call('HSET', mark, unpack(fields))
for _, i in ipairs(there) do
  redis.call('RENAME', KEYS[i], KEYS[i + 1])
  redis.call('PERSIST', KEYS[i + 1])
end
return {tostring(entries)}
