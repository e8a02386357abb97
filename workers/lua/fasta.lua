-- fasta: write three DNA sequences, one by repetition and two by weighted chance.
-- Problem: The Computer Language Benchmarks Game, "fasta". The code is our own.
--
-- One op is the whole program for `size`: 2 × size letters of a repeated sequence, 3 × size of the
-- IUB codes and 5 × size of Homo sapiens frequencies, in lines of 60, by the problem's own linear
-- congruential generator, which starts from 42 in every op. Returns the FASTA text.

local concat = table.concat
local sub = string.sub

local LINE = 60

local ALU = "GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGG"
  .. "GAGGCCGAGGCGGGCGGATCACCTGAGGTCAGGAGTTCGAGA"
  .. "CCAGCCTGGCCAACATGGTGAAACCCCGTCTCTACTAAAAAT"
  .. "ACAAAAATTAGCCGGGCGTGGTGGCGCGCGCCTGTAATCCCA"
  .. "GCTACTCGGGAGGCTGAGGCAGGAGAATCGCTTGAACCCGGG"
  .. "AGGCGGAGGTTGCAGTGAGCCGAGATCGCGCCACTGCACTCC"
  .. "AGCCTGGGCGACAGAGCGAGACTCCGTCTCAAAAA"

local IUB = {
  { "a", 0.27 }, { "c", 0.12 }, { "g", 0.12 }, { "t", 0.27 }, { "B", 0.02 },
  { "D", 0.02 }, { "H", 0.02 }, { "K", 0.02 }, { "M", 0.02 }, { "N", 0.02 },
  { "R", 0.02 }, { "S", 0.02 }, { "V", 0.02 }, { "W", 0.02 }, { "Y", 0.02 },
}

local HOMO_SAPIENS = {
  { "a", 0.3029549426680 }, { "c", 0.1979883004921 },
  { "g", 0.1975473066391 }, { "t", 0.3015094502008 },
}

-- The problem's generator.
local MODULUS, FACTOR, ADDEND, START = 139968, 3877, 29573, 42

-- Turns letters with their frequencies into letters with the upper ends of their shares of 0 … 1.
local function shares(frequencies)
  local letters, ends, sum = {}, {}, 0
  for i, pair in ipairs(frequencies) do
    sum = sum + pair[2]
    letters[i], ends[i] = pair[1], sum
  end
  ends[#ends] = 1 -- the sum of the frequencies falls a rounding error short of it
  return letters, ends
end

local iub_letters, iub_ends = shares(IUB)
local homo_letters, homo_ends = shares(HOMO_SAPIENS)

-- Two rounds of the sequence, so that a line is one piece from wherever it starts.
local ALU_TWICE = ALU .. ALU

local output = {}

-- Appends `length` letters of the repeated sequence to the output; returns its new end.
local function repeated(at, length)
  local period, start = #ALU, 0
  while length > 0 do
    local width = length < LINE and length or LINE
    output[at + 1] = sub(ALU_TWICE, start + 1, start + width)
    output[at + 2] = "\n"
    at = at + 2
    start = (start + width) % period
    length = length - width
  end
  return at
end

-- Appends `length` letters by chance to the output; returns its new end and the generator's state.
local function by_chance(at, length, letters, ends, state)
  local column = 0
  for _ = 1, length do
    state = (state * FACTOR + ADDEND) % MODULUS
    local draw = state / MODULUS
    local i = 1
    while ends[i] <= draw do
      i = i + 1
    end
    at = at + 1
    output[at] = letters[i]
    column = column + 1
    if column == LINE then
      at = at + 1
      output[at] = "\n"
      column = 0
    end
  end
  if column > 0 then
    at = at + 1
    output[at] = "\n"
  end
  return at, state
end

return function(size)
  local state = START
  output[1] = ">ONE Homo sapiens alu\n"
  local at = repeated(1, 2 * size) + 1
  output[at] = ">TWO IUB ambiguity codes\n"
  at, state = by_chance(at, 3 * size, iub_letters, iub_ends, state)
  at = at + 1
  output[at] = ">THREE Homo sapiens frequency\n"
  at, state = by_chance(at, 5 * size, homo_letters, homo_ends, state)
  return concat(output, "", 1, at)
end
