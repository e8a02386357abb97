// The op of json-parse-api/node without sizeup. usage: node json_loop.js DOCUMENT < NANOSECONDS_OF_EACH_SAMPLE
"use strict";

const { readFileSync, readSync } = require("node:fs");
const bytes = readFileSync(process.argv[2]);
let tree;

function sample(leastNs) {
  const start = process.hrtime.bigint();
  const before = process.cpuUsage();
  let ops = 0;
  do {
    tree = JSON.parse(bytes.toString("utf8"));
    ops += 1;
  } while (process.hrtime.bigint() - start < leastNs);
  const { user, system } = process.cpuUsage(before);
  return `${ops} ${1000 * (user + system)}`;
}

const chunk = Buffer.alloc(1000);
for (let length; (length = readSync(0, chunk)) > 0;) {
  for (const line of chunk.toString("utf8", 0, length).trim().split("\n")) console.log(sample(BigInt(line)));
}
console.error(`orders ${tree.orders.length}`);
