-- Numbers that are the same on every machine: below a bound, for a key and a salt. All products stay below 2^63.
CREATE MACRO residue(x) AS x % 2147483647;
CREATE MACRO mixed(key, salt) AS residue(key * 1103515 + salt * 7368787 + 12345);
CREATE MACRO squared(x) AS residue(x * x);
CREATE MACRO shifted(x) AS xor(x, x >> 13);
CREATE MACRO drawn(key, salt, bound) AS residue(shifted(squared(mixed(key, salt))) * 48271) * bound // 2147483647;
