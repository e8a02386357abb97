// Numbers are written as the program writes them: both are tested with crates/judge/src/numbers.json.

import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { cut, marginInWords, quantity } from "../src/words/numbers";
import { threeDigits } from "../src/words/speed";

type Table = Record<"quantity" | "three_digits" | "margin", [number | null, string][]>;

const TABLE = new URL("../../crates/judge/src/numbers.json", import.meta.url);

test("numbers are written as the table that the program shares says", () => {
  const table = JSON.parse(readFileSync(TABLE, "utf8")) as Table;
  const formatters = { quantity, three_digits: threeDigits, margin: marginInWords };
  for (const [name, formatter] of Object.entries(formatters)) {
    for (const [value, text] of table[name as keyof Table]) {
      expect(formatter(value ?? Infinity).replaceAll("\u00a0", " "), `${name} of ${value}`).toBe(text);
    }
  }
});

test("of names that begin and end alike, what differs stays", () => {
  const of = (block: string): string => `aes-128-cbc-${block}/openssl-speed`;
  const all = ["16B", "64B", "8192B"].map(of);
  expect(all.map((name) => cut(name, 22, all))).toEqual([
    "aes-128-cbc-16B…-speed",
    "aes-128-cbc-64B…-speed",
    "aes-128-cbc-8192B…peed",
  ]);
  const machines = ["web-1.rack-7.example.com", "web-2.rack-7.example.com"];
  const longer = machines.map((name) => `fra1-cluster-a-${name}`);
  expect(longer.map((name) => cut(name, 16, longer))).toEqual(["fra1-cl…1…le.com", "fra1-cl…2…le.com"]);
  expect(cut(of("16B"), 20)).toBe("aes-128-cbc-…l-speed");
  expect(new Set(all.map((name) => cut(name, 6, all))).size).toBe(3);
});
