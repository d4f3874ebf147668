#!lua flags=allow-oom
-- Replaces a halted or lost live board by an empty one, which is halted too. What its journal holds is
-- in PostgreSQL, and is kept for one that goes back.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines
-- ARGV: state, id of the first journal entry that PostgreSQL lacks, rules (see create_board.lua)
-- Returns {'done'}; or, without a change, {'halted', state} if another process has halted it
-- meanwhile, or {'undrained'} if its journal holds entries that PostgreSQL lacks.
local held = redis.call('HMGET', KEYS[1], 'state', 'untrimmed')
if held[1] and held[1] ~= ARGV[1] then
  return {'halted', held[1]}
end
if #redis.call('XRANGE', KEYS[5], ARGV[2], '+', 'COUNT', 1) > 0 then
  return {'undrained'}
end
table.remove(KEYS, 5)
redis.call('UNLINK', unpack(KEYS))
redis.call('HSET', KEYS[1], 'state', ARGV[1], 'seq', '0', 'points', '0', 'drained', '0',
  'lines', '0', 'rules', ARGV[3])
if held[2] then
  redis.call('HSET', KEYS[1], 'untrimmed', held[2])
end
return {'done'}
