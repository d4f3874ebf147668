-- Takes an adopted board's keys away from their writer: all that are there, or none. May be called
-- again and again; what the writer makes afterwards under its keys is left alone.
-- KEYS: mark, key, sealed, key, sealed, ...  ARGV: the type that each key must have; period
-- Answers {entries of the first key}, nothing if none of the keys is there, or
--   {'wrong', key, type}, or {'taken', sealed}.
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

-- Nothing has been written so far; from here on everything is. The mark comes first, since it alone
-- needs memory that may be refused.
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
