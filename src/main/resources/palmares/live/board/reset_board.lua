#!lua flags=allow-oom
-- Empties a live board that was halted or is lost, and makes it anew, still halted.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines
-- ARGV: state, id of the first journal entry that PostgreSQL lacks, rules (as make.lua has them)
-- Answers {'done'}; or, without having done anything, {'halted', state} if somebody else has halted
-- it meanwhile, or {'undrained'} if its journal holds what PostgreSQL lacks.
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
  'rules', ARGV[3])
return {'done'}
