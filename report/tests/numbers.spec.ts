// Names are cut such that they differ, and axes have marks.

import { expect, test } from "@playwright/test";
import { decades } from "../src/charts/plot";
import { cut } from "../src/words/numbers";

test("of names that begin and end alike, what differs stays", () => {
  const nameOf = (block: string): string => `aes-128-cbc-${block}/openssl-speed`;
  const all = ["16B", "64B", "8192B"].map(nameOf);
  expect(all.map((name) => cut(name, 22, all))).toEqual([
    "aes-128-cbc-16B…-speed",
    "aes-128-cbc-64B…-speed",
    "aes-128-cbc-8192B…peed",
  ]);
  const machines = ["web-1.rack-7.example.com", "web-2.rack-7.example.com"];
  const longer = machines.map((name) => `fra1-cluster-a-${name}`);
  expect(longer.map((name) => cut(name, 16, longer))).toEqual(["fra1-cl…1…le.com", "fra1-cl…2…le.com"]);
  expect(cut(nameOf("16B"), 20)).toBe("aes-128-cbc-…l-speed");
  expect(new Set(all.map((name) => cut(name, 6, all))).size).toBe(3);
});

test("names among which they stand are cut so that each reads differently", () => {
  const page = [
    "keepalive",
    "keepalive-tls13",
    "handshake",
    "handshake-tls13",
    "handshake-pq",
    "h2",
    "rate-500",
  ];
  const short = ["redirect", "redirect-tls13", "plain", "plain-tls13", "plain-h2"];
  const rows = [...page.map((end) => `page-${end}`), ...short].map((name) => `https-${name}/nginx`);
  const machines = ["c7g.16xlarge", "c6g.16xlarge", "c7g.12xlarge"];
  const runs = ["20261126T152110Z", "20261126T162110Z"].map((at) => `Intel(R) Xeon(R) Processor (${at})`);
  for (const names of [rows, machines, runs]) {
    for (const most of [12, 14, 17, 22, 26]) {
      const all = names.map((name) => cut(name, most, names));
      expect(new Set(all).size, all.join()).toBe(names.length);
      for (const name of all) expect(Array.from(name).length, name).toBeLessThanOrEqual(most);
    }
  }
  expect(cut("https-plain-tls13/nginx", 17, rows)).toBe("…plain-tls13…");
  expect(cut("https-page-handshake/nginx", 17, rows)).toBe("…handshake/nginx");
});

test("a logarithmic axis of quantities begins and ends with a mark", () => {
  expect(decades([0.31, 42], 200)).toEqual([0.2, 0.5, 1, 2, 5, 10, 20, 50]);
  expect(decades([0.0003, 420], 200)).toEqual([0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000]);
  expect(decades([5, 5], 200)).toEqual([5, 10]);
  expect(decades([Infinity], 200)).toEqual([1, 2]);
});
