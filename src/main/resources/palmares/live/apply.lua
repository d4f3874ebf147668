-- Applies events to one live board, in their order: each as a whole, or not at all. What is put
-- off, since the board is not there or not opened yet, is halted or full, or Redis is, puts off
-- all behind it in its batch. Reads all that the events need, decides on one after the other, and
-- then writes what has changed: a call takes a few commands, however many events it brings.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines,
--   turn of the batch (where it takes several calls)
-- ARGV:
--    1 the state that the board must have: 'open', or that of the rebuild that replays into it
--    2 how many events the journal may hold
--    3 the call's place among those of its batch on this board: 'first', 'next', 'last'; 'only'
--      for a whole batch; '' for events that do not wait for each other
--    4 the events in MessagePack, one after the other; of each, with false for what it lacks:
--    1 id, 2 member, 3 what the journal says of it besides the decision,
--    4 quantity, 5 points that it adds, 6 value (false where points add up), 7 second key,
--    8 occurred (microseconds; false for the server's time),
--    9 arrived (microseconds; false for the server's time, 'any' for an import of whatever age),
--   10 digest of the event, as its sender told it,
--   11 the number that the journal has it under, if it was decided before (false for a new one),
--   12 the number up to which PostgreSQL was searched for its id (0 for none),
--   13 where it is undone, or counts so often only: action, subject, whether it is undone,
--      how often it counts ('event', 'subject', 'day', 'period'), most of it a day, most of it a
--      period (0 for any number), day, its start, its end (microseconds)
-- Answers for each event 'outcome, points that it gave or took, points now, microseconds of the
--   event, digest', with blanks between them. The outcomes are those of the journal; or 'duplicate'
--   or 'conflict', with the first outcome in the place of the digest; or 'missing', 'rebuilding',
--   'late', 'outside', 'full', 'full-then', 'full-sum', 'exhausted', 'backlog', 'waiting',
--   'out-of-step', 'forgotten' if its id may be one that the board has forgotten: search PostgreSQL
--   for it; all these without a digest.
local meta, board, ids, given, journal, levels, holders, places, excluded, lines_out, turn =
  unpack(KEYS)
local expected, most_entries, place = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local events, EVENT = {cmsgpack.unpack(ARGV[4])}, 13
local count_of_events = #events / EVENT

-- Ids hold no control characters, so that the separators are in none of them.
local SEPARATOR, END_OF_EVENT = '\31', '\30'

-- What Redis adds up without an error, with room for what a double does not tell apart there.
local MOST_SUM = 9223372036854700000

-- What a double tells apart.
local MOST_EXACT = 9007199254740991

local call, format, floor = redis.call, string.format, math.floor

local function whole(number)
  return format('%d', number)
end

-- The same, for numbers that many events share.
local texts = {[0] = '0'}
local function shared(number)
  local text = texts[number]
  if not text then
    text = whole(number)
    texts[number] = text
  end
  return text
end

-- The turn is there for as long as nothing of the batch was put off.
local stopped = false
if place == 'first' then
  local begun = redis.pcall('SET', turn, '1', 'PX', '60000')
  if begun.err then
    return begun
  end
elseif place == 'next' then
  stopped = call('EXISTS', turn) == 0
elseif place == 'last' then
  stopped = call('DEL', turn) == 0
end

local function told(outcome, change, points, micros)
  return outcome .. ' ' .. change .. ' ' .. points .. ' ' .. micros
end

local function stop()
  stopped = place ~= ''
  if place == 'first' or place == 'next' then
    call('DEL', turn)
  end
end

local function put_off(why, points, micros)
  stop()
  return told(why, '0', points or '0', micros or '0')
end

local rules = call('HMGET', meta, 'state', 'starts', 'ends', 'closes', 'unit', 'deadline', 'tick',
  'max', 'dense', 'seq', 'scoring', 'span', 'then', 'fewest', 'wide', 'events', 'points',
  'forgotten', 'drained')
local state = rules[1]
local there = state and state ~= 'new'
local halted = state and state ~= expected and string.sub(state, 1, 10) == 'rebuilding'
local starts, ends, closes = tonumber(rules[2]), tonumber(rules[3]), tonumber(rules[4])
local unit, horizon, tick = tonumber(rules[5]), tonumber(rules[6]), tonumber(rules[7])
local most, dense, scoring = tonumber(rules[8]), rules[9] == '1', rules[11] or 'add'
local span, most_then = tonumber(rules[12] or '1'), tonumber(rules[13] or '0')
local lowest, fewest, wide = scoring == 'lowest-best', rules[14] == '1', rules[15] == '1'
local most_events = tonumber(rules[16] or '0')
local seq, sum = tonumber(rules[10]), tonumber(rules[17])
local forgotten, drained = tonumber(rules[18] or '0'), tonumber(rules[19] or '0')
local first_seq = seq

local now, now_text = nil, nil
local function server()
  if not now then
    local time = call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
    now_text = whole(now)
  end
  return now, now_text
end

-- What is done once only; nil if it may be done again and again.
local function deed_of(limits, member)
  local action, subject, _, once, _, _, day = unpack(limits, 1, 7)
  if once == 'subject' then
    return subject and action .. SEPARATOR .. member .. SEPARATOR .. subject or nil
  elseif once == 'day' then
    return action .. SEPARATOR .. member .. SEPARATOR .. SEPARATOR .. day
  elseif once == 'period' then
    return action .. SEPARATOR .. member .. SEPARATOR
  end
end

local function counter_of_period(action, member)
  return SEPARATOR .. action .. SEPARATOR .. member
end

local function counter_of_day(action, member, day)
  return SEPARATOR .. action .. SEPARATOR .. member .. SEPARATOR .. (day or '')
end

-- What Redis has of them: of each event what was decided on it, its member's tie (on a wide board),
-- score and exclusion; and what was given for what counts so often only.
local members, firsts, ties, scores, exclusions, of_given = {}, nil, nil, nil, nil, {}

-- Each closure costs a call about as much as a command, so what is done once is done in place.
if there then
  local asked = {}
  for i = 1, count_of_events do
    asked[i], members[i] = events[(i - 1) * EVENT + 1], events[(i - 1) * EVENT + 2]
  end
  firsts = call('HMGET', ids, unpack(asked))
end
if there and not halted then
  local lines = members
  if wide then
    ties, lines = call('HMGET', places, unpack(members)), {}
    for i, tie in ipairs(ties) do
      lines[i] = (tie or '') .. members[i]
    end
  end
  scores = call('ZMSCORE', board, unpack(lines))
  if call('EXISTS', excluded) == 1 then
    exclusions = call('HMGET', excluded, unpack(members))
  end
end
if there and not halted then
  local asked = {}
  for i = 1, count_of_events do
    local member, limits = members[i], events[i * EVENT]
    if limits then
      asked[#asked + 1] = deed_of(limits, member)
      if limits[5] > 0 then
        asked[#asked + 1] = counter_of_day(limits[1], member, limits[7])
      end
      if limits[6] > 0 then
        asked[#asked + 1] = counter_of_period(limits[1], member)
      end
    end
  end
  if #asked > 0 then
    for i, value in ipairs(call('HMGET', given, unpack(asked))) do
      of_given[asked[i]] = value
    end
  end
end

-- A level is points and second key in one number, of which more is better.
local function level_of(points, second)
  return (lowest and most - points or points) * span + (fewest and most_then - second or second)
end

-- What is told of an event that was decided before.
local function again(first, digest)
  local outcome, change, total, micros, its_digest =
    string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
  local same = its_digest == '' or its_digest == digest
  return told(same and 'duplicate' or 'conflict', change, total, micros) .. ' ' .. outcome
end

-- What members hold by now, each by the number of its first event among these: level (none without
-- a line), points, second key and time. Those whose place has changed are listed.
local slots, levels_now, points_now, seconds_now, times_now = {}, {}, {}, {}, {}
local moved, has_moved = {}, {}

-- The level that the member of event i has in Redis, and what breaks its ties; nil without a line.
local function stored(i)
  local score = scores[i]
  if score and (not wide or ties[i]) then
    score = tonumber(score)
    local level = floor(score / unit)
    return level, wide and tonumber(ties[i]) or score - level * unit
  end
end

-- Where the member of event i is found.
local function slot_of(i)
  local member = members[i]
  local slot = slots[member]
  if not slot then
    slot, slots[member] = i, i
    local level, rest = stored(i)
    if level then
      local above = floor(level / span)
      levels_now[i], times_now[i] = level, horizon - rest
      points_now[i] = lowest and most - above or above
      seconds_now[i] = fewest and most_then - (level - above * span) or level - above * span
    else
      points_now[i], seconds_now[i] = 0, 0
    end
  end
  return slot
end

-- What is counted by now of what counts so often only, and what these events add to it.
local counts = {}

local function reached(most_of_it, counter, count)
  return tonumber(of_given[counter] or '0') + (counts[counter] or 0) + count > most_of_it
end

local function add_count(counter, count)
  counts[counter] = (counts[counter] or 0) + count
end

-- What is to be written: ids with the decisions, by id too; deeds with what was given (false for
-- nothing any more); sums of points that a double holds; and entries of the journal.
local records, record_of, deeds, gains, entries = {}, {}, {}, {}, {}
local count_of_records = 0

local function give(deed, what)
  of_given[deed], deeds[deed] = what, what
end

-- Applies event i; answers what is told of it.
local function apply(i)
  local from = (i - 1) * EVENT
  local id, member, text, quantity, adds, value, adds_then, occurs, arrives, digest, number,
    searched, limits = unpack(events, from + 1, from + EVENT)
  local first = firsts[i] or record_of[id]
  if first then
    return again(first, digest)
  end
  if halted then
    return put_off('rebuilding')
  end

  local occurred, micros = occurs, nil
  if occurs then
    micros = whole(occurs)
  else
    occurred, micros = server()
  end
  local action, undo, most_a_day, most_a_period, day, deed = nil, 0, 0, 0, false, nil
  if limits then
    action, undo, most_a_day, most_a_period, day =
      limits[1], limits[3], limits[5], limits[6], limits[7]
    deed = deed_of(limits, member)
  end
  if occurred < starts or occurred >= ends
    or (day and (occurred < limits[8] or occurred >= limits[9])) then
    return put_off('outside', '0', micros)
  end
  local too_late = false
  if arrives ~= 'any' and closes then
    too_late = (arrives or server()) >= closes
  end
  if state ~= expected or too_late then
    return told('late', '0', '0', micros)
  end

  -- Ids are forgotten once PostgreSQL has their events: a search up to there has met them all.
  if not number and forgotten > searched then
    return put_off('forgotten', '0', micros)
  end

  local slot = slot_of(i)
  local level, points, second = levels_now[slot], points_now[slot], seconds_now[slot]
  if number and number ~= seq + 1 then
    return put_off('out-of-step', whole(points), micros)
  end
  if most_events > 0 and seq + 1 > most_events then
    return told('exhausted', '0', whole(points), micros)
  end
  local at = most_events > 0 and seq + 1 or floor(occurred / tick)

  -- What the event makes of it.
  local outcome, change, change_then = 'applied', adds, adds_then
  local count, count_day = quantity, day
  if undo == 1 then
    local gave = of_given[deed]
    if gave then
      local its_points, its_then, its_count, its_day =
        string.match(gave, '^(%S+) ?(%S*) ?(%S*) ?(%S*)$')
      outcome, change, change_then = 'undone', -tonumber(its_points), -(tonumber(its_then) or 0)
      count, count_day = -(tonumber(its_count) or 0), its_day
    else
      outcome, change, change_then = 'nothing-to-undo', 0, 0
    end
  elseif deed and of_given[deed] then
    outcome, change, change_then = 'repeated', 0, 0
  elseif (most_a_day > 0 and reached(most_a_day, counter_of_day(action, member, day), count))
    or (most_a_period > 0
      and reached(most_a_period, counter_of_period(action, member), count)) then
    outcome, change, change_then = 'capped', 0, 0
  end

  local holds = outcome == 'applied' or outcome == 'undone'
  local total, total_then = points + change, second + change_then
  if scoring == 'add' then
    if holds and level and most_events == 0 and times_now[slot] > at then
      at = times_now[slot]
    end
  elseif holds then
    total, total_then = value, adds_then
    if level then
      local better = level_of(total, total_then) - level
      if scoring == 'latest' then
        holds = at >= times_now[slot]
      else
        holds = better > 0 or (better == 0 and at < times_now[slot])
      end
    end
    if not holds then
      outcome, total, total_then = 'unchanged', points, second
    end
    change = total - points
  end
  if not holds then
    total, total_then = points, second
  end
  if total > most then
    return told('full', whole(change), whole(points), micros)
  end
  if total_then > most_then then
    return told('full-then', '0', whole(points), micros)
  end
  if sum + change > MOST_SUM then
    return told('full-sum', '0', whole(points), micros)
  end
  if not number and seq - drained >= most_entries then
    return put_off('backlog', whole(points), micros)
  end

  seq, sum = seq + 1, sum + change
  local gained = gains[#gains]
  if gained and math.abs(gained + change) <= MOST_EXACT then
    gains[#gains] = gained + change
  else
    gains[#gains + 1] = change
  end
  if holds then
    levels_now[slot], points_now[slot] = level_of(total, total_then), total
    seconds_now[slot], times_now[slot] = total_then, at
    if not has_moved[slot] then
      has_moved[slot] = true
      moved[#moved + 1] = slot
    end
  end
  local gives, gives_then = shared(change), shared(change_then)
  if deed and (outcome == 'applied' or outcome == 'unchanged') then
    give(deed, gives .. ' ' .. gives_then .. ' ' .. whole(count) .. ' ' .. (count_day or ''))
  elseif outcome == 'undone' then
    give(deed, false)
  end
  if outcome == 'applied' or outcome == 'undone' or outcome == 'unchanged' then
    if most_a_day > 0 then
      add_count(counter_of_day(action, member, count_day), count)
    end
    if most_a_period > 0 then
      add_count(counter_of_period(action, member), count)
    end
  end
  local record = outcome .. ' ' .. gives .. ' ' .. whole(total) .. ' ' .. micros .. ' ' .. digest
  record_of[id], count_of_records = record, count_of_records + 2
  records[count_of_records - 1], records[count_of_records] = id, record
  if number then
    drained = seq
  else
    -- An entry holds the events of one call that have numbers in a row.
    local entry = entries[#entries]
    if not entry or entry.last ~= seq - 1 then
      entry = {}
      entries[#entries + 1] = entry
    end
    entry[#entry + 1], entry.last = text .. SEPARATOR .. gives_then .. SEPARATOR .. record, seq
  end
  return record
end

local function write(command, key, what)
  if #what > 0 then
    call(command, key, unpack(what))
  end
end

local answers = {}
for i = 1, count_of_events do
  if stopped then
    answers[i] = told('waiting', '0', '0', '0')
  elseif not there then
    answers[i] = put_off('missing')
  else
    answers[i] = apply(i)
  end
end
if there and seq > first_seq then
  -- A Redis that is full, or cannot write, refuses the first write of a script or none.
  local begun = redis.pcall('HSET', meta, 'seq', whole(seq), 'drained', whole(drained))
  if type(begun) == 'table' and begun.err then
    stop()
    return begun
  end
  for _, change in ipairs(gains) do
    call('HINCRBY', meta, 'points', whole(change))
  end
  call('HSET', ids, unpack(records))
end

-- Ranked members only hold levels.
if dense and #moved > 0 then
  local changes = {}
  for _, slot in ipairs(moved) do
    local level, before = levels_now[slot], stored(slot)
    if level ~= before and not (exclusions and exclusions[slot]) then
      changes[level] = (changes[level] or 0) + 1
      if before then
        changes[before] = (changes[before] or 0) - 1
      end
    end
  end
  for level, change in pairs(changes) do
    local name = whole(level)
    if change ~= 0 and call('HINCRBY', holders, name, whole(change)) == 0 then
      call('HDEL', holders, name)
      call('ZREM', levels, name)
    elseif change > 0 then
      call('ZADD', levels, name, name)
    end
  end
end

-- On a wide board a line begins with what breaks its ties.
if wide and #moved > 0 then
  local places_now, gone, gone_out = {}, {}, {}
  for _, slot in ipairs(moved) do
    local tie = format('%016.0f', horizon - times_now[slot])
    if stored(slot) and ties[slot] ~= tie then
      gone[#gone + 1] = ties[slot] .. members[slot]
      if exclusions and exclusions[slot] then
        gone_out[#gone_out + 1] = gone[#gone]
      end
    end
    ties[slot] = tie
    places_now[#places_now + 1], places_now[#places_now + 2] = members[slot], tie
  end
  write('ZREM', board, gone)
  write('ZREM', lines_out, gone_out)
  write('HSET', places, places_now)
end

if #moved > 0 then
  local lines, out = {}, {}
  for i, slot in ipairs(moved) do
    local level = levels_now[slot]
    local score = whole(wide and level or level * unit + horizon - times_now[slot])
    local line = wide and ties[slot] .. members[slot] or members[slot]
    lines[2 * i - 1], lines[2 * i] = score, line
    if exclusions and exclusions[slot] then
      out[#out + 1], out[#out + 2] = score, line
    end
  end
  write('ZADD', board, lines)
  write('ZADD', lines_out, out)
end

if next(deeds) or next(counts) then
  local set, gone = {}, {}
  for deed, what in pairs(deeds) do
    if what then
      set[#set + 1], set[#set + 2] = deed, what
    else
      gone[#gone + 1] = deed
    end
  end
  for counter, count in pairs(counts) do
    if of_given[counter] == nil then -- of the day of what was undone
      call('HINCRBY', given, counter, whole(count))
    else
      set[#set + 1], set[#set + 2] = counter, whole(tonumber(of_given[counter] or '0') + count)
    end
  end
  write('HSET', given, set)
  write('HDEL', given, gone)
end

-- The microsecond tells an entry from another under its number, once Redis went back in time.
for _, entry in ipairs(entries) do
  local _, written_at = server()
  call('XADD', journal, whole(entry.last) .. '-' .. written_at, 'events',
    table.concat(entry, END_OF_EVENT))
end

return answers
