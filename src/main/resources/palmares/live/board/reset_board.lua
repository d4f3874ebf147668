#!lua flags=allow-oom
-- Replaces a halted or lost live board by an empty one, which is halted too.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines
-- ARGV: state, id of the first journal entry that PostgreSQL lacks, rules (see create_board.lua)
-- Returns {'done'}; or, without a change, {'halted', state} if another process has halted it
-- meanwhile, or {'undrained'} if its journal holds entries that PostgreSQL lacks.
local state = redis.call('HGET', KEYS[1], 'state')
if state and state ~= ARGV[1] then
  return {'halted', state}
end
redis.call('XTRIM', KEYS[5], 'MINID', ARGV[2])
if redis.call('XLEN', KEYS[5]) > 0 then
  return {'undrained'}
end
redis.call('UNLINK', unpack(KEYS))
redis.call('HSET', KEYS[1], 'state', ARGV[1], 'seq', '0', 'points', '0', 'drained', '0',
  'lines', '0', 'rules', ARGV[3])
return {'done'}
