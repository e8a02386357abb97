// Numbers are written as the program writes them: both are tested with crates/judge/src/numbers.json.

import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { marginInWords, quantity } from "../src/words/numbers";
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
